"""The planner of ranges: its plans are complete, in the right order, and right about what they read."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamodb_lists.planning import range_planner
from dynamodb_lists.planning.range_planner import FacetIndex, Plan
from dynamodb_lists.planning.request_cost import MINIMUM_BYTES, query_cost
from dynamodb_lists.planning.selection import FacetCounts, Selection, drill_down
from dynamodb_lists.planning.waves import plan_wave, stretches, wave_cost
from dynamodb_lists.schema import keys as key
from dynamodb_lists.writing.changes import deltas
from rooms import keys
from rooms.entities import Room, RoomQuery
from tests.helpers.examples import examples
from tests.helpers.strategies import room_lists, room_queries

Asked = tuple[list[Room], RoomQuery, FacetIndex]
ROOMS = room_lists(max_size=60)
asked = ROOMS.flatmap(lambda rooms: st.tuples(st.just(rooms), room_queries(rooms), st.sampled_from(keys.INDEXES)))


def planned(rooms: list[Room], query: RoomQuery, index: FacetIndex) -> Plan:
    counts = FacetCounts(keys.FACETS, Counter(room.facets for room in rooms))
    (plan,) = range_planner.plans(counts, [index], query.selection, (keys.ROOM,))
    return plan


def drops(plan: Plan) -> int:
    """The number of items to drop if every range is read to its end."""
    return sum(run.items for group in plan.groups for run in group if not run.wanted)


def in_plan(plan: Plan, room: Room) -> bool:
    key = keys.room(room.facets, room.number, plan.index.name)
    return any(key in span.keys for span in plan.ranges)


@settings(max_examples=examples(30))
@given(asked)
def test_a_plan_reads_every_room_of_the_selection_and_foresees_every_other(asked: Asked) -> None:
    rooms, query, index = asked
    plan = planned(rooms, query, index)
    wanted = [room for room in rooms if query.selection.allows(keys.FACETS, room.facets)]
    read = [room for room in rooms if in_plan(plan, room)]
    assert all(in_plan(plan, room) for room in wanted)
    assert plan.total == len(wanted)
    assert drops(plan) == len(read) - len(wanted)


@settings(max_examples=examples(30))
@given(asked)
def test_an_index_that_is_said_to_have_the_order_gives_the_sort(asked: Asked) -> None:
    rooms, query, _ = asked
    wanted = [room for room in rooms if query.selection.allows(keys.FACETS, room.facets)]
    for index in range_planner.orders(keys.INDEXES, query.selection, query.sort_facets):
        wanted.sort(key=lambda room: keys.room(room.facets, room.number, index.name))  # noqa: B023
        asked_order = [[room.facets[keys.FACETS.index(facet)] for facet in query.sort_facets] for room in wanted]
        assert asked_order == sorted(asked_order)


@settings(max_examples=examples(30))
@given(asked)
def test_reading_everything_between_the_ranges_in_one_request_costs_no_less(asked: Asked) -> None:
    rooms, query, index = asked
    plan = planned(rooms, query, index)
    if plan.ranges:
        low, high = plan.ranges[0].keys.low, plan.ranges[-1].keys.high
        between = sum(low <= keys.room(room.facets, room.number, index.name) <= high for room in rooms)
        assert plan.cost.units <= query_cost([between], index.item_bytes).units


@pytest.mark.parametrize(("ascending", "requests"), [(True, 2), (False, 1)])
def test_what_a_first_page_costs_is_known_without_its_keys(ascending: bool, requests: int) -> None:
    """One room, then a gap, then seven rooms. Items of 4 KB keep the ranges apart."""
    numbers = {("a", "0010m", "x"): 1, ("b", "0010m", "x"): 9, ("c", "0010m", "x"): 7}
    counts = FacetCounts(keys.FACETS, {keys.RoomFacets(*parts): rooms for parts, rooms in numbers.items()})
    index = replace(keys.INDEXES[0], order=keys.FACETS, item_bytes=MINIMUM_BYTES)
    (plan,) = range_planner.plans(counts, [index], Selection({"view": frozenset({"a", "c"})}), (keys.ROOM,))
    wave = plan_wave(stretches(plan.ranges, None, 0, ascending=ascending), 5)
    cost = query_cost([min(limit, stretch.items) for stretch, limit in wave], MINIMUM_BYTES)
    assert wave_cost(plan, 5, ascending=ascending) == cost
    assert cost.requests == requests


@settings(max_examples=examples(30))
@given(asked)
def test_segments_hold_what_they_say(asked: Asked) -> None:
    rooms, query, index = asked
    plan = planned(rooms, query, index)
    sort_keys = [keys.room(room.facets, room.number, plan.index.name) for room in rooms]
    for span in plan.ranges:
        assert span.segments[0].wanted
        assert span.segments[-1].wanted
        for segment in span.segments:
            assert segment.items == sum(key in segment.keys for key in sort_keys)


@given(ROOMS, st.data())
def test_one_value_in_each_filtered_facet_is_one_range(rooms: list[Room], data: st.DataObject) -> None:
    query = data.draw(room_queries(rooms))
    room = data.draw(st.sampled_from(rooms))
    filtered = data.draw(st.sets(st.sampled_from(keys.FACETS)))
    values = {facet: frozenset({room.facets[keys.FACETS.index(facet)]}) for facet in filtered}
    asked = Selection(values)
    plans = [planned(rooms, RoomQuery(asked), i) for i in range_planner.orders(keys.INDEXES, asked, query.sort_facets)]
    assert (1, 0) in [(len(plan.ranges), drops(plan)) for plan in plans]


any_parts = st.text("a b!-é", min_size=1, max_size=3)


@given(st.dictionaries(st.tuples(any_parts, any_parts), st.integers(1, 12), min_size=1), st.data())
def test_ranges_run_upwards_whatever_the_parts_hold(counts: dict[keys.RoomFacets, int], data: st.DataObject) -> None:
    """A blank sorts before the separator, so ``sea view#`` comes before ``sea#``, although ``sea`` is shorter."""
    values = {
        facet: data.draw(st.frozensets(st.sampled_from(sorted({parts[number] for parts in counts})), min_size=1))
        for number, facet in enumerate("xy")
    }
    indexes = FacetIndex("", ("x", "y"), 100), FacetIndex("other", ("y", "x"), 100)
    for index in indexes:
        (plan,) = range_planner.plans(FacetCounts("xy", counts), [index], Selection(values))
        ends = [end for span in plan.ranges for end in (span.keys.low, span.keys.high)]
        assert ends == sorted(ends)
        stored = {key.compose(*(parts["xy".index(facet)] for facet in index.order), "1"): parts for parts in counts}
        read = [parts for text, parts in stored.items() if any(text in span.keys for span in plan.ranges)]
        wanted = [parts for parts in counts if Selection(values).allows("xy", parts)]
        assert set(wanted) <= set(read)
        assert sum(counts[parts] for parts in read) == plan.total + drops(plan)


