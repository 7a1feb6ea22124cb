"""A7 and A10: unfinished orders of the group and of hotels, and a hotel's orders by day and status."""

import json
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from decimal import Decimal
from functools import partial
from itertools import product
from typing import Any

import pytest
from django.core.management import call_command
from hypothesis import given, settings
from hypothesis import strategies as st

from hotelapp.dynamodb.connection.client import client
from hotelapp.dynamodb.connection.errors import BadCursor, Unavailable
from hotelapp.dynamodb.reading.lists import Listing
from hotelapp.dynamodb.reading.pages import read_page
from hotelapp.dynamodb.schema.keys import HIGHEST
from orders import commands, keys, models, queries
from orders.entities import Order, OrderQuery
from orders.statuses import STEPS, UNFINISHED, Status
from tests.helpers import contents
from tests.helpers.answers import answering, cancelled
from tests.helpers.examples import examples
from tests.helpers.orders import (
    AT,
    all_items,
    assert_orders_in_step,
    assert_pages,
    at_once,
    by_entered,
    by_placed,
    ids,
    make_order,
    orders_of_all_statuses,
    read,
    store,
    stored,
)
from tests.helpers.rooms import ABC

pytestmark = pytest.mark.usefixtures("empty_tables")
PLACED, PROCESSING, SHIPPED, DELIVERED, CANCELLED = Status
HOTELS = (ABC, "ab", "海")
DAY, SECOND = timedelta(days=1), timedelta(seconds=1)
JAN_15, JAN_17 = date(2023, 1, 15), date(2023, 1, 17)
days = st.sampled_from([(None, None), (JAN_15, None), (None, JAN_17), (date(2023, 1, 16), JAN_17)])


def sorted_ids(orders: Sequence[Order], key: Callable[[Order], Any], descending: bool) -> list[str]:
    return ids(sorted(orders, key=key, reverse=descending))


# --- Against plain Python -------------------------------------------------------------------------------


@st.composite
def order_lists(draw: st.DrawFn) -> list[Order]:
    """Orders of a few hotels within a few days. Many of them share a time."""
    facts = st.tuples(
        st.sampled_from(list(Status)), st.sampled_from(HOTELS), st.integers(0, 6), st.integers(0, 4), st.booleans()
    )
    drawn = draw(st.lists(facts, min_size=draw(st.sampled_from([0, 25])), max_size=50))
    return [
        make_order(
            f"o-{n * 37 % 101:03d}",
            "alex" if hers else "bea",
            status,
            AT + placed * DAY / 2,
            AT + placed * DAY / 2 + (status != PLACED) * later * DAY,
            hotel_id=hotel,
        )
        for n, (status, hotel, placed, later, hers) in enumerate(drawn)
    ]


def moved_on(orders: Sequence[Order], data: st.DataObject) -> list[Order]:
    """The orders after some of them have taken random steps."""
    now = {order.order_id: order for order in orders}
    for order_id in data.draw(st.lists(st.sampled_from(ids(orders)), max_size=12)) if orders else ():
        if steps := STEPS[now[order_id].status]:
            now[order_id] = commands.take_step(now[order_id], data.draw(st.sampled_from(steps)), "alice")
    return list(now.values())


@settings(max_examples=examples(5))
@given(st.data())
def test_every_work_list_is_what_plain_python_gives(data: st.DataObject) -> None:
    contents.empty()
    orders = data.draw(order_lists())
    store(orders)
    orders = moved_on(orders, data)
    assert_orders_in_step()
    hotel_sets = (None, (), *((hotel,) for hotel in HOTELS), HOTELS[:2])
    for descending, status in product((True, False), (None, *Status)):
        hotels = data.draw(st.sampled_from(hotel_sets))
        wanted = [
            order
            for order in orders
            if order.status in (UNFINISHED if status is None else {status} & {*UNFINISHED})
            and (hotels is None or order.hotel_id in hotels)
        ]
        listing = queries.unfinished_orders(status, hotels, descending=descending)
        assert_pages(listing, sorted_ids(wanted, by_placed, descending))
        hotel = data.draw(st.sampled_from(HOTELS))
        assert_hotel_orders([o for o in orders if o.hotel_id == hotel], hotel, status, descending, data.draw(days))


