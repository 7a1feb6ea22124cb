"""Exports: as CSV, with and without a byte order mark and with plain numbers, and as Excel files."""

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import QueryDict
from django.test import Client

from portal.access import EXPORT_DATA
from portal.lists import exports, views
from rooms import commands as rooms
from rooms.entities import StatusChange
from rooms.statuses import Housekeeping, Service
from rooms.views.rooms import RoomsPage
from tests.helpers.markup import ListMarkup
from tests.helpers.orders import make_order, store
from tests.helpers.people import permit, portal_permissions
from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.helpers.workbooks import read_workbook

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
ROOMS = f"/hotels/{ABC}/rooms/"
HISTORY = f"/history/room/{ABC}/101/"


def fill() -> None:
    make_hotel([make_room("101", "Hướng biển", rate=Decimal("1234567.5")), make_room("102", size=1200)])
    store([make_order("o-1", "alex", total=12345)])


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
    assert room["Service status"] == "Out of order"
    assert (room["Out of order until"], "Times in" in room) == (datetime(2030, 1, 31), False)
    assert read_workbook(staff.get("/guests/?q=zz&format=xlsx").getvalue())[:2] == (
        ["Username", "Name", "E-mail", "Remark"],
        [],
    )
    history = read_workbook(staff.get(f"/history/room/{ABC}/101/?format=xlsx").getvalue()).rows
    assert {row["Times in"] for row in history} == {"Europe/Paris"}


def test_who_may_not_export_prints_lists_of_rooms_and_orders_alone(
    newcomer: Client, dana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    permit(dana, "rooms.view_room", "orders.view_order", "orders.view_guest")
    free = (ROOMS, f"/hotels/{ABC}/attention/", f"/hotels/{ABC}/orders/", "/orders/unfinished/")
    for address, status in {**dict.fromkeys(free, 200), "/guests/": 403}.items():
        assert newcomer.get(f"{address}?format=print").status_code == status, address
        assert ("Print all" in newcomer.get(address).content.decode()) == (status == 200), address
    rooms.save_rooms([make_room(str(number)) for number in range(201, 211)])
    assert len(ListMarkup(newcomer.get(f"{ROOMS}?format=print&page_size=10").content).rows) == 12
    monkeypatch.setattr(views, "MOST_PRINTED", 11)
    assert "Only 11 rows can be printed. Set a filter first." in newcomer.get(f"{ROOMS}?format=print").content.decode()


@pytest.mark.parametrize("address", [ROOMS, f"/hotels/{ABC}/attention/", "/orders/unfinished/"])
def test_paper_has_no_buttons_and_boxes(newcomer: Client, dana: User, address: str) -> None:
    permit(dana, *portal_permissions() - {EXPORT_DATA})
    store([make_order("o-9")])
    if "attention" in address:
        rooms.set_status(ABC, "101", StatusChange(housekeeping=Housekeeping.DIRTY), "anna")
    shown, printed = (ListMarkup(newcomer.get(f"{address}?format={kind}").content) for kind in ("", "print"))
    kinds = {"input"} if "orders" in address else {"button", "input"}
    assert {each.name for each in shown.soup.select("tbody button, tbody input")} == kinds
    assert (len(printed.rows), printed.soup.select("tbody button, tbody input")) == (len(shown.rows), [])


def test_a_list_that_is_too_long_for_excel_is_refused(staff: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    for housekeeping in (Housekeeping.DIRTY, Housekeeping.CLEAN):
        rooms.set_status(ABC, "101", StatusChange(housekeeping=housekeeping), "anna")
    for limit, most in (("MAX_ROWS", 1), ("MAX_UNITS", 0)):
        with monkeypatch.context() as patch:
            patch.setattr(exports, limit, most)
            response = staff.get(f"{HISTORY}?format=xlsx")  # nothing counts it
        assert response.status_code == 400
        assert "Set a filter, or export it as CSV, which has no limit." in response.content.decode()


def test_a_counted_list_that_is_too_long_for_excel_is_refused_before_its_rows_are_read(
    staff: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exports, "MAX_ROWS", 1)
    monkeypatch.setattr(RoomsPage, "exported", None)
    for url in (ROOMS, f"{ROOMS}?size=40&size=1200"):
        response: Any = staff.get(url, {**QueryDict(url.partition("?")[2]), "format": "xlsx"})
        assert response.status_code == 400
        assert "The list has more than 1 rows." in response.content.decode()
    assert response.wsgi_request.ledger.read_units < 5
