"""Each page of filtered lists in memory: planned from right, wrong and no counts, and cut at any number of rows."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamodb_lists import Query, Unavailable, at_least, between
from dynamodb_lists.declared.asked import Owner
from dynamodb_lists.declared.counts import Count, CountedItems
from dynamodb_lists.declared.declaration import Declaration
from dynamodb_lists.declared.samples import pack_items
from dynamodb_lists.declared.shapes import Shape
from dynamodb_lists.lists import reading
from dynamodb_lists.lists.reading import ListReader
from dynamodb_lists.planning import ways
from dynamodb_lists.planning.request_cost import MINIMUM_BYTES
from dynamodb_lists.planning.sources import PartRange, Source
from dynamodb_lists.reading import sources
from dynamodb_lists.reading.listing import Listing
from dynamodb_lists.reading.pages import Page, read_page
from dynamodb_lists.reading.sources import SourceListing, SourceTable
from dynamodb_lists.schema.keys import HIGHEST
from dynamodb_lists.tests.helpers.examples import examples
from dynamodb_lists.tests.helpers.paging import NEXT, PREVIOUS, every_page, follow
from dynamodb_lists.tests.trials import STATES, Trial, a_trial, some_trials, trials

DECLARED = trials.declaration


@dataclass(frozen=True)
class InMemory(SourceTable):
    """An organisation's trials, read as DynamoDB does: at the limit, it does not look whether more items follow."""

    stored: Any = None

    def query(
        self, source: Source, part: PartRange, *, after: Mapping[str, Any] | None, ascending: bool, limit: int
    ) -> Any:
        """Return the answer to a Query."""
        stored, key = self.stored, source.keys[1].name
        stored.requests += 1
        held = [(each[key]["S"], each["sk"]["S"], each) for each in stored.as_stored if key in each]
        low, high = part.low or "", part.high or HIGHEST
        found = sorted((each for each in held if low <= each[0] <= high), key=lambda each: each[:2])
        found = found if ascending else found[::-1]
        if after:
            place = after[key]["S"], after["sk"]["S"]
            found = [each for each in found if (each[:2] > place if ascending else each[:2] < place)]
        taken = [each[2] for each in found[:limit]]
        answer: dict[str, Any] = {"Items": taken, "ScannedCount": len(taken)}
        if len(taken) == limit:
            answer["LastEvaluatedKey"] = {name: taken[-1][name] for name in {"pk", "sk", key}}
        return answer


class Stored(ListReader[Trial]):
    """An organisation's trials in memory, with counts that are as wrong as ``skewed`` says."""

    def __init__(self, rows: Sequence[Trial], skewed: Sequence[int] = (), sampled: Sequence[Trial] = ()) -> None:
        super().__init__(DECLARED, trials.models)
        self.shape = Shape.of(DECLARED)
        self.table = InMemory(self.table.name, self.table.key, stored=self)
        self.present, self.requests = [*rows], 0
        self.kept: tuple[Sequence[Trial], Sequence[Any]] = (), ()
        self.sample = pack_items(DECLARED, trials.models.item, sampled) if sampled else b""
        self.count(skewed)

    @property
    def as_stored(self) -> Sequence[Any]:
        """The items as they are stored."""
        rows, items = self.kept
        if rows != self.present:
            rows, items = self.kept = (
                [*self.present],
                [trials.models.item.item(row).serialize() for row in self.present],
            )
        return items

    def count(self, skewed: Sequence[int] = ()) -> None:
        """Count the rows that there are now."""
        counts = Counter(map(DECLARED.combination, self.present))
        for combination, number in zip(sorted(counts), skewed, strict=False):
            counts[combination] = max(counts[combination] + number, 0)
        self.counted = {each: Count(number) for each, number in counts.items()}

    def counts(self, owner: Owner) -> CountedItems:
        """Return the counts."""
        return CountedItems(self.counted, {}, self.sample)

    def listed(self, query: Query[Trial], size: int, cursor: str = "") -> Listing[Trial]:
        """Return the list, read in the way that the planner chooses."""
        return replace(query, reader=self).listing(size, cursor)

    def page(self, query: Query[Trial], size: int, cursor: str) -> Page[Trial]:
        """Return a page."""
        return read_page(self.listed(query, size, cursor), size, cursor)


TWO = ["phase state", "-state phase", "operator state", "-phase operator", "state operator", "operator phase"]
"""Sorts by two facets. Of three of them no index has the order, but one has the same facets in turn."""