def assert_hotel_orders(
    orders: Sequence[Order], hotel: str, status: Status | None, descending: bool, on: tuple[date | None, date | None]
) -> None:
    first, before = on
    key = by_entered if status else by_placed
    wanted = [
        order
        for order in orders
        if status in {None, order.status}
        and (first is None or key(order)[0].date() >= first)
        and (before is None or key(order)[0].date() < before)
    ]
    listing = queries.hotel_orders(hotel, OrderQuery(status, first, before, descending))
    assert_pages(listing, sorted_ids(wanted, key, descending))


# --- Requests -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "index", "name"),
    [(None, "unfinished", "UNFINISHED"), *((status, "open-orders", str(status)) for status in UNFINISHED)],
)
def test_a7_unfinished_orders_of_everyone_come_from_eight_shards(status: Status | None, index: str, name: str) -> None:
    store(orders_of_all_statuses(120))
    _, calls = read(queries.unfinished_orders(status), 25)
    first = calls.calls[:8]
    attribute = "placed_shard" if status else "unfinished_shard"
    assert sorted(call.key_condition for call in first) == [
        f"({attribute} = '{name}#{shard}' AND placed_id BETWEEN '0' AND '{HIGHEST}')" for shard in range(8)
    ]
    assert {(call.operation, call.index, call.filter) for call in calls.calls} == {("Query", index, "")}
    assert calls.requests <= 10
    assert calls.read_units <= 5


def test_a7_a_page_keeps_its_bound_when_its_rows_are_all_in_one_shard() -> None:
    in_one = [name for name in (f"o-{n}" for n in range(900)) if keys.shard(name, 8) == 3]
    assert len(in_one) > 60
    store([make_order(name, status=PROCESSING, placed_at=AT + n * SECOND) for n, name in enumerate(in_one)])
    for listing in (queries.unfinished_orders(), queries.unfinished_orders(PROCESSING)):
        page, calls = read(listing, 25)
        assert len(page.rows) == 25
        assert calls.requests <= 10
        assert calls.read_units <= 5


def test_a7_of_a_hotel_is_one_request_for_each_status() -> None:
    store([*orders_of_all_statuses(60), *(make_order(f"x-{n}", hotel_id="ab") for n in range(30))])
    _, calls = read(queries.unfinished_orders(None, [ABC]), 10)
    assert sorted(call.key_condition.split(" AND ")[0] for call in calls.calls) == [
        f"(unfinished_hotel = 'abc#{status}'" for status in sorted(UNFINISHED)
    ]
    assert (calls.requests, calls.read_units) == (3, Decimal("1.5"))
    _, calls = read(queries.unfinished_orders(SHIPPED, [ABC]), 10)
    assert [call.index for call in calls.calls] == ["hotel-unfinished"]


@pytest.mark.parametrize(
    ("query", "index", "low", "high"),
    [
        (OrderQuery(), "by-hotel", "0", HIGHEST),
        (OrderQuery(None, JAN_15, JAN_17), "by-hotel", "2023-01-15", "2023-01-17"),
        (OrderQuery(PLACED), "by-hotel-status", "PLACED#", f"PLACED#{HIGHEST}"),
        (OrderQuery(SHIPPED, JAN_15, JAN_17), "by-hotel-status", "SHIPPED#2023-01-15", "SHIPPED#2023-01-17"),
    ],
)
def test_a10_is_one_range_of_the_hotels_partition(query: OrderQuery, index: str, low: str, high: str) -> None:
    store(orders_of_all_statuses(60))
    page, calls = read(queries.hotel_orders(ABC, query))
    (call,) = calls.calls
    assert (call.index, call.filter) == (index, "")
    assert call.key_condition.startswith("(hotel_id = 'abc' AND ")
    assert call.key_condition.endswith(f"BETWEEN '{low}' AND '{high}')")
    assert call.items_read == call.items_returned <= 11


