"""The planner of ranges: its plans are complete, in the right order, and right about what they read."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamodb_lists.planning import range_plan
from dynamodb_lists.planning.range_plan import FacetIndex, RangePlan, plan_wave, stretches, wave_cost
from dynamodb_lists.planning.request_cost import MINIMUM_BYTES, query_cost
from dynamodb_lists.planning.selection import Combination, FacetCounts, Selection
from dynamodb_lists.schema import keys
from dynamodb_lists.tests.helpers.examples import examples
from dynamodb_lists.tests.planning.books import (
    FACETS,
    GENRE,
    INDEXES,
    LENGTH,
    Book,
    book_lists,
    selections,
    sorts,
)

Asked = tuple[list[Book], Selection, FacetIndex]
BOOKS = book_lists(max_size=60)
asked = BOOKS.flatmap(lambda books: st.tuples(st.just(books), selections(books), st.sampled_from(INDEXES)))


def with_sort(indexes: Sequence[FacetIndex], selection: Selection, sort: Sequence[str]) -> list[FacetIndex]:
    """The indexes whose order gives the sort. A facet with a single value sorts nothing."""
    wanted = [name for name in sort if not selection.fixes(name)]
    return [
        index
        for index in indexes
        if [name for name in index.order if not selection.fixes(name)][: len(wanted)] == wanted
    ]


def planned(books: list[Book], selection: Selection, index: FacetIndex) -> RangePlan:
    counts = FacetCounts(FACETS, Counter(book.facets for book in books))
    return range_plan.plan_of(index, counts, selection)


def drops(plan: RangePlan) -> int:
    """The number of items to drop if every range is read to its end."""
    return sum(each.items for planned in plan.ranges for each in planned.segments if not each.wanted)


def in_plan(plan: RangePlan, book: Book) -> bool:
    return any(book.key(plan.index) in span.keys for span in plan.ranges)


@settings(max_examples=examples(30))
@given(asked)
def test_a_plan_reads_every_book_of_the_selection_and_foresees_every_other(asked: Asked) -> None:
    books, selection, index = asked
    plan = planned(books, selection, index)
    wanted = [book for book in books if selection.allows(FACETS, book.facets)]
    read = [book for book in books if in_plan(plan, book)]
    assert all(in_plan(plan, book) for book in wanted)
    assert plan.total == len(wanted)
    assert drops(plan) == len(read) - len(wanted)


@settings(max_examples=examples(30))
@given(asked, sorts)
def test_an_index_that_is_said_to_have_the_order_gives_the_sort(asked: Asked, sort: tuple[str, ...]) -> None:
    books, selection, _ = asked
    wanted = [book for book in books if selection.allows(FACETS, book.facets)]
    for index in with_sort(INDEXES, selection, sort):
        wanted.sort(key=lambda book: book.key(index))  # noqa: B023
        asked_order = [[book.facets[FACETS.index(facet)] for facet in sort] for book in wanted]
        assert asked_order == sorted(asked_order)


@pytest.mark.parametrize(("ascending", "requests"), [(True, 2), (False, 1)])
def test_what_a_first_page_costs_is_known_without_its_keys(ascending: bool, requests: int) -> None:
    """One book, then a gap, then seven books. Items of 4 KB keep the ranges apart."""
    counts = FacetCounts(FACETS, {("a", "0010", "x"): 1, ("b", "0010", "x"): 9, ("c", "0010", "x"): 7})
    index = replace(INDEXES[0], item_bytes=MINIMUM_BYTES)
    plan = range_plan.plan_of(index, counts, Selection({GENRE: frozenset({"a", "c"})}))
    wave = plan_wave(stretches(plan.ranges, None, 0, ascending=ascending), 5)
    cost = query_cost([min(limit, stretch.items) for stretch, limit in wave], MINIMUM_BYTES)
    assert wave_cost(plan, 5, ascending=ascending) == cost
    assert cost.requests == requests


@settings(max_examples=examples(30))
@given(asked)
def test_segments_hold_what_they_say(asked: Asked) -> None:
    books, selection, index = asked
    plan = planned(books, selection, index)
    sort_keys = [book.key(plan.index) for book in books]
    for span in plan.ranges:
        assert span.segments[0].wanted
        assert span.segments[-1].wanted
        for segment in span.segments:
            assert segment.items == sum(key in segment.keys for key in sort_keys)


@given(BOOKS, sorts, st.data())
def test_one_value_in_each_filtered_facet_is_one_range(
    books: list[Book], sort: tuple[str, ...], data: st.DataObject
) -> None:
    book = data.draw(st.sampled_from(books))
    filtered = data.draw(st.sets(st.sampled_from(FACETS)))
    asked = Selection({facet: frozenset({book.facets[FACETS.index(facet)]}) for facet in filtered})
    plans = [planned(books, asked, index) for index in with_sort(INDEXES, asked, sort)]
    assert (1, 0) in [(len(plan.ranges), drops(plan)) for plan in plans]


any_parts = st.text("a b!-é", min_size=1, max_size=3)


@given(st.dictionaries(st.tuples(any_parts, any_parts), st.integers(1, 12), min_size=1), st.data())
def test_ranges_run_upwards_whatever_the_parts_hold(counts: dict[Combination, int], data: st.DataObject) -> None:
    """A blank sorts before the separator, so ``sea view#`` comes before ``sea#``, although ``sea`` is shorter."""
    values = {
        facet: data.draw(st.frozensets(st.sampled_from(sorted({parts[number] for parts in counts})), min_size=1))
        for number, facet in enumerate("xy")
    }
    indexes = FacetIndex("", ("x", "y"), 100), FacetIndex("other", ("y", "x"), 100)
    for index in indexes:
        plan = range_plan.plan_of(index, FacetCounts("xy", counts), Selection(values))
        ends = [end for span in plan.ranges for end in (span.keys.low, span.keys.high)]
        assert ends == sorted(ends)
        stored = {keys.compose(*(parts["xy".index(facet)] for facet in index.order), "1"): parts for parts in counts}
        read = [parts for text, parts in stored.items() if any(text in span.keys for span in plan.ranges)]
        wanted = [parts for parts in counts if Selection(values).allows("xy", parts)]
        assert set(wanted) <= set(read)
        assert sum(counts[parts] for parts in read) == plan.total + drops(plan)


