"""Pages of rooms on the real engine, against sorting and filtering in plain Python, and what they cost."""

import uuid
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.ledger import Ledger
from dynamodb_lists.planning.selection import Selection
from dynamodb_lists.planning.waves import plan_wave
from dynamodb_lists.reading import fetching
from dynamodb_lists.reading.cursors import Cursor, Position, encode
from dynamodb_lists.reading.pages import Page, read_page
from dynamodb_lists.reading.ranges import Ranges
from dynamodb_lists.tests.helpers.examples import examples
from dynamodb_lists.tests.helpers.paging import NEXT, PREVIOUS, follow
from rooms import commands, keys, queries
from rooms.entities import Room, RoomQuery
from rooms.queries import lists
from tests.helpers.contents import Fill
from tests.helpers.rooms import ABC, expected, listed_rooms, make_hotel, make_room, order_of, rooms_page
from tests.helpers.strategies import room_lists, room_queries

pytestmark = pytest.mark.usefixtures("empty_tables")
Numbers = list[str]


@pytest.fixture(autouse=True, scope="module")
def usual_sizes() -> Iterator[None]:
    """Nothing is learned about the size of items, so that a page can be planned again after it was read."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fetching, "_learn", lambda *_: None)
        yield


def read(hotel_id: str, query: RoomQuery, cursor: str | None = "") -> tuple[Page[Room], Ledger]:
    with ledger.recording() as calls:
        page = rooms_page(hotel_id, replace(query, cursor=cursor or ""))
    return page, calls


def numbers(page: Page[Room]) -> Numbers:
    return [room.number for room in page.rows]


def walk(hotel_id: str, query: RoomQuery, *, back: bool = False) -> tuple[list[Numbers], str]:
    """All pages from the first to the last, or from the last to the first, and the index whose order they have."""
    asked_at = ""
    page, calls = read(hotel_id, query)
    index = listed_rooms(hotel_id, query).index
    if back and page.last:
        asked_at = page.last
        page, calls = read(hotel_id, query, asked_at)
    assert_cost(page, calls, foreseen(hotel_id, query, asked_at))

    def follow_link(cursor: str) -> Page[Room]:
        page, calls = read(hotel_id, query, cursor)
        assert page.rows, "a link led to an empty page"
        assert_cost(page, calls, foreseen(hotel_id, query, cursor))
        return page

    return [numbers(shown) for shown in follow(page, PREVIOUS if back else NEXT, follow_link)], index


class Foreseen(NamedTuple):
    """The cost of a page according to the plan: its requests, and the most items that they read."""

    requests: int
    items: int


def foreseen(hotel_id: str, query: RoomQuery, text: str) -> Foreseen:
    """The planned cost of the page at a cursor."""
    query = replace(query, cursor=text)
    listing = listed_rooms(hotel_id, query)
    if not isinstance(listing, Ranges):
        whole = lists.planned(lists.opened(hotel_id, query), query, queries.room_counts(hotel_id)).best
        return Foreseen(len(whole.ranges), sum(planned.items for planned in whole.ranges))
    cursor = listing.cursor
    backward = bool(cursor and cursor.backward)
    stretches = listing.stretches(cursor, ascending=listing.descending == backward)
    need, drops = query.page_size + 1, 0
    if cursor and cursor.position is None:
        need = ((listing.total or 1) - 1) % query.page_size + 2
    wave, rows = plan_wave(stretches, need), need
    for stretch, _ in wave:
        returned, dropped = stretch.outlook(need)
        need, drops = need - returned, drops + dropped
    return Foreseen(len(wave), rows + drops)


def assert_cost(page: Page[Room], calls: Ledger, plan: Foreseen) -> None:
    assert len(calls.of("counts")) == 1
    assert len(calls.of("list")) <= plan.requests
    assert calls.items_read("list") <= plan.items
    assert {call.operation for call in calls.of("list")} <= {"Query"}
    assert all("BETWEEN" in call.key_condition and not call.filter for call in calls.of("list"))


def ranks(page: Page[Room]) -> tuple[int | None, int, int | None]:
    return page.rank, len(page.rows), page.total


def drawn_hotel(data: st.DataObject, max_size: int = 90) -> tuple[str, list[Room], list[RoomQuery]]:
    """A stored hotel with random rooms, and two queries."""
    hotel_id = f"h{uuid.uuid4().hex[:8]}"
    rooms = [replace(room, hotel_id=hotel_id) for room in data.draw(room_lists(max_size))]
    make_hotel(rooms, hotel_id)
    return hotel_id, rooms, [data.draw(room_queries(rooms)) for _ in range(2)]


@settings(max_examples=examples(5))
@given(st.data())
def test_walking_and_streaming_give_what_plain_python_gives(data: st.DataObject) -> None:
    hotel_id, rooms, queries_of_rooms = drawn_hotel(data)
    for query in queries_of_rooms:
        pages, index = walk(hotel_id, query)
        model = expected(rooms, query.selection, order_of(index), query.descending)
        assert [number for page in pages for number in page] == model
        assert all(len(page) == query.page_size for page in pages[:-1])
        assert pages[-1] or not model
        backwards, _ = walk(hotel_id, query, back=True)
        assert backwards[::-1] == pages
        assert [room.number for room in queries.all_rooms(hotel_id, query)] == model


@settings(max_examples=examples(7))
@given(st.data())
def test_rooms_that_go_while_somebody_pages_cost_nobody_a_row(data: st.DataObject) -> None:
    """Rooms are deleted between two pages, even the one at the cursor. All others are shown once, in order."""
    hotel_id, _, (query, _) = drawn_hotel(data, max_size=50)
    query = replace(query, page_size=10)
    order = order_of_all(hotel_id, query)
    seen, gone = list[str](), set[str]()
    for page, _ in follow(read(hotel_id, query), lambda shown: shown[0].next, partial(read, hotel_id, query)):
        # if no rows are left beyond the cursor, it is the last page again
        seen += [number for number in numbers(page) if number not in seen]
        if not page.next:
            break
        for number in {seen[-1], *data.draw(st.sets(st.sampled_from(order), max_size=4))} - gone:
            commands.delete_room(queries.room(hotel_id, number), "alice")
            gone.add(number)
    assert seen == [number for number in order if number in seen]
    assert set(order) - gone <= set(seen)


def order_of_all(hotel_id: str, query: RoomQuery) -> Numbers:
    pages, _ = walk(hotel_id, query)
    return [number for page in pages for number in page]


SIXTY = [make_room(str(number)) for number in range(100, 160)]


def fill() -> None:
    make_hotel(SIXTY)


@pytest.fixture
def filling(request: pytest.FixtureRequest) -> Fill | None:
    """Only tests that ask for the sixty rooms have them."""
    return fill if "sixty" in request.fixturenames else None


@pytest.fixture
def sixty(empty_tables: None) -> list[Room]:
    """Sixty rooms of one kind: 100 to 159."""
    return SIXTY


def test_a_walk_stays_in_its_index_although_the_counts_now_favour_another() -> None:
    """Otherwise the order would change for the reader, and the cursor's position would have no meaning."""
    rooms = [make_room(f"{n:03d}", view=f"View {n % 3}", type=f"Type {n % 2}") for n in range(60)]
    make_hotel(rooms)
    query = RoomQuery(Selection({keys.TYPE: frozenset({"type-1"})}), sort="size", page_size=10)
    first, calls = read(ABC, query)
    index = calls.of("list")[0].index
    binding = f"rooms|{listed_rooms(ABC, query).selected}|10"
    other = next(name for name in ("lsi1", "lsi4", "lsi5") if name != index)
    there, table = (keys.room(rooms[1].facets, rooms[1].number, index) for index in (other, ""))
    position = Position(there, (table,))
    _, calls = read(ABC, query, encode(Cursor(position, False, 3, other), binding))
    assert {call.index for call in calls.of("list")} == {other}
    assert first.next


