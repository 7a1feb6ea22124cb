"""Pages of lists of orders: their orders, their days, and the names in them."""

import csv
import io
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client

from dynamodb_lists.tests.helpers.paging import linked
from hotels.commands import save_hotels
from hotels.entities import Hotel
from orders import commands, queries
from orders.entities import Guest, Order
from orders.lists import stored_order
from orders.statuses import UNFINISHED, Status
from tests.helpers.contents import Fill
from tests.helpers.markup import get
from tests.helpers.orders import make_order, store
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
PARIS = ZoneInfo("Europe/Paris")
NOON = datetime(2023, 1, 15, 12, 0, tzinfo=UTC)
UNFINISHED_PATH, OPEN = "/orders/unfinished/", "/orders/unfinished/?status=PLACED"
GROUP = "/orders/"
OF_HOTEL, HOTEL_UNFINISHED = f"/hotels/{ABC}/orders/", f"/hotels/{ABC}/orders/unfinished/"
BIG = f"/hotels/{ABC}/orders/big/"


def sixty() -> list[Order]:
    """Orders of six guests at two hotels, an hour apart, in all statuses. They entered their status a day later."""
    return [
        make_order(
            f"o-{n:02d}",
            f"guest{n % 6}",
            status := list(Status)[n % 5],
            NOON + timedelta(hours=n),
            NOON + timedelta(hours=n, days=status != Status.PLACED),
            hotel_id=(ABC, "sea")[n % 2],
        )
        for n in range(60)
    ]


def fill() -> None:
    make_hotel()
    make_hotel(hotel_id="sea", name="海辺ホテル")
    commands.add_missing_guests(
        [Guest(f"guest{n}", ("Ann Lee", "Bo", "Cy", "Di", "Ed", "Ann Lee")[n]) for n in range(6)]
    )
    store(sixty())


@pytest.fixture
def filling(request: pytest.FixtureRequest) -> Fill | None:
    return fill if "orders" in request.fixturenames else None


@pytest.fixture
def orders(empty_tables: None) -> list[Order]:
    """The sixty orders, newest first."""
    return sixty()[::-1]


def rows_of(client: Client, path: str, query: str) -> list[str]:
    """Return the rows of every page, by its next links."""
    return [
        row for page in linked(get(client, path + query), lambda link: get(client, path + link)) for row in page.rows
    ]


def ids(orders: Sequence[Order], *statuses: Status, hotel: str = "") -> list[str]:
    return [o.order_id for o in orders if o.status in (statuses or Status) and hotel in {"", o.hotel_id}]


def test_everything_unfinished_and_each_status(staff: Client, orders: list[Order]) -> None:
    oldest_first = orders[::-1]
    assert rows_of(staff, UNFINISHED_PATH, "") == ids(oldest_first, *UNFINISHED)
    assert rows_of(staff, UNFINISHED_PATH, "?sort=-date") == ids(orders, *UNFINISHED)
    for status in UNFINISHED:
        assert rows_of(staff, UNFINISHED_PATH, f"?status={status}") == ids(oldest_first, status)
    assert rows_of(staff, UNFINISHED_PATH, "?hotel=sea") == ids(oldest_first, *UNFINISHED, hotel="sea")
    assert rows_of(staff, UNFINISHED_PATH, "?hotel=sea&hotel=abc&status=PLACED") == ids(oldest_first, Status.PLACED)
    assert rows_of(staff, HOTEL_UNFINISHED, "") == ids(oldest_first, *UNFINISHED, hotel=ABC)
    query = "?sort=-date&status=SHIPPED"
    assert rows_of(staff, HOTEL_UNFINISHED, query) == ids(orders, Status.SHIPPED, hotel=ABC)
    assert (
        get(staff, f"{UNFINISHED_PATH}?status=PROCESSING").element("form#filters [name=status]")["value"]
        == "PROCESSING"
    )
    cells = {cell.get_text(" ", strip=True) for cell in get(staff, OPEN).soup.select("td[data-label=Guest]")}
    assert {"Ann Lee guest0", "Ann Lee guest5", "Bo"} <= cells, "guests of one name are told apart"


