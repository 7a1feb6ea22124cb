"""Each page of filtered lists in memory: planned from right, wrong and no counts, and cut at any number of rows."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamodb_lists import Query, at_least, between
from dynamodb_lists.declared.asked import AskedPage
from dynamodb_lists.declared.declaration import Declaration
from dynamodb_lists.declared.kept_orders import BY_ID
from dynamodb_lists.declared.samples import Sample
from dynamodb_lists.planning.request_cost import MINIMUM_BYTES
from dynamodb_lists.planning.selection import FacetCounts
from dynamodb_lists.reading.cursors import Position
from dynamodb_lists.reading.listing import Batch, Fetch, Row
from dynamodb_lists.reading.pages import Page, read_page
from dynamodb_lists.schema.keys import KeyRange
from dynamodb_lists.tests.helpers.examples import examples
from dynamodb_lists.tests.helpers.paging import NEXT, PREVIOUS, every_page, follow
from dynamodb_lists.tests.trials import STATES, Trial, a_trial, some_trials, trials
from dynamodb_lists.ways.cheapest import PlannedList
from dynamodb_lists.ways.list_planner import ListPlanner, WayKind

DECLARED = trials.declaration


class Stored:
    """An organisation's trials in memory, with counts that are as wrong as ``skewed`` says."""

    def __init__(self, rows: Sequence[Trial], skewed: Sequence[int] = (), sampled: Sequence[Trial] = ()) -> None:
        self.rows, self.sampled, self.requests = [*rows], sampled, 0
        self.count(skewed)

    def count(self, skewed: Sequence[int] = ()) -> None:
        """Count the rows that there are now."""
        counts = Counter(map(DECLARED.combination, self.rows))
        for combination, number in zip(sorted(counts), skewed, strict=False):
            counts[combination] = max(counts[combination] + number, 0)
        self.counts = FacetCounts(DECLARED.facets, counts)

    def fetch(self, index: str) -> Fetch[Any]:
        """Reads an index as DynamoDB does: at the limit, it does not look whether more items follow."""
        order = {"": BY_ID, **DECLARED.orders}[index]
        kept = [row for row in self.rows if order.when is None or order.when(row)]
        rows = sorted((Row(DECLARED.position(row, index), row) for row in kept), key=lambda row: row.position)

        def read(span: KeyRange, after: Position | None, ascending: bool, limit: int) -> Batch[Trial]:
            self.requests += 1
            found = [row for row in (rows if ascending else rows[::-1]) if row.position.sort_key in span]
            if after:
                found = [row for row in found if (row.position > after if ascending else row.position < after)]
            taken = found[:limit]
            return Batch(taken, taken[-1].position if len(taken) == limit else None, len(taken))

        return read

    def page(self, query: Query[Trial], size: int, cursor: str) -> Page[Trial]:
        """A page, read in the way that the planner chooses."""
        return read_page(self.planned(query, size, cursor).cheapest(), size, cursor)

    def planned(self, query: Query[Trial], size: int, cursor: str = "") -> PlannedList[Trial]:
        """The list, and the ways to read it."""
        asked = query._of_page(size, cursor).asked
        counts = self.counts if not asked.only else FacetCounts(DECLARED.facets, {})
        return PlannedList(AskedPage(DECLARED, asked, self.fetch), counts, Sample(lambda: self.sampled))


TWO = ["phase state", "-state phase", "operator state", "-phase operator", "state operator", "operator phase"]
"""Sorts by two facets. Of three of them no index has the order, but one has the same facets in turn."""


@st.composite
def queries(draw: st.DrawFn) -> Query[Trial]:
    """Any filters of facets and ranges, in any order, or a sparse list."""
    query = trials.query(org="x")
    if states := draw(st.sets(st.sampled_from(STATES), max_size=3)):
        query = query.where(state=states)
    if phases := draw(st.sets(st.sampled_from([1, 2, 3, 10]), max_size=2)):
        query = query.where(phase=phases)
    if draw(st.integers(0, 2)) == 1:
        days = [row.day for row in some_trials("x", 99) if row.day]
        low, high = sorted(draw(st.tuples(st.sampled_from(days), st.sampled_from(days))))
        query = query.where(day=between(low, high))
    if draw(st.integers(0, 3)) == 1:
        query = query.where(cost=at_least(draw(st.sampled_from([None, 0, 400, 900]))))
    if draw(st.integers(0, 5)) == 1:
        return query.only("dear")
    sort = draw(st.sampled_from(["", "number", "-number", "phase", "-state", "operator", "day", "-day", "cost", *TWO]))
    return query.order_by(*sort.split()) if sort else query


