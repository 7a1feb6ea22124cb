"""A10g: orders of many hotels, read from an index of keys, against plain Python."""

import csv
from collections.abc import Collection, Iterator, Mapping
from datetime import date, timedelta
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamodb_lists import EVER, Days, Listing, Page, Query, read_page
from dynamodb_lists.planning import ways
from dynamodb_lists.tests.helpers.examples import examples
from dynamodb_lists.tests.helpers.paging import NEXT, PREVIOUS, follow, linked
from hotels import queries as hotel_queries
from hotels.commands import save_hotels
from hotels.entities import Hotel
from orders import commands, queries
from orders.entities import Order
from orders.lists import SHARDS
from orders.statuses import Status
from portal import shards
from portal.people import HotelScope
from portal.shards import Shards
from portal.times import midnight
from tests.helpers import contents
from tests.helpers.faults import verify
from tests.helpers.markup import get
from tests.helpers.orders import (
    AT,
    assert_orders_in_step,
    by_entered,
    by_placed,
    dated,
    ids,
    make_order,
    read,
    store,
)
from tests.helpers.people import bind

pytestmark = pytest.mark.usefixtures("empty_tables")
HOTELS = [f"h-{n:02}" for n in range(12)]
ZONES = dict(zip(HOTELS, ["Asia/Tokyo", "Europe/Paris", "America/New_York"] * 4, strict=True))
DAYS = [date(2023, 1, day) for day in range(14, 19)]
ORDERS = [
    make_order(
        f"o-{n * 7 % 90:03}",
        f"guest-{n % 5}",
        status=[*Status][n % 5],
        placed_at=AT + timedelta(hours=n // 3),
        status_at=AT + timedelta(hours=n // 3 + (n % 5 and 9 - n // 10)),
        hotel_id=HOTELS[n * n % 12],
    )
    for n in range(90)
]
"""Orders of a day and a half, three of them in each second that has any, in two shards."""


def fill() -> None:
    """The hotels and orders. The later orders are in two shards."""
    save_hotels([Hotel(hotel_id, f"Hotel {hotel_id}", time_zone=zone) for hotel_id, zone in ZONES.items()])
    store(ORDERS[:40])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shards, "WAIT_SECONDS", 0)
        assert [*SHARDS.raise_to(2)] == [Shards(2, 1), Shards(2, 2)]
    cache.clear()
    store(ORDERS[40:])


@pytest.fixture
def filling() -> Iterator[contents.Fill]:
    yield fill
    cache.clear()  # it has the number of shards


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few hotels are merged, so that the twelve are many."""
    monkeypatch.setattr(ways, "MOST_PARTS", 4)
    monkeypatch.setattr(queries, "MOST_MERGED", 4)


# --- Lists against plain Python -------------------------------------------------------------------------


def spans_of(hotel_ids: Collection[str], first: date | None, before: date | None) -> dict[str, Days]:
    """When the days begin and end in each hotel."""
    zones = {hotel_id: ZONES[hotel_id] for hotel_id in hotel_ids}
    return {
        hotel_id: (first and midnight(first, zone), before and midnight(before, zone))
        for hotel_id, zone in zones.items()
    }


def expected(
    status: Status | None = None,
    days: Days | Mapping[str, Days] = EVER,
    hotel_ids: Collection[str] | None = None,
    *,
    descending: bool = True,
) -> list[str]:
    """Return the ids of the orders in a list."""

    def wanted(order: Order) -> bool:
        first, before = days.get(order.hotel_id, EVER) if isinstance(days, Mapping) else days
        at = order.status_at if status else order.placed_at
        on_days = (first is None or first <= at) and (before is None or at < before)
        mine = hotel_ids is None or order.hotel_id in hotel_ids
        return mine and on_days and status in {None, order.status}

    key = by_entered if status else by_placed
    return ids(sorted(filter(wanted, ORDERS), key=key, reverse=descending))


def asked(
    status: Status | None = None,
    days: Days | Mapping[str, Days] = EVER,
    hotel_ids: Collection[str] | None = None,
    *,
    descending: bool = True,
) -> Query[Order]:
    """Return the query of such a list."""
    found = HotelScope(None if hotel_ids is None else frozenset(hotel_ids)).of(queries.orders_in(status))
    return dated(found, days, status, descending=descending)


def walked(listing: Listing[Order], size: int) -> tuple[list[str], list[str], bool]:
    """Return the ids on all pages from the first, and from the last; and whether a page ended early."""
    turn = partial(read_page, listing, size)
    on: list[Page[Order]] = [*follow(turn(), NEXT, turn)]
    back: list[Page[Order]] = [*follow(turn(on[0].last or ""), PREVIOUS, turn)]
    forward = [order_id for page in on for order_id in ids(page.rows)]
    backward = [order_id for page in back[::-1] for order_id in ids(page.rows)]
    return forward, backward, any(page.stopped for page in [*on, *back])


days = st.sampled_from([(None, None), *((first, before) for first in DAYS for before in DAYS if first < before)])
some_hotels = st.none() | st.sets(st.sampled_from(HOTELS))


@settings(max_examples=examples(10))
@given(
    st.sampled_from([None, *Status]),
    days,
    some_hotels,
    st.booleans(),
    st.sampled_from([10, 25, 50]),
    st.sampled_from(["", "whole", "dear"]),
)
def test_orders_of_any_hotels_are_all_reached_both_ways(
    status: Status | None,
    between: tuple[date | None, date | None],
    hotel_ids: set[str] | None,
    descending: bool,
    size: int,
    read_as: str,
) -> None:
    """The days are those of each hotel. The rest of a dear page is merged from its hotels."""
    spans = spans_of(HOTELS if hotel_ids is None else hotel_ids, *between)
    query = asked(status, spans, hotel_ids, descending=descending)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(queries, "DEAR", 0 if read_as == "dear" else queries.DEAR)
        listing = queries.orders_of_hotels(query, spans, status, whole=read_as == "whole")
    wanted = expected(status, spans, hotel_ids, descending=descending)
    forward, backward, _ = walked(listing, size)
    assert forward == wanted
    assert backward[-len(wanted) or None :] == wanted
    assert ids(listing.stream()) == wanted
    for way in listing.grounds.candidates():
        other = way.listing()
        assert other
        assert ids(read_page(other, size).rows) == wanted[:size], way.name


@settings(max_examples=examples(10))
@given(st.sampled_from([None, *Status]), days, some_hotels, st.booleans(), st.sampled_from([90, 0.5]))
def test_a_page_of_many_hotels_ends_early_rather_than_read_on(
    status: Status | None,
    between: tuple[date | None, date | None],
    hotel_ids: set[str] | None,
    descending: bool,
    most: float,
) -> None:
    """A page that names too many hotels merges none of them, and its days are those of one time zone."""
    first, before = (each and midnight(each, "Europe/Paris") for each in between)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(queries, "MOST_UNITS", most)
        many = hotel_ids and len(hotel_ids) > 2 and hotel_ids
        query = asked(status, (first, before), many or None, descending=descending)
        listing = queries.orders_of_hotels(query, HOTELS[:2], status, known=False)
        wanted = expected(status, (first, before), many or None, descending=descending)
        forward, backward, stopped = walked(listing, 25)
        assert forward == wanted
        assert backward[-len(wanted) or None :] == wanted
        assert ids(listing.stream()) == wanted
        assert not stopped or most < 90


# --- Costs ----------------------------------------------------------------------------------------------


def test_hotels_are_merged_when_what_belongs_to_others_has_cost_as_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "DEAR", 0)
    few = [f"h-{n:02}" for n in (2, 3, 5, 6, 7)]
    assert not expected(hotel_ids=few)
    page, calls = read(queries.orders_of_hotels(asked(hotel_ids=few), few), 25)
    assert not page.stopped
    assert (calls.requests, calls.waves) == (2 + len(few), 2), "two shards are read once"


# --- Keys -----------------------------------------------------------------------------------------------


def test_an_order_keeps_its_place_in_time_when_it_takes_a_step() -> None:
    moving = next(order for order in ORDERS if order.status == Status.PLACED)
    commands.take_step(moving, Status.PROCESSING, "alice")
    everything = queries.orders_of_hotels(asked(), HOTELS)
    assert ids(everything.stream()) == expected()
    (row,) = (row for row in read_page(everything, 100).rows if row.order_id == moving.order_id)
    assert row.status == Status.PROCESSING
    processing = Status.PROCESSING
    newest = read_page(queries.orders_of_hotels(asked(processing), HOTELS, processing), 10).rows[0]
    assert newest.order_id == moving.order_id
    assert_orders_in_step()
    assert verify() == ("", True)


# --- The page -------------------------------------------------------------------------------------------

GROUP = "/orders/"


def test_the_page_has_the_orders_of_every_hotel(staff: Client) -> None:
    page = get(staff, f"{GROUP}?page_size=10")
    assert page.rows == expected()[:10]
    shipped = get(staff, f"{GROUP}?page_size=10&status=SHIPPED&sort=date")
    assert shipped.rows == expected(Status.SHIPPED, descending=False)[:10]
    assert get(staff, f"{GROUP}?page_size=10").cost("waves") == 2
    answer: Any = staff.get(f"{GROUP}?format=csv")
    lines = b"".join(answer.streaming_content).decode()
    assert [row["order_id"] for row in csv.DictReader(lines.splitlines())] == expected()


def test_a_page_that_ended_early_says_so(staff: Client, alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hotel_queries, "MOST_SEEN", 2)
    monkeypatch.setattr(queries, "MOST_UNITS", 0.5)
    hotel_ids = HOTELS[2:5]
    bind(alice, *hotel_ids)
    assert "stopped early to stay quick" in get(staff, GROUP).text("#list")
    wanted = expected(hotel_ids=hotel_ids)
    pages = linked(get(staff, GROUP), lambda link: get(staff, GROUP + link))
    assert [row for page in pages for row in page.rows] == wanted
    assert "first 2 hotels" not in get(staff, GROUP).text("#list")
    assert "time zone of each hotel" not in get(staff, GROUP).text("#drop-days")