def test_the_orders_of_a_room_in_each_status_on_days_and_on_its_page(staff: Client) -> None:
    make_hotel([make_room("101"), make_room("102")])
    rooms = ("101", "101", "102", "")
    orders = [replace(order, hotel_id=ABC, room_number=rooms[n // 5 % 4]) for n, order in enumerate(sixty())]
    store(orders)
    of_room = [order for order in orders if order.room_number == "101"][::-1]
    assert rows_of(staff, OF_HOTEL, "?room=101") == ids(of_room)
    assert rows_of(staff, OF_HOTEL, "?room=101&sort=date") == ids(of_room[::-1])
    assert rows_of(staff, OF_HOTEL, "?room=101&status=CANCELLED") == ids(of_room, Status.CANCELLED)
    first_days = [order for order in of_room if order.placed_at < NOON + timedelta(hours=11)]  # midnight in Paris
    assert rows_of(staff, OF_HOTEL, "?room=101&to=2023-01-15&page_size=10") == ids(first_days)
    assert rows_of(staff, HOTEL_UNFINISHED, "?room=101") == ids(of_room[::-1], *UNFINISHED)
    assert not rows_of(staff, OF_HOTEL, "?room=10")
    shown = get(staff, f"/hotels/{ABC}/rooms/101/").soup.select("[data-order]")
    finished = ids(of_room, Status.DELIVERED, Status.CANCELLED)
    assert [row["data-order"] for row in shown] == [*ids(of_room, *UNFINISHED)[:10], *finished[:10]]
    placed = stored_order(ids(of_room, Status.PLACED)[0])
    commands.correct_order(placed, placed.items, "anna", "102")
    assert placed.order_id in rows_of(staff, OF_HOTEL, "?room=102&status=PLACED")
    assert placed.order_id not in rows_of(staff, OF_HOTEL, "?room=101")
    commands.take_step(stored_order(ids(of_room, Status.PLACED)[1]), Status.PROCESSING, "anna")
    assert ids(of_room, Status.PLACED)[1] in rows_of(staff, HOTEL_UNFINISHED, "?room=101&status=PROCESSING")


def test_orders_of_several_hotels_are_on_the_days_of_each_hotel(staff: Client, orders: list[Order]) -> None:
    """In one list, the 16th begins in Tokyo at 15:00 of the 15th, and in Paris at 23:00."""
    save_hotels([Hotel("tokyo", "Tokyo", time_zone="Asia/Tokyo")])
    far = [replace(order, order_id=f"t-{order.order_id}", hotel_id="tokyo") for order in orders]
    store(far)
    every = sorted([*orders, *far], key=lambda order: (order.placed_at, order.order_id))

    def wanted(first: int, last: int, *hotels: str, statuses: Sequence[Status] = tuple(Status)) -> list[str]:
        zones = {"tokyo": ZoneInfo("Asia/Tokyo")}
        days = {order.order_id: order.placed_at.astimezone(zones.get(order.hotel_id, PARIS)).day for order in every}
        on_days = [order for order in every if first <= days[order.order_id] <= last and order.status in statuses]
        return [order.order_id for order in on_days if order.hotel_id in (hotels or {ABC, "sea", "tokyo"})]

    query = "?sort=date"
    assert rows_of(staff, GROUP, query) == wanted(15, 18)
    assert rows_of(staff, GROUP, f"{query}&from=2023-01-16&to=2023-01-16") == wanted(16, 16)
    assert rows_of(staff, GROUP, f"{query}&from=2023-01-17&hotel=sea&hotel=tokyo") == wanted(17, 19, "sea", "tokyo")
    on_the_16th = f"{query}&from=2023-01-16&to=2023-01-16"
    assert rows_of(staff, UNFINISHED_PATH, on_the_16th) == wanted(16, 16, statuses=UNFINISHED)
    of_tokyo = wanted(16, 16, "tokyo", statuses=UNFINISHED)
    assert rows_of(staff, UNFINISHED_PATH, f"{on_the_16th}&hotel=tokyo") == of_tokyo
    page = get(staff, f"{GROUP}{query}&page_size=10&from=2023-01-16&to=2023-01-16")
    back = get(staff, GROUP + str(get(staff, GROUP + str(page.link("next"))).link("prev")))
    assert back.rows == page.rows
    assert "time zone of each hotel" in page.text("#drop-days")
    assert "in each hotel" in page.text(".active-filters")
    assert (page.cost("requests"), page.cost("waves")) == (3, 1), "one for each hotel"
    entered = rows_of(staff, GROUP, f"{query}&status=SHIPPED&from=2023-01-17&to=2023-01-17&zone=UTC")
    assert entered == [o.order_id for o in every if o.status == Status.SHIPPED and o.status_at.day == 17]


def test_a_time_that_another_column_has_is_not_repeated(staff: Client, orders: list[Order]) -> None:
    page = get(staff, "/orders/unfinished/")
    listed = {order.order_id: order for order in orders}
    repeated = [listed[row].status_at == listed[row].placed_at for row in page.rows]
    cells = page.soup.select("[data-label='In this status since']")
    assert [not cell.get_text(strip=True) for cell in cells] == repeated
    assert True in repeated


def test_a_hotels_orders_by_day_and_status(staff: Client, orders: list[Order]) -> None:
    """Without a status, the day is when the order was placed; with one, when the order entered it. Days are the
    hotel's.
    """
    here = [order for order in orders if order.hotel_id == ABC]
    assert rows_of(staff, OF_HOTEL, "") == ids(here)
    assert rows_of(staff, OF_HOTEL, "?status=DELIVERED") == ids(here, Status.DELIVERED)
    on_the_16th = [order for order in orders if order.placed_at.astimezone(PARIS).day == 16]
    assert {order.placed_at.day for order in on_the_16th} == {15, 16}
    for hotel in (ABC, "sea"):
        query = "?from=2023-01-16&to=2023-01-16"
        assert rows_of(staff, f"/hotels/{hotel}/orders/", query) == ids(on_the_16th, hotel=hotel)
    shipped = [order for order in here if order.status == Status.SHIPPED and order.status_at.day == 17]
    assert shipped
    assert rows_of(staff, OF_HOTEL, "?status=SHIPPED&from=2023-01-17&to=2023-01-17") == ids(shipped)
    assert rows_of(staff, OF_HOTEL, "?status=PLACED&to=2023-01-15&sort=date") == ids(
        [order for order in here[::-1] if order.status == Status.PLACED and order.placed_at.day == 15]
    )


def test_a_guests_orders_by_status_and_on_the_days_of_each_hotel(staff: Client, orders: list[Order]) -> None:
    """A tab has its orders by the time at which they entered the status."""
    save_hotels([Hotel("tokyo", "Tokyo", time_zone="Asia/Tokyo")])
    of_guest = [order for order in orders if order.username == "guest1"]
    page = get(staff, "/guests/GUEST1/")
    assert "guest1" in page.text("dl.facts")
    assert (page.total, page.rows) == (10, ids(of_guest)), "however the username is written"
    assert [page.count("status", status) for status in Status] == [2] * len(Status)
    page = get(staff, "/guests/guest1/orders/?status=SHIPPED")
    assert (page.total, page.rows) == (2, ids(of_guest, Status.SHIPPED))
    assert page.element("nav.tabs [aria-current]")["data-value"] == "SHIPPED"
    far = [replace(order, order_id=f"t-{order.order_id}", hotel_id="tokyo") for order in of_guest]
    store(far)
    zones = {"sea": PARIS, "tokyo": ZoneInfo("Asia/Tokyo")}
    wanted = [each for each in [*of_guest, *far] if each.placed_at.astimezone(zones[each.hotel_id]).day == 16]
    found = rows_of(staff, "/guests/guest1/orders/", "?page_size=10&sort=date&from=2023-01-16&to=2023-01-16")
    assert found == ids(sorted(wanted, key=lambda order: (order.placed_at, order.order_id)))


def test_big_orders_are_listed_by_total(staff: Client, orders: list[Order]) -> None:
    store([make_order(f"big-{total}", total=total) for total in (1000, 1019, 999)])
    assert get(staff, BIG).rows == ["big-1019", "big-1000"]
    assert get(staff, f"{BIG}?sort=total").rows == ["big-1000", "big-1019"]
    assert "EUR 1,019.00" in get(staff, BIG).text("tr[data-row=big-1019]")


def test_an_order_keeps_the_name_that_its_guest_had(staff: Client, orders: list[Order]) -> None:
    """As an invoice does. The guest's own page has the name of today, and so have later orders."""
    guest = queries.guest("guest1")
    commands.edit_guest(guest, Guest("guest1", "Bo Renamed", revision=guest.revision), "alice")
    commands.place_order(make_order("new", "guest1"), "alice")
    assert get(staff, OPEN).text("tr[data-row=new] td[data-label=Guest]") == "Bo Renamed"
    assert get(staff, OPEN).text("tr[data-row=o-25] td[data-label=Guest]") == "Bo"
    assert get(staff, "/orders/o-25/").text("dl.facts div:nth-of-type(3) dd") == "Bo guest1"
    export = staff.get("/guests/guest1/orders/?format=csv").getvalue().decode()
    assert {line["guest_name"] for line in csv.DictReader(io.StringIO(export))} == {"Bo Renamed"}