@settings(max_examples=examples(120))
@given(
    rows=st.builds(partial(some_trials, "x"), st.integers(0, 60), st.integers(0, 99)),
    query=queries(),
    size=st.integers(1, 12) | st.none(),
    skewed=st.just([]) | st.lists(st.integers(-9, 9), max_size=12),
    sampled=st.sampled_from([0, 3, 40]),
    item_bytes=st.integers(1, 60).map(MINIMUM_BYTES.__floordiv__),
)
def test_each_link_of_a_filtered_list_leads_to_other_rows(
    rows: list[Trial], query: Query[Trial], size: int | None, skewed: list[int], sampled: int, item_bytes: int
) -> None:
    """Whatever the counts, the sample and the sizes of items make of the plan. ``None`` is a page for all rows."""
    stored = Stored(rows, skewed, some_trials("x", sampled, seed=7))
    wanted = [row for row in rows if query.matches(row)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Declaration, "usual_bytes", lambda *_: item_bytes)
        size = size or max(len(wanted), 1)
        pages = every_page(partial(stored.page, query, size), wanted, counted=not skewed)
    assert all(len(page.rows) == size for page in pages[:-1])


@settings(max_examples=examples(120))
@given(queries(), st.integers(1, 9), st.booleans(), st.integers(0, 9999), st.sampled_from([NEXT, PREVIOUS]))
def test_rows_that_stay_are_shown_while_others_come_and_go(
    query: Query[Trial], size: int, counted: bool, seed: int, way: Callable[[Any], str | None]
) -> None:
    """Between two pages, some are deleted and some are added, and the counts may be those of the beginning."""
    rnd, rows = Random(seed), some_trials("x", 50)
    others = [replace(row, number=f"{rnd.choice('AU')}-{row.number}") for row in some_trials("x", 60, 2)]
    stored, seen, stays = Stored(rows), list[Trial](), {*rows}
    start = stored.page(query, size, "")
    if way is PREVIOUS and start.last:
        start = stored.page(query, size, start.last)
    for page in follow(start, way, partial(stored.page, query, size)):
        assert page.rows or not any(map(query.matches, stored.rows))
        seen += page.rows
        shown = [*filter(query.matches, stored.rows)]
        gone = {*rnd.sample(shown, rnd.randint(0, len(shown) // 2))}
        stays -= gone
        stored.rows, others = [row for row in stored.rows if row not in gone] + others[:1], others[1:]
        if counted:
            stored.count()
    assert {*filter(query.matches, stays)} <= {*seen}


@pytest.mark.parametrize("sort", TWO)
@pytest.mark.parametrize(
    "conditions", [{}, {"state": {"Draft", "Done", ""}}, {"phase": {1, 2}, "state": {"Draft", "Done"}}]
)
def test_rows_are_sorted_by_two_facets_in_any_turn(sort: str, conditions: dict[str, Any]) -> None:
    """Without reading all: there are 20,000 of them."""
    stored = Stored(some_trials("x", 300))
    query = trials.query(org="x").where(**conditions).order_by(*sort.split())
    wanted = [row for row in stored.rows if query.matches(row)]
    rows = [row for page in every_page(partial(stored.page, query, 7), wanted) for row in page.rows]
    names = sort.removeprefix("-").split()
    keys = [(*DECLARED.parts(row, names),) for row in rows]
    assert keys == sorted(keys, reverse=sort.startswith("-"))
    assert len({*keys}) > 3  # noqa: PLR2004
    in_turn = sort in {"phase state", "state operator", "operator phase"}
    assert conditions or (stored.planned(query, 7).chosen.kind is WayKind.MERGED) == in_turn


def test_the_density_of_a_narrowed_way_is_that_of_what_its_range_does_not_say(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However few days are wanted: of the trials of these days, as many are drafts as of all."""
    stored = Stored([a_trial("x", str(number), state="Draft" if number % 4 else "Done") for number in range(80)])
    for share in (0.02, 0.9):
        wanted = trials.query(org="x").where(state="Draft", day=at_least(None)).order_by("day").asked.wanted
        monkeypatch.setattr(Sample, "share", lambda *_, share=share: share)
        planner = ListPlanner(DECLARED, stored.counts, wanted, DECLARED.usual_bytes, Sample())
        ways = {way.index: (way.narrowed, way.density) for way in planner.in_order()}
        assert ways.pop("by-state-day") == ("day", 1)
        assert {*ways.values()} == {("day", 0.75)}


def test_rows_that_fill_a_request_are_read_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """All nine of two values, by number. Nothing costs less than this merge, so it has no budget to spend."""
    rows = [a_trial("x", str(number), phase=1 + number % 2) for number in range(18)]
    monkeypatch.setattr(Declaration, "usual_bytes", lambda *_: MINIMUM_BYTES // 9)
    stored = Stored(rows)
    page = stored.page(trials.query(org="x").where(state="Draft", phase=2).order_by("number"), 25, "")
    assert (len(page.rows), page.next, stored.requests) == (9, None, 1)