def test_a_cursor_is_refused_by_every_other_work_list() -> None:
    store([make_order(f"o-{n}", status=UNFINISHED[n % 3], hotel_id=HOTELS[n // 3 % 2]) for n in range(90)])
    listings: list[Listing[Order]] = [
        queries.unfinished_orders(status, hotels, descending=descending)
        for status in (None, *UNFINISHED)
        for hotels in (None, (ABC,), ("ab",), HOTELS[:2])
        for descending in (True, False)
    ]
    listings += [
        queries.hotel_orders(hotel, OrderQuery(status, first, None, descending))
        for hotel in HOTELS[:2]
        for status in (None, *UNFINISHED)
        for first in (None, JAN_15)
        for descending in (True, False)
    ]
    cursors = [read(listing)[0].next for listing in listings]
    assert all(cursors)
    for (number, listing), (other, cursor) in product(enumerate(listings), enumerate(cursors)):
        if number == other:
            assert read_page(listing, 10, cursor or "").rows
            continue
        with pytest.raises(BadCursor):
            read_page(listing, 10, cursor or "")


# --- Steps ----------------------------------------------------------------------------------------------


def lists_with(order_id: str = "o-1") -> set[str]:
    """The lists that have the order, by name."""
    lists = {"all": queries.unfinished_orders(), "all of the hotel": queries.unfinished_orders(None, [ABC])}
    for status in Status:
        lists |= {
            status: queries.unfinished_orders(status),
            f"{status} of abc": queries.unfinished_orders(status, [ABC]),
        }
    return {name for name, listing in lists.items() if order_id in ids(listing.stream())}


def test_an_order_goes_from_list_to_list_until_it_is_finished() -> None:
    store([make_order()])
    for status in (PROCESSING, SHIPPED):
        assert lists_with() == {"all", "all of the hotel", stored().status, f"{stored().status} of abc"}
        commands.take_step(stored(), status, "alice")
    commands.take_step(stored(), DELIVERED, "alice")
    assert lists_with() == set()


@pytest.mark.parametrize("status", [PLACED, PROCESSING])
def test_a_cancelled_order_is_in_no_work_list(status: Status) -> None:
    store([make_order(status=status)])
    commands.take_step(stored(), CANCELLED, "alice")
    assert lists_with() == set()


def test_a_file_moves_an_order_on_to_its_list() -> None:
    store([make_order()])
    assert commands.save_orders([make_order(status=SHIPPED, status_at=AT + DAY)]) == (1, {})
    assert lists_with() == {"all", "all of the hotel", "SHIPPED", "SHIPPED of abc"}


def test_of_two_steps_at_once_one_decides_on_the_lists() -> None:
    store([make_order(f"o-{n}", status=PROCESSING) for n in range(3)])
    for n in range(3):
        seen = stored(f"o-{n}")
        steps: list[Callable[[], Order]] = [
            partial(commands.take_step, seen, to, f"{to}") for to in (SHIPPED, CANCELLED)
        ]
        at_once(steps * 3)
        status = stored(f"o-{n}").status
        expected = {"all", "all of the hotel", "SHIPPED", "SHIPPED of abc"} if status == SHIPPED else set()
        assert lists_with(f"o-{n}") == expected
    assert_orders_in_step()


def test_a_step_that_fails_half_way_leaves_the_lists_as_they_were() -> None:
    store([make_order()])
    before = list(all_items())
    with answering(lambda **_: cancelled("ValidationError")), pytest.raises(Unavailable):
        commands.take_step(stored(), PROCESSING, "alice")
    assert list(all_items()) == before
    assert lists_with() == {"all", "all of the hotel", "PLACED", "PLACED of abc"}


# --- Orders of the release before -----------------------------------------------------------------------


def as_before() -> None:
    """Give every order the form of version 1: only orders that are PLACED have keys of a sparse index."""
    for item in all_items():
        if item["kind"]["S"] == "order":
            old = {name: value for name, value in item.items() if name not in {"unfinished_shard", "unfinished_hotel"}}
            if item["status"]["S"] != PLACED:
                old = {name: value for name, value in old.items() if name not in {"placed_shard", "placed_id"}}
            client().put_item(TableName=models.TABLE, Item={**old, "version": {"N": "1"}})


def table_contents() -> list[str]:
    return sorted(json.dumps(item, sort_keys=True) for item in all_items())


def test_upgrade_items_brings_orders_into_the_work_lists() -> None:
    orders = orders_of_all_statuses(25)
    store(orders)
    before = table_contents()
    as_before()
    assert list(queries.unfinished_orders().stream()) == []
    assert {order.status for order in queries.open_orders().stream()} == {PLACED}
    call_command("upgrade_items", verbosity=0)
    assert {order.status for order in queries.unfinished_orders().stream()} == {*UNFINISHED}
    assert_orders_in_step()
    assert table_contents() == before


def test_an_order_of_the_release_before_takes_a_step() -> None:
    store([make_order(), make_order("o-2", status=SHIPPED)])
    as_before()
    commands.take_step(stored(), PROCESSING, "alice")
    commands.take_step(stored("o-2"), DELIVERED, "alice")
    assert lists_with() == {"all", "all of the hotel", "PROCESSING", "PROCESSING of abc"}
    assert lists_with("o-2") == set()
    call_command("upgrade_items", verbosity=0)
    assert_orders_in_step()