@st.composite
def queries(draw: st.DrawFn) -> Query[Trial]:
    """Return any filters of facets and ranges, in any order, or a sparse list."""
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
    most_parts=st.sampled_from([2, 24]),
    most_units=st.sampled_from([0.0, 128.0]),
)
def test_each_link_of_a_filtered_list_leads_to_other_rows(  # noqa: PLR0913, PLR0917
    rows: list[Trial],
    query: Query[Trial],
    size: int | None,
    skewed: list[int],
    sampled: int,
    item_bytes: int,
    most_parts: int,
    most_units: float,
) -> None:
    """Whatever the counts, the sample and the sizes of items make of the plan. ``None`` is a page for all rows."""
    stored = Stored(rows, skewed, some_trials("x", sampled, seed=7))
    wanted = [row for row in rows if query.matches(row)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Declaration, "usual_bytes", lambda *_: item_bytes)
        patch.setattr(ways, "MOST_PARTS", most_parts)
        patch.setattr(reading, "MOST_UNITS", most_units)
        size = size or max(len(wanted), 1)
        pages = list[Any]()
        with suppress(Unavailable):  # of a long list in an order that no index has
            pages = every_page(partial(stored.page, query, size), wanted, counted=not skewed)
    assert all(len(page.rows) == size or page.stopped for page in pages[:-1])
    assert skewed or not any(page.counts_differ for page in pages)


@settings(max_examples=examples(120))
@given(queries(), st.integers(1, 9), st.booleans(), st.integers(0, 9999), st.sampled_from([NEXT, PREVIOUS]))
def test_rows_that_stay_are_shown_while_others_come_and_go(
    query: Query[Trial], size: int, counted: bool, seed: int, way: Callable[[Any], str | None]
) -> None:
    """Delete some rows and add others between two pages. The counts may be those of the beginning."""
    rnd, rows = Random(seed), some_trials("x", 50)
    others = [replace(row, number=f"{rnd.choice('AU')}-{row.number}") for row in some_trials("x", 60, 2)]
    stored, seen, stays = Stored(rows), list[Trial](), {*rows}
    start = stored.page(query, size, "")
    if way is PREVIOUS and start.last:
        start = stored.page(query, size, start.last)
    for page in follow(start, way, partial(stored.page, query, size)):
        assert page.rows or not any(map(query.matches, stored.present))
        seen += page.rows
        shown = [*filter(query.matches, stored.present)]
        gone = {*rnd.sample(shown, rnd.randint(0, len(shown) // 2))}
        stays -= gone
        stored.present, others = [row for row in stored.present if row not in gone] + others[:1], others[1:]
        if counted:
            stored.count()
    assert {*filter(query.matches, stays)} <= {*seen}


@pytest.mark.parametrize("sort", TWO)
@pytest.mark.parametrize(
    "conditions", [{}, {"state": {"Draft", "Done", ""}}, {"phase": {1, 2}, "state": {"Draft", "Done"}}]
)
def test_rows_are_sorted_by_two_facets_in_any_turn(sort: str, conditions: dict[str, Any]) -> None:
    """The list has 20,000 rows, and the page does not read all of them."""
    stored = Stored(some_trials("x", 300))
    query = trials.query(org="x").where(**conditions).order_by(*sort.split())
    wanted = [row for row in stored.present if query.matches(row)]
    rows = [row for page in every_page(partial(stored.page, query, 7), wanted) for row in page.rows]
    names = sort.removeprefix("-").split()
    keys = [(*DECLARED.parts(row, names),) for row in rows]
    assert keys == sorted(keys, reverse=sort.startswith("-"))
    assert len({*keys}) > 3  # noqa: PLR2004
    assert isinstance(stored.listed(query, 7), SourceListing), "not all rows, sorted in memory"


def test_a_range_that_is_longer_than_the_sample_says_is_read_if_it_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """One row in ten matches, but only one in forty of the sample."""
    monkeypatch.setattr(sources, "CHUNK", 50)
    monkeypatch.setattr(Declaration, "usual_bytes", lambda *_: 225)
    rows = some_trials("x", 800)
    query = trials.query(org="x").where(cost=at_least(900)).order_by("state", "phase")
    dear = [*filter(query.matches, rows)]
    stored = Stored(rows, sampled=[dear[0], *(row for row in rows[:60] if row not in dear)][:40])
    assert len(stored.page(query, 60, "").rows) == 60
    assert (len(dear) > 60, stored.requests) == (True, 1)


def test_rows_that_fill_a_request_are_read_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read all nine rows of one value. Nothing costs less than this request, so no budget is left for another one."""
    rows = [a_trial("x", str(number), phase=1 + number % 2) for number in range(18)]
    monkeypatch.setattr(Declaration, "usual_bytes", lambda *_: MINIMUM_BYTES // 9)
    stored = Stored(rows)
    page = stored.page(trials.query(org="x").where(state="Draft", phase=2).order_by("number"), 25, "")
    assert (len(page.rows), page.next, stored.requests) == (9, None, 1)
