"""Counts that are wrong hide no room: pages compare them with what they have, and read without them."""

import logging
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamodb_lists.planning.selection import FacetCounts, Selection
from dynamodb_lists.reading.pages import Page, read_page
from dynamodb_lists.tests.helpers.examples import examples
from rooms import keys, queries
from rooms.entities import Room, RoomQuery
from rooms.keys import RoomFacets
from rooms.statuses import Housekeeping
from tests.helpers.contents import Fill
from tests.helpers.rooms import ABC, expected, make_hotel, make_room, order_of
from tests.helpers.strategies import room_queries

pytestmark = pytest.mark.usefixtures("empty_tables")
ROOMS = [make_room(str(n), ("Sea", "City", "Garden")[n % 3], (20, 40)[n % 2], ("A", "B")[n % 5 < 1]) for n in range(53)]


@pytest.fixture
def filling() -> Fill:
    return lambda: make_hotel(ROOMS)


def walk(query: RoomQuery, counts: Mapping[RoomFacets, int], *, back: bool = False) -> tuple[list[Page[Room]], str]:
    """All pages of a list that is read with these counts, and the index whose order they have."""
    wrong = replace(queries.room_counts(ABC), counts=FacetCounts(keys.FACETS, counts), rooms=len(ROOMS))
    index = queries.rooms(ABC, query, wrong).index
    page = read_page(queries.rooms(ABC, query, wrong), query.page_size)
    pages = [page]
    if back and page.last:
        pages = [read_page(queries.rooms(ABC, replace(query, cursor=page.last), wrong), query.page_size)]
    while cursor := pages[-1].previous if back else pages[-1].next:
        pages.append(read_page(queries.rooms(ABC, replace(query, cursor=cursor), wrong), query.page_size))
        assert len(pages) <= len(ROOMS)
    return pages[::-1] if back else pages, index


def numbers(pages: list[Page[Room]]) -> list[str]:
    return [room.number for page in pages for room in page.rows]


@settings(max_examples=examples(10))
@given(st.data())
def test_every_row_is_reached_where_the_sum_of_the_counts_is_wrong(data: st.DataObject) -> None:
    counts = queries.room_counts(ABC).counts
    wrong = {facets: data.draw(st.sampled_from([n, n, 0, 1, 30])) for facets, n in counts.items()}
    if sum(wrong.values()) == len(ROOMS):
        wrong[next(iter(wrong))] += 1
    query = replace(data.draw(room_queries(ROOMS)), page_size=10)
    for back in (False, True):
        pages, index = walk(query, wrong, back=back)
        model = expected(ROOMS, query.selection, order_of(index), query.descending)
        assert numbers(pages)[-len(model) or len(ROOMS) :] == model
        assert {page.total for page in pages} == {len(model)}
        assert all(page.counts_differ for page in pages)


@pytest.mark.parametrize("sort", ["size", "view", "rate", "number"])
def test_a_range_that_holds_more_or_fewer_rooms_than_foreseen_is_noticed(
    sort: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The sum is right: one combination has lost its rooms to another one."""
    counts = dict(queries.room_counts(ABC).counts)
    gone, more = keys.facets("Sea", 20, "A"), keys.facets("City", 20, "A")
    counts[gone], counts[more] = 0, counts[more] + counts[gone]
    one = {keys.VIEW: frozenset({"sea"}), keys.SIZE: frozenset({"0020m"}), keys.TYPE: frozenset({"a"})}
    for selection in (Selection({keys.VIEW: one[keys.VIEW]}), Selection(one)):
        with caplog.at_level(logging.WARNING):
            pages, index = walk(RoomQuery(selection, sort, page_size=50), counts)
        wanted = [room.number for room in ROOMS if selection.allows(keys.FACETS, room.facets)]
        assert sorted(numbers(pages)) == sorted(wanted)
        assert (pages[0].total, pages[0].counts_differ) == (len(wanted), True)
    assert "Run verify_data" in caplog.text
    assert (index == keys.BY_RATE) == (sort == "rate")


@pytest.mark.parametrize("sort", keys.FACETS)
def test_without_any_count_a_list_keeps_its_sort(sort: str) -> None:
    for descending in (False, True):
        clean = RoomQuery(statuses=frozenset({Housekeeping.CLEAN}), sort=sort, descending=descending, page_size=10)
        pages, index = walk(clean, {})
        assert numbers(pages) == expected(ROOMS, Selection(), order_of(index), descending)
        assert order_of(index)[0] == sort


def test_right_counts_are_trusted() -> None:
    pages, _ = walk(RoomQuery(Selection({keys.VIEW: frozenset({"sea"})})), queries.room_counts(ABC).counts)
    assert (pages[0].total, pages[0].counts_differ) == (18, False)
