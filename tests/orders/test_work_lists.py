"""A7 and A10: unfinished orders of the group and of hotels, and a hotel's orders by day and status."""

import json
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from functools import partial
from io import StringIO
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamodb_lists.connection.client import client
from dynamodb_lists.connection.errors import BadCursor, Conflict, Unavailable
from dynamodb_lists.reading.lists import Listing
from dynamodb_lists.reading.pages import read_page
from orders import commands, keys, models, queries
from orders.entities import Order, OrderQuery, OrderShards
from orders.statuses import STEPS, UNFINISHED, Status
from tests.helpers import contents, dynamodb_local
from tests.helpers.answers import answering, cancelled
from tests.helpers.examples import examples
from tests.helpers.faults import verify
from tests.helpers.orders import (
    AT,
    all_items,
    assert_orders_in_step,
    assert_pages,
    at_once,
    by_entered,
    by_placed,
    ids,
    make_guest,
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


@pytest.fixture
def raised(empty_tables: None, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Raises the number of shards, without the wait for other processes."""
    monkeypatch.setattr(commands.shards, "WAIT_SECONDS", 0)

    def to(number: int) -> None:
        call_command("order_shards", str(number), stdout=StringIO())
        cache.clear()

    return to


@pytest.mark.parametrize("in_status", [PLACED, None], ids=lambda status: f"all {status or 'statuses'}")
def test_a7_is_one_request_for_each_status_whatever_statuses_the_newest_have(in_status: Status | None) -> None:
    """What docs/scaling.md promises for 25 rows: at most four requests, three units and one wave."""
    store([make_order(f"{n:032d}", f"g{n:011d}", in_status or UNFINISHED[n % 3], AT + n * SECOND) for n in range(90)])
    queries.shards()
    page, calls = read(queries.unfinished_orders(), 25)
    assert (len(page.rows), calls.requests, calls.waves) == (25, 3, 1)
    assert calls.read_units <= 3


def test_a7_more_shards_are_a_setting_and_need_no_rebuild(raised: Callable[[int], None]) -> None:
    """Orders stay in the shards in which they are stored, and move at their next step."""
    before = [make_order(f"before-{n:02d}", status=UNFINISHED[n % 3], placed_at=AT + n * SECOND) for n in range(12)]
    store(before)
    raised(8)
    after = [make_order(f"o-{n:03d}", status=UNFINISHED[n % 3], placed_at=AT + n * SECOND) for n in range(48)]
    store(after)
    assert_orders_in_step()
    assert verify() == ("", True)
    shards = {order_id: shard.split("#") for order_id, shard in stored_shards().items()}
    assert {shards[order_id][1] for order_id in ids(before)} == {"0"}
    assert {shards[order_id][1] for order_id in ids(after)} == set("01234567")
    orders = [*before, *after]
    assert_pages(queries.unfinished_orders(), sorted_ids(orders, by_placed, True), 25)
    shipped = [order for order in orders if order.status == SHIPPED]
    assert_pages(queries.unfinished_orders(SHIPPED, descending=False), sorted_ids(shipped, by_placed, False))
    _, calls = read(queries.unfinished_orders(SHIPPED), 25)
    assert (calls.requests, calls.waves) == (8, 1)
    assert calls.read_units == 4 or dynamodb_local.wanted(), "an empty Query is free on DynamoDB Local"
    moving = next(order for order in before if order.status == PLACED and keys.shard(order.order_id, 8))
    commands.take_step(moving, PROCESSING, "alice")
    assert stored_shards()[moving.order_id] == f"PROCESSING#{keys.shard(moving.order_id, 8)}"


def stored_shards() -> dict[str, str]:
    return {item["order_id"]["S"]: item["status_shard"]["S"] for item in all_items() if "status_shard" in item}


def test_shards_are_read_before_any_process_writes_to_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process may know the numbers of a minute ago. The command may stop between its steps, and goes on."""
    waited: list[tuple[float, OrderShards]] = []
    sleep = lambda seconds: waited.append((seconds, queries.stored_shards()))  # noqa: E731
    monkeypatch.setattr(commands.shards, "time", SimpleNamespace(sleep=sleep))
    assert queries.stored_shards() == OrderShards(1, 1)
    steps = commands.raise_shards(4)
    assert next(steps) == queries.stored_shards() == OrderShards(4, 1)
    store([make_order("meanwhile")])
    assert lists_with("meanwhile") >= {"all", "PLACED"}
    assert list(commands.raise_shards(4)) == [OrderShards(4, 4)], "another run goes on"
    assert waited == [(120, OrderShards(4, 1))], "a process keeps the numbers for 60 seconds"
    assert list(commands.raise_shards(5)) == [OrderShards(5, 4), OrderShards(5, 5)]
    with pytest.raises(Conflict):
        next(steps)
    for smaller in (1, 3):
        with pytest.raises(CommandError, match="can only grow"):
            call_command("order_shards", str(smaller))
    out = StringIO()
    call_command("order_shards", stdout=out)
    assert out.getvalue() == "Each status of unfinished orders has 5 shards.\n"


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
            new = {"status_shard", "unfinished_hotel", "guest_name"}
            old = {name: value for name, value in item.items() if name not in new}
            if item["status"]["S"] == PLACED:
                old["placed_shard"] = {"S": "PLACED#7"}
            else:
                old.pop("placed_id", None)
            client().put_item(TableName=models.TABLE, Item={**old, "version": {"N": "1"}})


def table_contents() -> list[str]:
    return sorted(json.dumps(item, sort_keys=True) for item in all_items())


def test_upgrade_items_brings_orders_into_the_work_lists() -> None:
    commands.create_guest(make_guest(), "alice")
    store(orders_of_all_statuses(25))
    before = table_contents()
    as_before()
    assert list(queries.unfinished_orders().stream()) == []
    call_command("upgrade_items", verbosity=0)
    unfinished = list(queries.unfinished_orders().stream())
    assert {order.status for order in unfinished} == {*UNFINISHED}
    assert {order.guest_name for order in unfinished} == {"Alex Doe"}
    assert_orders_in_step()
    assert table_contents() == before


def test_an_order_of_the_release_before_takes_a_step() -> None:
    store([make_order(), make_order("o-2", status=SHIPPED)])
    as_before()
    commands.take_step(stored(), PROCESSING, "alice")
    commands.take_step(stored("o-2"), DELIVERED, "alice")
    assert lists_with() == {"all", "all of the hotel", "PROCESSING", "PROCESSING of abc"}
    assert lists_with("o-2") == set()
    (row,) = queries.listed_orders(list(queries.unfinished_orders().stream()))
    assert row.guest_name == "alex", "until the upgrade, the username"
    call_command("upgrade_items", verbosity=0)
    assert_orders_in_step()
