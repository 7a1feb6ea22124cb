"""The pages of A2 to A9, in both directions, with many orders of the same second or the same total; and cursors."""

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from itertools import product
from typing import Any

import pytest

from dynamodb_lists.connection.errors import BadCursor
from dynamodb_lists.reading.lists import Listing
from dynamodb_lists.reading.pages import read_page
from orders import commands, keys, queries
from orders.entities import Guest, Order, OrderQuery
from orders.statuses import Status
from tests.helpers.orders import (
    AT,
    assert_orders_in_step,
    assert_pages,
    by_entered,
    by_placed,
    ids,
    make_guest,
    make_order,
    orders_of_all_statuses,
    profile,
    read,
    store,
    words,
)
from tests.helpers.rooms import ABC

pytestmark = pytest.mark.usefixtures("empty_tables")
BOTH_WAYS = (True, False)
SHIPPED, PLACED = Status.SHIPPED, Status.PLACED
SECOND = timedelta(seconds=1)
JAN_15, JAN_16, JAN_24 = (date(2023, 1, day) for day in (15, 16, 24))
UNICODE = ["søren", "zoë", "海老名", "наталья", "džemal", "𠮷野", "a.b_c-d+e@f", "zoé", "z"]


def assert_sorted_pages(listing: Listing[Order], orders: Sequence[Order], key: Callable[[Order], Any]) -> None:
    """Check that the list has these orders, sorted."""
    assert_pages(listing, ids(sorted(orders, key=key, reverse=listing.descending)))


# --- Next, previous and last ----------------------------------------------------------------------------


@pytest.mark.parametrize("count", [0, 10, 11, 34])
def test_all_orders_of_a_guest(count: int) -> None:
    orders = orders_of_all_statuses(count)
    store([*orders, make_order("other", "bea")])
    guest = profile() if count else make_guest()
    for descending in BOTH_WAYS:
        assert_sorted_pages(queries.guest_orders(guest, OrderQuery(descending=descending)), orders, by_placed)
        days = queries.guest_orders(guest, OrderQuery(None, JAN_15, JAN_16, descending))
        assert_sorted_pages(days, orders, by_placed)


def test_orders_in_a_status_and_between_days() -> None:
    orders = orders_of_all_statuses(120)
    store(orders)
    guest = profile()
    shipped = [order for order in orders if order.status == SHIPPED]
    assert len(shipped) == 24
    for descending in BOTH_WAYS:
        for query in (
            OrderQuery(SHIPPED, descending=descending),
            OrderQuery(SHIPPED, before=date(2023, 1, 25), descending=descending),
            OrderQuery(SHIPPED, JAN_24, descending=descending),
            OrderQuery(SHIPPED, JAN_24, date(2023, 1, 25), descending=descending),
        ):
            assert_sorted_pages(queries.guest_orders(guest, query), shipped, by_entered)
        assert_pages(queries.guest_orders(guest, OrderQuery(SHIPPED, before=JAN_24, descending=descending)), [])


def test_orders_of_one_second_are_told_apart_by_their_ids() -> None:
    orders = [make_order(f"o-{n:02d}", placed_at=AT + (n == 34) * SECOND) for n in range(35)]
    store(orders)
    for descending in BOTH_WAYS:
        for listing in (
            queries.guest_orders(profile(), OrderQuery(descending=descending)),
            queries.guest_orders(profile(), OrderQuery(PLACED, descending=descending)),
            queries.guest_orders(profile(), OrderQuery(PLACED, None, JAN_16, descending)),
            queries.unfinished_orders(Status.PLACED, descending=descending),
        ):
            assert_sorted_pages(listing, orders, by_placed)


def test_big_orders_of_one_total_or_a_cent_apart_page_exactly() -> None:
    """DynamoDB may return items with the same number in any order, but always in the same one. So pages agree."""
    totals = ["1000"] * 25 + [f"1000.{cents:02d}" for cents in range(1, 15)] + ["7", "999"]
    orders = [make_order(f"o-{n}", f"guest{n % 4}", total=total) for n, total in enumerate(totals)]
    store(orders)
    for descending in BOTH_WAYS:
        listing = queries.big_orders(ABC, descending=descending)
        streamed = list(listing.stream())
        assert [order.total for order in streamed] == sorted((order.total for order in orders[:39]), reverse=descending)
        assert set(ids(streamed)) == set(ids(orders[:39]))
        assert_pages(listing, ids(streamed))


def test_guests_by_name() -> None:
    names = [f"guest{n:03d}" for n in range(35)]
    commands.add_missing_guests([make_guest(name) for name in [*names, *UNICODE]])
    assert_pages(queries.guests_found(words("guest01")), names[10:20])
    for descending in BOTH_WAYS:
        everybody = sorted([*names, *UNICODE], reverse=descending)
        assert_pages(queries.guests(descending=descending), everybody)