def test_a_single_value_in_each_facet_is_one_query_on_the_rooms(sixty: list[Room]) -> None:
    chosen = {facet: frozenset({part}) for facet, part in zip(keys.FACETS, sixty[0].facets, strict=True)}
    for facets in ([], ["view"], ["size"], ["type"], ["view", "size"], ["size", "type"], ["view", "size", "type"]):
        for sort, then in (("", ""), ("size", ""), ("size", "type"), ("view", "size"), ("type", "view")):
            query = RoomQuery(Selection({facet: chosen[facet] for facet in facets}), sort, then)
            _, calls = read(ABC, query)
            assert [call.purpose for call in calls.calls] == ["counts", "list"]
            assert calls.items_read("list") == 26


def test_requests_of_one_page_are_sized_to_what_it_needs() -> None:
    """Five runs of ten rooms with wide gaps: a page of 25 asks the first three, and reads 26 items."""
    rooms = [
        make_room(f"{view}{n:02d}", view=f"View {view}") for view in range(10) for n in range(10 if view % 2 else 40)
    ]
    make_hotel(rooms)
    odd = frozenset(f"view-{view}" for view in range(1, 10, 2))
    query = RoomQuery(Selection({keys.VIEW: odd}), page_size=25)
    page, calls = read(ABC, query)
    assert sorted(call.items_read for call in calls.of("list")) == [6, 10, 10]
    page, calls = read(ABC, query, page.next)
    assert sum(call.items_read for call in calls.of("list")) == 25
    assert page.next is None


def test_small_gaps_are_read_and_dropped_in_one_request() -> None:
    rooms = [make_room(f"{view}{n}", view=f"View {view}") for view in range(9) for n in range(3)]
    make_hotel(rooms)
    even = frozenset(f"view-{view}" for view in range(0, 9, 2))
    page, calls = read(ABC, RoomQuery(Selection({keys.VIEW: even}), page_size=10))
    assert [call.items_read for call in calls.of("list")] == [20]
    assert {room.view for room in page.rows} == {"View 0", "View 2", "View 4", "View 6"}


def test_an_impossible_selection_asks_for_no_rooms(sixty: list[Room]) -> None:
    page, calls = read(ABC, RoomQuery(Selection(bounds={keys.SIZE: ("0041m", "0050m")})))
    assert ranks(page) == (0, 0, 0)
    assert [call.purpose for call in calls.calls] == ["counts"]


def test_rooms_by_number_page_forward_and_back() -> None:
    make_hotel([make_room(str(number)) for number in range(1, 120)])
    listing = queries.rooms(ABC, RoomQuery(number="1", page_size=10), queries.room_counts(ABC))
    page = read_page(listing, 10)
    pages = list(follow(page, NEXT, partial(read_page, listing, 10)))
    wanted = [str(n) for n in range(1, 120) if str(n)[0] == "1"]
    assert [number for page in pages for number in numbers(page)] == wanted
    back = list(follow(pages[-1], PREVIOUS, partial(read_page, listing, 10)))
    assert [page.rows for page in reversed(back)] == [page.rows for page in pages]