def counts_of(*parts: tuple[str, int]) -> dict[keys.RoomFacets, int]:
    return {keys.RoomFacets(view, "0040m", "suite"): n for view, n in parts}


def plan_of(counts: dict[keys.RoomFacets, int], *views: str) -> Plan:
    selection = Selection({keys.VIEW: frozenset(views)})
    return range_planner.plans(FacetCounts(keys.FACETS, counts), keys.INDEXES[:1], selection, (keys.ROOM,))[0]


@pytest.mark.parametrize(("between", "ranges"), [(8, 1), (9, 2)])
def test_a_gap_is_read_and_dropped_only_while_that_costs_no_more_than_a_request(between: int, ranges: int) -> None:
    """18 rooms of 450 bytes fit into 8 KB."""
    plan = plan_of(counts_of(("a", 5), ("b", between), ("c", 5)), "a", "c")
    assert len(plan.ranges) == ranges, "of two plans that cost as much, the one with one request wins"
    assert drops(plan) == (between if ranges == 1 else 0)


def test_gaps_are_not_read_before_the_first_nor_after_the_last_run() -> None:
    plan = plan_of(counts_of(("a", 1), ("b", 5), ("c", 1)), "b")
    assert ([span.keys.low for span in plan.ranges], drops(plan)) == (["room#b#"], 0)


def test_counts_that_fell_to_zero_are_no_gap() -> None:
    plan = plan_of(counts_of(("a", 1), ("b", 0), ("c", 1)), "a", "c")
    assert (len(plan.ranges), drops(plan)) == (1, 0)


def test_a_wanted_combination_without_items_has_a_range_because_its_count_may_be_wrong() -> None:
    plan = plan_of(counts_of(("a", 1), ("b", 50), ("c", 0)), "a", "c")
    assert ([span.keys.low for span in plan.ranges], plan.total) == (["room#a#", "room#c#"], 1)


def test_no_filter_is_the_whole_partition() -> None:
    (plan,) = range_planner.plans(
        FacetCounts(keys.FACETS, counts_of(("a", 1))), keys.INDEXES[:1], Selection(), (keys.ROOM,)
    )
    assert [(span.keys.low, span.keys.high) for span in plan.ranges] == [("room#", "room#\U0010ffff")]


def test_a_range_that_happens_to_hold_one_size_does_not_count_as_fixed() -> None:
    """Otherwise a new size could change the order for somebody who is paging."""
    assert not Selection(bounds={keys.SIZE: ("0030m", "0050m")}).fixes(keys.SIZE)
    assert Selection(bounds={keys.SIZE: ("0040m", "0040m")}).fixes(keys.SIZE)


@settings(max_examples=examples(30))
@given(asked)
def test_drill_down_counts_are_what_the_filter_would_give(asked: Asked) -> None:
    rooms, query, _ = asked
    counts = FacetCounts(keys.FACETS, Counter(room.facets for room in rooms))
    choices = drill_down(counts, query.selection)
    for number, facet in enumerate(keys.FACETS):
        for value, n in choices[facet].items():
            others = {name: allowed for name, allowed in query.selection.values.items() if name != facet}
            bounds = {name: bound for name, bound in query.selection.bounds.items() if name != facet}
            alone = Selection({**others, facet: frozenset({value})}, bounds)
            assert n == sum(m for combination, m in counts.items() if alone.allows(keys.FACETS, combination))
        assert set(choices[facet]) == {room.facets[number] for room in rooms}


@given(st.lists(st.tuples(st.none() | st.sampled_from("abc"), st.none() | st.sampled_from("abc"))))
def test_deltas_are_the_difference_of_the_counts(changes: list[tuple[str | None, str | None]]) -> None:
    pairs = [((before,) if before else None, (after,) if after else None) for before, after in changes]
    before, after = Counter(b for b, _ in pairs if b), Counter(a for _, a in pairs if a)
    after.subtract(before)
    assert deltas(pairs) == {combination: n for combination, n in after.items() if n}


def test_a_selection_admits_what_it_lists_between_its_bounds() -> None:
    selection = Selection({keys.SIZE: frozenset({"0020m", "0040m", "0060m"})}, {keys.SIZE: ("0030m", "0040m")})
    admitted = [size for size in ("0020m", "0030m", "0035m", "0040m", "0060m") if selection.admits(keys.SIZE, size)]
    assert admitted == ["0040m"]
    assert selection.admits(keys.VIEW, "anything")