# --- Usernames ------------------------------------------------------------------------------------------


def test_any_username_has_its_orders_and_is_found() -> None:
    orders = {
        username: [
            make_order(f"o-{at}-{n:02d}", username, placed_at=AT + n * SECOND, total=1000 + 9 * n + at)
            for n in range(11)
        ]
        for at, username in enumerate(UNICODE)
    }
    everybody = [order for of_one in orders.values() for order in of_one]
    store([*everybody, make_order("other", "zo", total=5000)])
    for at, username in enumerate(UNICODE):
        assert keys.is_username(username)
        assert keys.username(username) == username
        guest = profile(username)
        assert guest.orders[PLACED] == 11
        for listing in (queries.guest_orders(guest), queries.guest_orders(guest, OrderQuery(PLACED))):
            assert_sorted_pages(listing, orders[username], by_placed)
        assert queries.order(f"o-{at}-05").username == username
        assert username in ids(queries.guests_found(words(username[:2])).stream())
    assert {row.username for row in queries.unfinished_orders(Status.PLACED).stream()} == {*UNICODE, "zo"}
    assert ids(queries.big_orders(ABC).stream()) == [
        "other",
        *ids(sorted(everybody, key=lambda order: order.total, reverse=True)),
    ]
    assert_orders_in_step()


def test_one_person_has_one_username_however_it_is_typed() -> None:
    for typed in ("Zoë", " ZOE\u0308 ", "zoe\u0308", "Ｚｏë"):
        assert keys.username(typed) == "zoë"


# --- Cursors --------------------------------------------------------------------------------------------


def every_list(alex: Guest, bea: Guest) -> list[Listing[Any]]:
    """Different lists, each with more than ten rows."""
    of_a_guest = [
        queries.guest_orders(guest, OrderQuery(status, first, before, descending))
        for guest, descending in product((alex, bea), (True, False))
        for status, first, before in (
            (None, None, None),
            (None, JAN_15, None),
            (None, None, JAN_16),
            (PLACED, None, None),
            (SHIPPED, None, None),
            (SHIPPED, JAN_15, None),
            (SHIPPED, None, JAN_16),
            (SHIPPED, JAN_15, JAN_16),
        )
    ]
    of_all: list[Listing[Any]] = [
        queries.unfinished_orders(status, hotels, descending=descending)
        for status, hotels, descending in product((None, PLACED), (None, (ABC,), (ABC, "xyz")), (True, False))
    ]
    of_all += [
        queries.hotel_orders(hotel, OrderQuery(status, first, None, descending))
        for hotel, status, first, descending in product((ABC, "xyz"), (None, PLACED), (None, JAN_15), (True, False))
    ]
    big = [queries.big_orders(hotel, descending=descending) for hotel in (ABC, "xyz") for descending in (True, False)]
    guests = [queries.guests(descending=descending) for descending in (True, False)]
    return [*of_a_guest, *of_all, *big, *guests, queries.guests_found(words("g"))]


def test_a_cursor_is_refused_by_every_other_list_and_page_size() -> None:
    store(
        [
            make_order(f"{name}-{status}-{n:02d}", name, status, total=1000, hotel_id=ABC if n % 2 else "xyz")
            for name in ("alex", "bea")
            for status in (PLACED, SHIPPED)
            for n in range(12)
        ]
    )
    commands.add_missing_guests([make_guest(f"g{n:02d}") for n in range(11)])
    listings = every_list(profile("alex"), profile("bea"))
    for number, listing in enumerate(listings):
        page, _ = read(listing)
        for cursor in (page.next, page.last):
            assert cursor
            assert len(read_page(listing, 10, cursor).rows) > 0
            for size in (25, 50, 100):
                with pytest.raises(BadCursor):
                    read_page(listing, size, cursor)
            for other in listings[:number] + listings[number + 1 :]:
                with pytest.raises(BadCursor):
                    read_page(other, 10, cursor)


def test_a_cursor_serves_although_its_order_has_left_the_list() -> None:
    store([make_order(f"o-{n:02d}", placed_at=AT + n * SECOND) for n in range(25)])
    for listing in (
        queries.unfinished_orders(Status.PLACED, descending=False),
        queries.guest_orders(profile(), OrderQuery(PLACED, descending=False)),
    ):
        edge, following = (9, 10) if "unfinished" in listing.name else (11, 12)
        first, _ = read(listing)
        for gone in (edge, following):
            commands.take_step(queries.order(f"o-{gone:02d}"), Status.CANCELLED, "alice")
        second, _ = read(listing, cursor=first.next)
        assert ids(second.rows)[0] == f"o-{following + 1:02d}"
        assert ids(second.rows) == [f"o-{n:02d}" for n in range(following + 1, min(following + 11, 25))]