def counts_of(*parts: tuple[str, int]) -> dict[Combination, int]:
    return {(genre, "0040", "upper"): n for genre, n in parts}


def plan_of(counts: dict[Combination, int], *genres: str) -> RangePlan:
    selection = Selection({GENRE: frozenset(genres)})
    return range_plan.plan_of(INDEXES[0], FacetCounts(FACETS, counts), selection)


@pytest.mark.parametrize(("between", "ranges"), [(8, 1), (9, 2)])
def test_a_gap_is_read_and_dropped_only_while_that_costs_no_more_than_a_request(between: int, ranges: int) -> None:
    """18 books of 450 bytes fit into 8 KB."""
    plan = plan_of(counts_of(("a", 5), ("b", between), ("c", 5)), "a", "c")
    assert len(plan.ranges) == ranges, "of two plans that cost as much, the one with one request wins"
    assert drops(plan) == (between if ranges == 1 else 0)


def test_a_wanted_combination_without_items_has_a_range_because_its_count_may_be_wrong() -> None:
    plan = plan_of(counts_of(("a", 1), ("b", 50), ("c", 0)), "a", "c")
    assert ([span.keys.low for span in plan.ranges], plan.total) == (["a#", "c#"], 1)


def test_a_range_that_happens_to_hold_one_value_does_not_count_as_fixed() -> None:
    """Otherwise a new value could change the order for somebody who is paging."""
    assert not Selection(bounds={LENGTH: ("0030", "0050")}).fixes(LENGTH)
    assert Selection(bounds={LENGTH: ("0040", "0040")}).fixes(LENGTH)
