"""Exports: as CSV, with and without a byte order mark and with plain numbers, and as Excel files."""

import csv
import io
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import QueryDict
from django.test import Client

from dynamodb_lists.lists.csv_guard import guarded
from dynamodb_lists.schema import entities
from hotels import commands as hotels
from hotels import queries as hotel_queries
from hotels.entities import Hotel
from orders import commands as orders
from orders import queries as order_queries
from orders.entities import Guest, Order
from portal.lists import exports, views
from portal.lists.views import ListPage
from reviews import commands as reviews
from reviews import queries as review_queries
from reviews.entities import Review
from rooms import commands as rooms
from rooms import queries as room_queries
from rooms.apps import CHANGE_STATUS, PLAN_ROOMS
from rooms.entities import Room, StatusChange
from rooms.statuses import Housekeeping, Service
from tests.helpers.addresses import addresses
from tests.helpers.markup import ListMarkup
from tests.helpers.orders import make_order, store
from tests.helpers.people import permit
from tests.helpers.reviews import make_review
from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.helpers.workbooks import read_workbook

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
ROOMS = f"/hotels/{ABC}/rooms/"
HISTORY = f"/history/room/{ABC}/101/"


def fill() -> None:
    make_hotel([make_room("101", "Hướng biển", rate=Decimal("1234567.5")), make_room("102", size=1200)])
    store([make_order("o-1", "alex", total=12345)])


OF_ONE = {"hotel_id": "one", "number": "909", "username": "bea"}
OTHER_READS: dict[str, type] = {
    "/hotels/?q=han": Hotel,
    "/hotels/one/rooms/?number=90": Room,
    "/hotels/one/rooms/?view=sea-view&sort=-rate": Room,
    "/hotels/one/rooms/?status=dirty": Room,
    "/guests/?q=be": Guest,
    "/guests/?q=bea+ro": Guest,
    "/guests/bea/orders/?status=PLACED": Order,
    "/hotels/one/orders/?status=PLACED": Order,
    "/hotels/one/reviews/?rating=5": Review,
    "/hotels/one/reviews/?room=909": Review,
}
"""Lists that read other indexes, or word items, than the same list without its filters."""


PARTS = {CHANGE_STATUS, PLAN_ROOMS}
"""The permissions of lists that hold only a part of the rooms."""


def make_one_of_each() -> dict[Any, Any]:
    """An entity of each kind that lists export, as it is stored, with as few blank fields as possible."""
    hotels.create_hotel(Hotel("one", "Hotel One", "Hanoi", currency="EUR", time_zone="UTC"), "anna")
    rooms.create_room(make_room("909", hotel_id="one"), "anna")
    dirty_and_broken = StatusChange(Housekeeping.DIRTY, Service.OUT_OF_ORDER, "Tap", responsible="Bauer", note="A cot")
    rooms.set_status("one", "909", dirty_and_broken, "anna")
    orders.create_guest(Guest("bea", "Bea Roe", "bea@example.com", "123", "Late"), "anna")
    order = orders.place_order(make_order("o-9", "bea", total=2000, hotel_id="one"), "anna")
    order = orders.note_order(order, replace(order, note="Ring twice"), "anna")
    review = reviews.add_review(make_review("r-1", hotel_id="one", username="bea", room_number="909"), "anna")
    reviews.reply_to_review(review, "Thank you!", "anna")
    return {
        Hotel: hotel_queries.stored_hotel("one"),
        Room: room_queries.room("one", "909", consistent=True),
        Guest: order_queries.guest("bea", consistent=True),
        Order: order_queries.order_as_stored("bea", order.order_id),
        Review: review_queries.review("r-1", consistent=True),
    }


def test_each_export_of_a_list_has_every_column_of_what_is_stored(staff: Client) -> None:
    """A list reads word items and indexes, which do not have every field."""
    stored = make_one_of_each()
    pages = [each for each in addresses() if issubclass(each.page, ListPage) and each.page.entity in stored]
    lists = {
        each.with_values(**OF_ONE): each.page.entity  # type: ignore[attr-defined]
        for each in pages
        if getattr(each.page, "permission", "") not in PARTS
    }
    stored["/reviews/unanswered/"] = reviews.add_review(make_review("r-2", hotel_id="one"), "anna")
    for address, entity in (lists | OTHER_READS).items():
        shown = stored.get(address, stored[entity])
        written = staff.get(address, {**QueryDict(address.partition("?")[2]).dict(), "format": "csv"})
        texts = [guarded(entities.text(value)) for value in entities.cells(shown)]
        wanted = dict(zip(entities.columns(entity), texts, strict=True))
        rows = list(csv.DictReader(io.StringIO(written.getvalue().decode())))
        assert wanted in [{name: row[name] for name in wanted} for row in rows], address
        workbook = staff.get(address, {**QueryDict(address.partition("?")[2]).dict(), "format": "xlsx"})
        assert len(read_workbook(workbook.getvalue()).rows) == len(rows), address


