"""The lists of orders on the real engine, against filtering and sorting the same orders in plain Python."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamodb_lists import Listing
from dynamodb_lists.tests.helpers.examples import examples
from orders import commands, queries
from orders.entities import Guest, Order, OrderItem
from orders.statuses import CORRECTABLE, OPEN, STEPS, UNFINISHED, Status
from portal.people import HotelScope
from tests.helpers import contents
from tests.helpers.orders import (
    assert_orders_in_step,
    assert_pages,
    by_entered,
    by_placed,
    dated,
    ids,
    make_order,
    profile,
    store,
)
from tests.helpers.rooms import ABC

pytestmark = pytest.mark.usefixtures("empty_tables")
START = datetime(2023, 1, 15, 23, 59, 50, tzinfo=UTC)  # the seconds that follow lie on two days
GUESTS = ("al", "alex", "ålex")
HOTELS = (ABC, "ab", "海")
HOTEL_SETS = (None, (), *((hotel,) for hotel in HOTELS), HOTELS[:2])
TOTALS = ("999.99", "1000", "1000.00", "1000.01", "1500", "20000", "3")
NIGHTS = (None, date(2023, 1, 15), date(2023, 1, 16), date(2023, 1, 17), None)
days = st.sampled_from([(first, before) for number, first in enumerate(NIGHTS[:4]) for before in NIGHTS[number + 1 :]])
seconds = st.integers(0, 15).map(lambda n: START + timedelta(seconds=n))

times = st.one_of(st.none(), seconds)
SOLD = OrderItem("tea", "Tea", 1, Decimal(0))


@st.composite
def order_lists(draw: st.DrawFn, max_size: int = 50) -> list[Order]:
    """Orders of a few guests and hotels. Many of them share a second or a total."""
    hotels, guests = draw(st.integers(1, len(HOTELS))), draw(st.integers(1, len(GUESTS)))
    kinds = st.tuples(
        st.sampled_from(GUESTS[:guests]),
        st.sampled_from(list(Status)),
        st.tuples(seconds, seconds).map(sorted),
        st.sampled_from(TOTALS),
        st.sampled_from(HOTELS[:hotels]),
        times,
    )
    drawn = draw(st.lists(kinds, min_size=draw(st.sampled_from([0, max_size // 2])), max_size=max_size))
    names = draw(st.permutations([f"o-{n}" for n in range(len(drawn))]))
    return [
        make_order(name, user, status, at, at if status == OPEN else later, total, hotel_id=hotel, wanted_at=wanted_at)
        for name, (user, status, (at, later), total, hotel, wanted_at) in zip(names, drawn, strict=True)
    ]


def moved_on(orders: Sequence[Order], data: st.DataObject) -> list[Order]:
    """The orders after some of them have taken random steps."""
    now = {order.order_id: order for order in orders}
    for order_id in data.draw(st.lists(st.sampled_from(ids(orders)), max_size=20)) if orders else ():
        if now[order_id].status in CORRECTABLE and data.draw(st.booleans()):
            total, wanted_at = Decimal(data.draw(st.sampled_from(TOTALS))), data.draw(times)
            corrected = replace(SOLD, unit_price=total)
            now[order_id] = commands.correct_order(now[order_id], [corrected], "bob", wanted_at=wanted_at)
        elif steps := STEPS[now[order_id].status]:
            now[order_id] = commands.take_step(now[order_id], data.draw(st.sampled_from(steps)), "alice")
    return list(now.values())


def assert_list(listing: Listing[Order], orders: Sequence[Order], key: Callable[[Order], tuple[datetime, str]]) -> None:
    assert_pages(listing, ids(sorted(orders, key=key, reverse=listing.descending)))


@settings(max_examples=examples(5))
@given(st.data())
def test_every_list_is_what_plain_python_gives(data: st.DataObject) -> None:
    """A2, A4 to A8, A10: the same rows in the same order, on every page, in both directions."""
    contents.empty()
    orders = data.draw(order_lists())
    store(orders)
    orders = moved_on(orders, data)
    assert_orders_in_step()

    for descending in (True, False):
        for username in {order.username for order in orders}:
            of_guest = [order for order in orders if order.username == username]
            assert_lists_of_guest(profile(username), of_guest, data, descending)
        for status in (None, *Status):
            assert_work_list(status, data.draw(st.sampled_from(HOTEL_SETS)), orders, descending)
            hotel_id, on = data.draw(st.sampled_from(HOTELS)), data.draw(days)
            of_hotel = [order for order in orders if order.hotel_id == hotel_id]
            found = queries.orders_in(status, hotel_id=hotel_id)
            listing = dated(found, on, status, descending=descending).listing()
            assert_list(listing, in_status(of_hotel, status, *on), by_entered if status else by_placed)
        for hotel_id in HOTELS:
            waiting = [each for each in orders if each.hotel_id == hotel_id and each.status in UNFINISHED]
            found = queries.wanted(UNFINISHED, hotel_id=hotel_id)
            listing = found.order_by("wanted_at", "order_id", descending=descending).listing()
            assert_list(listing, [each for each in waiting if each.wanted_at], by_wanted)
            big = [order for order in orders if order.hotel_id == hotel_id and order.total >= 1000]
            assert_big_orders(queries.big_orders(hotel_id, descending=descending), big)


def by_wanted(order: Order) -> tuple[datetime, str]:
    """Return the sort key of A16."""
    assert order.wanted_at
    return order.wanted_at, order.order_id


def assert_lists_of_guest(guest: Guest, orders: Sequence[Order], data: st.DataObject, descending: bool) -> None:
    """Check a guest's orders: all orders and those of each status, for all days and for a range of days."""
    for status in (None, *Status):
        on = data.draw(days)
        listing = dated(queries.guest_orders(guest, status), on, status, descending=descending).listing()
        assert_list(listing, in_status(orders, status, *on), by_entered if status else by_placed)


def in_status(orders: Sequence[Order], status: Status | None, first: date | None, before: date | None) -> list[Order]:
    """The orders that were placed on these days, or that entered the status on these days and are still in it."""
    asked = [(order, order.status_at if status else order.placed_at) for order in orders]
    return [
        order
        for order, moment in asked
        if status in {None, order.status}
        and (first is None or moment.date() >= first)
        and (before is None or moment.date() < before)
    ]


def assert_work_list(
    status: Status | None, hotels: Sequence[str] | None, orders: Sequence[Order], descending: bool
) -> None:
    """Check the unfinished orders in a status, or in any, of some hotels or of all."""
    wanted = {*UNFINISHED} if status is None else {status} & {*UNFINISHED}
    unfinished = [o for o in orders if o.status in wanted and (hotels is None or o.hotel_id in hotels)]
    scope = HotelScope(None if hotels is None else frozenset(hotels))
    found = dated(scope.of(queries.placed(wanted)), descending=descending)
    assert_list(found.listing(), unfinished, by_placed)


def assert_big_orders(listing: Listing[Order], big: Sequence[Order]) -> None:
    """Check that big orders are sorted by total. Orders of the same total have the same order on every page."""
    streamed = list(listing.stream())
    assert [order.total for order in streamed] == sorted((order.total for order in big), reverse=listing.descending)
    assert set(ids(streamed)) == set(ids(big))
    assert_pages(listing, ids(streamed))
