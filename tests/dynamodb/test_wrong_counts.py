"""The pager where counts are wrong: they hide no row that the ranges hold."""

import uuid
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hotelapp.dynamodb.reading.pages import Page, read_page
from hotelapp.dynamodb.reading.ranges import Ranges
from rooms import keys, queries
from rooms.entities import Room, RoomCounts, RoomQuery
from tests.helpers.examples import examples
from tests.helpers.rooms import expected, make_hotel, make_room, order_of
from tests.helpers.strategies import room_queries

pytestmark = pytest.mark.usefixtures("empty_tables")


def numbers(page: Page[Room]) -> list[str]:
    return [room.number for room in page.rows]


@st.composite
def wrong(draw: st.DrawFn, counts: RoomCounts) -> RoomCounts:
    """Wrong counts: some are wrong, all are wrong, or all are zero."""
    numbers = draw(st.sampled_from([[1], [1000], [0, 1, 30]]))
    right = draw(st.booleans())
    return replace(
        counts,
        counts={
            facets: draw(st.sampled_from([*numbers, n] if right else numbers)) for facets, n in counts.counts.items()
        },
    )


@settings(max_examples=examples(8))
@given(st.data())
def test_wrong_counts_hide_no_row_that_the_ranges_hold(data: st.DataObject) -> None:
    few = st.lists(st.tuples(st.sampled_from(["Sea", "City"]), st.sampled_from([20, 40])), min_size=5, max_size=45)
    hotel_id = f"h{uuid.uuid4().hex[:8]}"
    rooms = [make_room(str(n), view, size, hotel_id=hotel_id) for n, (view, size) in enumerate(data.draw(few))]
    make_hotel(rooms, hotel_id)
    for _ in range(3):
        query = replace(data.draw(room_queries(rooms)), page_size=10)
        counts = data.draw(wrong(queries.room_counts(hotel_id)))
        listing = queries.rooms(hotel_id, query, counts)
        assert isinstance(listing, Ranges)
        assert_every_row_is_reached(listing, rooms, query)


def assert_every_row_is_reached(listing: Ranges[Room], rooms: list[Room], query: RoomQuery) -> None:
    """Check that all rows come in order, forward and backward from the last page, without a loop."""
    model = [
        number
        for number in expected(rooms, query.selection, order_of(listing.index), query.descending)
        if in_ranges(listing, next(room for room in rooms if room.number == number))
    ]
    page = read_page(listing, 10)
    forwards = [numbers(page)]
    while page.next:
        page = read_page(listing, 10, page.next)
        assert page.previous
        forwards.append(numbers(page))
        assert len(forwards) <= len(model) // 10 + 2
    assert sum(forwards, []) == model
    assert_back_from_the_last(listing, model)


def in_ranges(listing: Ranges[Room], room: Room) -> bool:
    key = keys.room(room.facets, room.number, listing.index)
    return any(key in planned.keys for planned in listing.ranges)


def assert_back_from_the_last(listing: Ranges[Room], model: list[str]) -> None:
    """Check that each page ends before the one that links to it. Only the first page is full and may repeat rows."""
    last = read_page(listing, 10).last
    if not last:
        assert len(model) <= 10
        return
    page, end, steps = read_page(listing, 10, last), len(model), 0
    assert not page.next
    while True:
        shown = numbers(page)
        start = model.index(shown[0])
        assert shown == model[start : start + len(shown)]
        assert start + len(shown) == end or start == 0
        assert start + len(shown) >= end
        if not page.previous:
            break
        end, steps = start, steps + 1
        assert steps <= len(model) // 10 + 2
        page = read_page(listing, 10, page.previous)
    assert start == 0