def test_an_excel_file_has_numbers_days_of_the_hotel_and_words(staff: Client) -> None:
    store([make_order("o-2", "alex", total=Decimal("-0.5"), placed_at=datetime(2023, 7, 15, 22, 30, tzinfo=UTC))])
    response = staff.get("/hotels/abc/orders/?format=xlsx")
    assert response["Content-Disposition"] == 'attachment; filename="orders-abc.xlsx"'
    content = response.getvalue()
    assert len(content) == int(response["Content-Length"])
    table = read_workbook(content)
    row = table.rows[0]
    assert row["Placed"] == datetime(2023, 7, 16, 0, 30), "the day in Paris"
    assert (row["Total"], row["Currency"], row["Hotel name"]) == (Decimal("-0.5"), "EUR", "Hotel ABC")
    assert row["Status"] == "Placed"
    assert (table.headings[-1], row["Times in"]) == ("Times in", "Europe/Paris")
    assert (table.formats["Total"], table.formats["Placed"]) == ("#,##0.00#", "yyyy-mm-dd hh:mm")
    assert table.has(".//x:pane[@state='frozen']"), "the headings stay in sight"
    assert table.has("x:autoFilter")
    change = StatusChange(service=Service.OUT_OF_ORDER, reason="=1+1", until=date(2030, 1, 31))
    rooms.set_status(ABC, "101", change, "anna")
    table = read_workbook(staff.get(f"{ROOMS}?format=xlsx").getvalue())
    room = next(row for row in table.rows if row["Number"] == "101")
    assert (room["Rate a night"], room["Size"], room["Reason"]) == (Decimal("1234567.5"), 40, "=1+1")
    assert room["Service"] == "Out of order"
    assert (room["Out of order until"], "Times in" in room) == (datetime(2030, 1, 31), False)
    assert read_workbook(staff.get("/guests/?q=zz&format=xlsx").getvalue())[:2] == (
        ["Username", "Name", "E-mail", "Note"],
        [],
    )
    history = read_workbook(staff.get(f"/history/room/{ABC}/101/?format=xlsx").getvalue()).rows
    assert {row["Times in"] for row in history} == {"Europe/Paris"}


def test_who_may_not_export_prints_lists_of_rooms_alone(
    newcomer: Client, dana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    permit(dana, "rooms.view_room", "orders.view_order")
    for address, status in {ROOMS: 200, f"/hotels/{ABC}/attention/": 200, f"/hotels/{ABC}/orders/": 403}.items():
        assert newcomer.get(f"{address}?format=print").status_code == status, address
        assert ("Print all" in newcomer.get(address).content.decode()) == (status == 200), address
    rooms.save_rooms([make_room(str(number)) for number in range(201, 211)])
    assert len(ListMarkup(newcomer.get(f"{ROOMS}?format=print&page_size=10").content).rows) == 12
    monkeypatch.setattr(views, "MOST_PRINTED", 11)
    assert "More than 11 rows are not printed. Set a filter." in newcomer.get(f"{ROOMS}?format=print").content.decode()


@pytest.mark.parametrize(("limit", "most"), [("MAX_ROWS", 1), ("MAX_UNITS", 0)])
def test_a_list_that_is_too_long_for_excel_is_refused(
    staff: Client, monkeypatch: pytest.MonkeyPatch, limit: str, most: int
) -> None:
    for housekeeping in (Housekeeping.DIRTY, Housekeeping.CLEAN):
        rooms.set_status(ABC, "101", StatusChange(housekeeping=housekeeping), "anna")
    monkeypatch.setattr(exports, limit, most)
    response = staff.get(f"{HISTORY}?format=xlsx")  # nothing counts it
    assert response.status_code == 400
    page = response.content.decode()
    assert "Narrow it, or export it as CSV, which has no limit." in page
    assert f'href="{HISTORY}"' in page


def test_a_counted_list_that_is_too_long_for_excel_is_refused_before_its_rows_are_read(
    staff: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exports, "MAX_ROWS", 1)
    monkeypatch.setattr(ListPage, "every_row", None)
    for url in (ROOMS, f"{ROOMS}?size=40&size=1200"):
        response: Any = staff.get(url, {**QueryDict(url.partition("?")[2]), "format": "xlsx"})
        assert response.status_code == 400
        assert "The list has more than 1 rows." in response.content.decode()
    assert response.wsgi_request.ledger.read_units < 5
