"""Pages of lists of orders, by the markup that scripts rely on: tabs, days, sorts, pager, export, cost."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client

from dynamodb_lists.tests.helpers.paging import linked
from hotels.commands import save_hotels
from hotels.entities import Hotel
from orders.entities import Order
from orders.statuses import Status
from tests.helpers.contents import Fill
from tests.helpers.markup import ListMarkup, get
from tests.helpers.orders import make_order, store
from tests.helpers.rooms import ABC, make_hotel

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
NOON = datetime(2023, 1, 15, 12, 0, tzinfo=UTC)
GUEST, ORDERS, BIG = "/guests/alex/", "/guests/alex/orders/", f"/hotels/{ABC}/orders/big/"


def pages_of(client: Client, path: str, query: str = "?page_size=10") -> list[ListMarkup]:
    """Every page of a list, by its next links. Walking back must give the same pages."""
    pages = linked(get(client, path + query), lambda link: get(client, path + link))
    page = pages[-1]
    for before in reversed(pages[:-1]):
        page = get(client, path + str(page.link("prev")))
        assert page.rows == before.rows
    return pages


def rows_of(client: Client, path: str, query: str = "?page_size=10") -> list[str]:
    return [row for page in pages_of(client, path, query) for row in page.rows]


def alex_s_thirty() -> list[Order]:
    orders = []
    for n in range(30):
        at = NOON + timedelta(hours=n)
        status = (Status.PLACED, Status.SHIPPED, Status.DELIVERED)[n % 3]
        orders.append(make_order(f"o-{n:02d}", "alex", status, at, at + timedelta(days=n % 3), total=990 + n))
    return orders


def fill() -> None:
    make_hotel()
    store(alex_s_thirty())


@pytest.fixture
def filling(request: pytest.FixtureRequest) -> Fill | None:
    return fill if "thirty" in request.fixturenames else None


@pytest.fixture
def thirty(empty_tables: None) -> list[Order]:
    """Alex's thirty orders, an hour apart: ten PLACED, ten SHIPPED a day later, ten DELIVERED two days later."""
    return alex_s_thirty()


def ids(orders: list[Order], status: Status | None = None) -> list[str]:
    return [order.order_id for order in orders if status in {None, order.status}]


def test_the_guest_page_shows_profile_tabs_and_orders(staff: Client, thirty: list[Order]) -> None:
    page = get(staff, GUEST)
    assert "alex" in page.text("dl.facts")
    assert page.total == 30
    assert [page.count("status", status) for status in Status] == [10, 0, 10, 10, 0]
    assert page.rows == ids(thirty)[::-1][:25]
    assert get(staff, "/guests/ALEX/").total == 30, "however the username is written"
    page = get(staff, f"{ORDERS}?status=SHIPPED&explain=1")
    assert page.rows == ids(thirty, Status.SHIPPED)[::-1]
    assert page.total == 10
    assert page.element("nav.tabs [aria-current]")["data-value"] == "SHIPPED"
    assert "In this status since" in page.text("th[aria-sort=descending]")
    assert "SHIPPED#" in page.text("[data-cost]")


def test_days_without_a_status_are_those_of_placing(staff: Client, thirty: list[Order]) -> None:
    """A guest's orders are of several hotels: each order's day is that of its own hotel."""
    save_hotels([Hotel("tokyo", "Tokyo", time_zone="Asia/Tokyo")])
    evening = datetime(2023, 1, 15, 21, 0, tzinfo=UTC)
    far = [make_order(f"t-{n}", "alex", placed_at=evening + timedelta(days=n), hotel_id="tokyo") for n in (-1, 0, 1)]
    store(far)
    wanted = [order for order in thirty if order.placed_at.astimezone(ZoneInfo("Europe/Paris")).day == 16]
    wanted = sorted([far[1], *wanted], key=lambda order: order.placed_at)
    query = "?page_size=10&sort=date&from=2023-01-16&to=2023-01-16"
    assert len(wanted) > 10
    assert rows_of(staff, ORDERS, query) == ids(wanted)


def test_big_orders_are_listed_by_total(staff: Client, thirty: list[Order]) -> None:
    big = [order for order in thirty if order.total >= 1000]
    assert rows_of(staff, BIG) == ids(big)[::-1]
    assert get(staff, f"{BIG}?sort=total").rows == ids(big)
    assert "EUR 1,019.00" in get(staff, BIG).text("tr[data-row=o-29]")
    make_hotel(hotel_id="small", name="Small")
    assert "No order is big" in get(staff, "/hotels/small/orders/big/").text(".nothing")
