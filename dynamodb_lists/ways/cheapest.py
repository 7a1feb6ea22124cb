"""A declared list: the way to read it that costs the least for a page, the listing of each way, and each in words."""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain
from math import inf, isinf
from operator import attrgetter
from typing import Any, Generic, TypeVar

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.errors import BadCursor
from dynamodb_lists.declared.asked import AskedPage, Wanted, beginning, matches
from dynamodb_lists.declared.declaration import EVERYTHING
from dynamodb_lists.declared.kept_orders import KeptOrder
from dynamodb_lists.declared.samples import Sample
from dynamodb_lists.planning.range_plan import wave_cost
from dynamodb_lists.planning.request_cost import OVERRUN, Charge, items_for, items_paid
from dynamodb_lists.planning.selection import FacetCounts
from dynamodb_lists.planning.wording import counted, source_name
from dynamodb_lists.reading.fetching import LARGEST, Ranges, in_parallel, whole_range
from dynamodb_lists.reading.listing import Candidate, Grounds, Listing, Row
from dynamodb_lists.reading.merging import Merged, beyond
from dynamodb_lists.reading.sorting import SortedRows
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.keys import KeyRange
from dynamodb_lists.ways.list_planner import ListPlanner, Way, WayKind

T = TypeVar("T")
DOUBT = 1.5
"""Ranges that nothing counts must be expected to cost so many times less than another way: else, both are read."""
logger = logging.getLogger(__name__)

KEPT_ORDER = "all pages of a list keep the order of the index with the cheapest first page"
UNKNOWN = "no sample of the items is stored, so nothing tells how many are in it"
FOUND = "This range was read to its end, so every item of the list is known."
DIFFER = "The counts and the items differ, so no plan can rely on the counts."
WITHOUT_REQUEST = "The filters contradict each other, or the counts know no such item."
ALL_ITEMS = "The counts and the items differ, so this reads all items and sorts those that match."
SENT_AHEAD = "Without a filter, this request needs no plan. It goes out together with the one for the counts."


class PlannedList(Generic[T]):
    """One list, and the ways to read it; ``opened`` has its query and what reads an index.

    Its order is that of one way. Positions are that way's, however the list is read. ``differ`` says that the counts
    cannot be right, and ``revision`` that of the list, if something counts that. ``recounted`` gives the list with the
    counts that are stored now, or ``None`` if they are the same.
    """

    def __init__(
        self,
        opened: AskedPage[T],
        counts: FacetCounts[Any],
        sample: Sample[T],
        *,
        differ: bool = False,
        revision: int | None = None,
        recounted: "Callable[[], PlannedList[T] | None] | None" = None,
    ) -> None:
        self.opened, self.declaration, self.query, self.cursor = opened, opened.declaration, opened.query, opened.cursor
        self.wanted, self.counts, self.fetch = self.query.wanted, counts, opened.fetch
        self.sample, self.differ, self.revision, self.recounted = sample, differ, revision, recounted
        self.ascending = not self.query.descending
        self.item_bytes = partial(self.declaration.item_bytes, self.query.owner)
        """About how many bytes an item has in a source."""
        self.planner = ListPlanner(
            self.declaration, counts, self.wanted, self.item_bytes, sample, ascending=self.ascending
        )
        self.counted = self.wanted.counted and not self.query.only
        """Whether the counts say how many items the list has."""
        self.matches = partial(matches, self.declaration, self.wanted)
        """Whether an item is in the list. Each row is checked, so an outdated count never shows a wrong one."""
        self.orders = self._orders()
        self.order = self.chosen = self.orders[0]
        own = self.order.index if self.order.kind is WayKind.IN_ORDER else None  # the order of the list reads it anyway
        looked = [] if self.counted or self.query.only else self.planner.looked()
        self.looked = sorted((way for way in looked if way.index != own), key=attrgetter("cost.weight"))

    # --- The order of the list ----------------------------------------------------------------------------

    def _orders(self) -> list[Way]:
        """The ways that give the sort; first the one whose order the list has. Raises ``BadCursor``.

        That is the way of the cursor or, on a first page, the one with the cheapest usual page: it depends on nothing
        that was learned, because the order of a list must not change.
        """
        if self.query.only:
            return [self.planner.sparse(self.query.only)]
        index = beginning(self.declaration, self.wanted) if self.wanted.everything else None
        index = self.cursor.index if self.cursor else index
        found = self.planner.in_order(index)
        if index is None:
            usable = [way.index for way in found if not isinf(way.cost.units)]
            if len(usable) > 1:
                first = self._usual(usable)
                found.sort(key=lambda way: way.index != first)
        if not found and index and self.cursor:
            raise BadCursor("The cursor is from another release. Start at the first page.")
        return found or [self._unkept()]

    def _usual(self, indexes: Sequence[str]) -> str:
        """The index with the cheapest usual page."""
        known = self.declaration, self.counts, replace(self.wanted, rows=Wanted.rows), self.declaration.usual_bytes
        return ListPlanner(*known, Sample(), ascending=self.ascending, indexes=indexes).in_order()[0].index

    def _unkept(self) -> Way:
        """An order that no index has. It is no way to read: all that may match is sorted."""
        return replace(self.best, index="", order=KeptOrder(*self.wanted.sort))

    # --- The choice of a way ------------------------------------------------------------------------------

    @cached_property
    def best(self) -> Way:
        """The cheapest way that reads all that may match."""
        return self.planner.in_memory()[0]

    def cheapest(self, *, whole: bool = False) -> Listing[T]:
        """The list, read in the cheapest way for this page, or for all of it."""
        if self.differ:
            return self.without_counts()
        if self.wanted.nothing or (self.counts and not self.counts.allowed(self.wanted.selection)):
            self.chosen = replace(self.order, kind=WayKind.NOTHING, cost=Charge())
            return self.empty()
        if self.counts and not self.counted and not whole and (rows := self._narrowed()):
            return rows
        return self.read(self.order if self.query.only or self._order_serves(whole=whole) else self.best)

    def _order_serves(self, *, whole: bool) -> bool:
        """Whether a page, or the whole list, is best read in its order."""
        way = self.order
        if way.kind is WayKind.IN_MEMORY or isinf(way.cost.units):  # no request gives this order
            return False
        if not self.counts:  # then only a range that no facet bounds is known
            return way.kind is WayKind.IN_ORDER and len(way.plan.ranges) == 1
        if self.opened.sent(way.index) or (whole and self.best.items > LARGEST):  # what was sent is paid
            return True
        return self.best.cost.weight >= (way.plan.cost if whole else self.page_cost).weight

    @property
    def page_cost(self) -> Charge:
        """The expected cost of this page, read in the order of the list.

        Where a filter drops items, it is that of the first page, so that all pages are read in one way.
        """
        way, cursor, total = self.order, self.cursor, self.planner.matching
        if not (cursor and self.counted and way.kind is WayKind.IN_ORDER and way.density == 1):
            return way.cost
        start, rows = cursor.position, self.wanted.rows
        if start is None and total:
            rows = (total - 1) % self.query.page_size + 2
        start_at = start and start.sort_key, cursor.passed(total)
        return wave_cost(way.plan, rows, *start_at, ascending=self.query.descending == cursor.backward)

    def from_table(self) -> Listing[T]:
        """The list from the items themselves, which have fields that no index has."""
        with ledger.purpose("list"):
            return self._sorted(whole_range(self.fetch(""), EVERYTHING, self.counts.total))

    # --- What nothing counts ------------------------------------------------------------------------------

    def _narrowed(self) -> Listing[T] | None:
        """The list from ranges of which nothing counts the items, if that is expected to cost less than a walk.

        If they cost more, the list is read as if they were not there.
        """
        walk = self.best.cost if self.order.kind is WayKind.IN_MEMORY else self.page_cost
        other, way = min(walk, self.best.cost, key=attrgetter("weight")), self.best
        for looked in self._shorter(other)[:1]:
            if DOUBT * looked.cost.weight < other.weight:
                return self.few(looked, other.units)
        is_walk = self.order.kind is not WayKind.IN_MEMORY and not isinf(walk.units)
        if not (way.narrowed and is_walk) or self._order_serves(whole=False):
            return None
        return self.few(way, max(walk.units, OVERRUN * way.cost.units)) or self.read(self.order)

    def _shorter(self, than: Charge) -> list[Way]:
        """The looked ways that are expected to cost less ``than`` another one, the cheapest first."""
        return [way for way in self.looked if way.known and way.cost.weight < than.weight]

    def few(self, way: Way, units: float) -> Listing[T] | None:
        """The list from all that is in the ranges of a way; ``None`` if that costs more than so many read units."""
        spans, size = [each.keys for each in way.plan.ranges], self.item_bytes(way.index)
        fetch, limit = self.fetch(way.index), max(items_paid(size), items_for(units / len(spans), size))
        with ledger.purpose("list"):
            batches = in_parallel([partial(fetch, span, None, True, limit) for span in spans])
        if any(batch.stopped for batch in batches):
            return None
        self.chosen = way
        return self._sorted(row.value for batch in batches for row in batch.rows)

    def _budget(self, way: Way) -> int:
        """How many items of a way cost as much as the cheapest other one."""
        cheapest = min(each.cost.units for each in [self.best, *self._shorter(self.best.cost)])
        return items_for(cheapest, self.item_bytes(way.index))

    def _rest(self) -> Listing[T]:
        """The same list in another way, for a walk that is longer than was expected."""
        for way in self._shorter(self.best.cost):
            if rows := self.few(way, self.best.cost.units):
                return rows
        return self.in_memory(self.best)

    # --- Each kind of way ---------------------------------------------------------------------------------

    def read(self, way: Way) -> Listing[T]:
        """The list, read in one way."""
        self.chosen = way
        with ledger.purpose("list"):
            if way.kind is WayKind.IN_MEMORY:
                return self.in_memory(way)
            return self._merged(way) if way.kind is WayKind.MERGED else self._in_order(way)

    def _in_order(self, way: Way) -> Listing[T]:
        return Ranges(
            **self._listed(),
            ranges=way.plan.ranges,
            fetch=self.fetch(way.index),
            keep=self.matches,
            density=way.density,
            budget=partial(self._budget, way),
            otherwise=self._otherwise(way),
            uncounted=None if way.narrowed or not self.counts else self.without_counts,
        )

    def _merged(self, way: Way) -> Listing[T]:
        fetch, exact, listed = self.fetch(way.index), self._otherwise(way), self._listed()
        begins, span = [keys.prefix(*part) for part in way.parts], way.plan.ranges[0].keys
        return Merged(
            **{**listed, "grounds": replace(listed["grounds"], item_bytes=self.item_bytes(way.index))},
            parts=[
                (beyond(fetch, begin, turned=not way.start), each.items)
                for begin, each in zip(begins, way.plan.ranges, strict=True)
            ],
            span=KeyRange(span.low.removeprefix(begins[0]), span.high.removeprefix(begins[0])),
            keep=self.matches,
            density=max(way.density, 0.01),
            counted=self.counted,
            most=self.best.cost.units if exact else inf,
            exact=exact,
        )

    def _otherwise(self, way: Way) -> Callable[[], Listing[T]] | None:
        """The same list from a source or sorted in memory, for a walk whose filter drops more than was expected."""
        if way.density == 1 or self.query.only:
            return None
        short = self.best.items <= LARGEST and self.best.cost.weight < way.plan.cost.weight
        return self._rest if short or self.looked else None

    def in_memory(self, way: Way) -> Listing[T]:
        """The list of all items that match, sorted. If the counts are wrong, all items of the owner are read."""
        fetch, is_counted = self.fetch(way.index), not way.narrowed
        calls = [partial(whole_range, fetch, each.keys, *[each.items] * is_counted) for each in way.plan.ranges]
        parts = in_parallel(calls)
        if is_counted and [*map(len, parts)] != [each.items for each in way.plan.ranges]:
            return self.without_counts()
        return self._sorted(chain.from_iterable(parts))

    def without_counts(self) -> Listing[T]:
        """The list with counts that are read anew, for others may have changed them, and the items, meanwhile.

        If they stay as they were, it is read by one Query of all items, and sorted: the counts do not say where they
        are.
        """
        place = self.order.index, self.order.start
        if self.recounted and (anew := self.recounted()) and (anew.order.index, anew.order.start) == place:
            return anew.cheapest()
        owner = " of ".join([self.declaration.name, *self.query.owner])
        logger.warning("The counts of the %s and the %s differ. Run verify_data.", owner, self.declaration.name)
        way = self.planner.all()
        self.chosen = replace(way, kind=WayKind.WITHOUT_COUNTS)
        with ledger.purpose("list"):
            items = whole_range(self.fetch(way.index), EVERYTHING)
        return replace(self._sorted(items), counts_differ=True)

    def empty(self) -> Listing[T]:
        """The list without rows. It sends no request."""
        return self._sorted([])

    def _sorted(self, items: Iterable[T]) -> SortedRows[T]:
        order = self.order.index, self.order.order, self.order.start
        rows = [Row(self.declaration.position(item, *order), item) for item in items if self.matches(item)]
        rows.sort(key=attrgetter("position"))
        return SortedRows(**{**self._listed(), "total": len(rows)}, rows=rows)

    def _listed(self) -> dict[str, Any]:
        """What is the same in whichever way the list is read."""
        return {
            "name": self.declaration.name,
            "selected": self.query.selected,
            "cursor": self.cursor,
            "index": self.order.index,
            "descending": self.query.descending,
            "total": self.planner.matching if self.counted else None,
            "revision": self.revision,
            "grounds": Grounds(candidates=lambda _: _candidates(self)),
        }

    def again(self, way: Way) -> Listing[T]:
        """The list, read in another way than the chosen one, in its own order. Equal rows may swap."""
        other = PlannedList(self.opened.anew(), self.counts, self.sample, revision=self.revision)
        if way.kind is not WayKind.IN_MEMORY:
            other.order = way
        return other.read(way)


# --- The ways in words ----------------------------------------------------------------------------------


def _candidates(planned: PlannedList[Any]) -> list[Candidate]:
    """Every way to read this page, the chosen one first and then the cheapest. It sends no request."""
    found = [_candidate(planned, way) for way in _ways(planned)]
    return sorted(found, key=lambda way: (not way.chosen, way.cost.weight))


def _ways(planned: PlannedList[Any]) -> Iterator[Way]:
    if planned.chosen.kind in {WayKind.NOTHING, WayKind.WITHOUT_COUNTS}:
        yield planned.chosen
    for way in planned.orders:
        if way.kind is not WayKind.IN_MEMORY and not isinf(way.cost.weight):
            yield way
    if not planned.order.order.when:
        yield from planned.planner.in_memory()
    yield from planned.looked


def _candidate(planned: PlannedList[Any], way: Way) -> Candidate:
    own, chosen, cost, why = way.index == planned.order.index, planned.chosen == way, way.cost, ""
    name = source_name(way.index)
    words = _words(planned, way)
    listing: Callable[[], Listing[Any] | None] = partial(planned.again, way)
    if way.kind is WayKind.NOTHING:
        name, words, why, listing = "no request", WITHOUT_REQUEST, WITHOUT_REQUEST, planned.empty
    elif way.kind is WayKind.WITHOUT_COUNTS:
        words, why, listing = ALL_ITEMS, DIFFER, planned.without_counts
    elif way.kind is WayKind.LOOKED:
        why = FOUND if chosen else "" if way.known else UNKNOWN
        listing = partial(planned.few, way, planned.planner.all().cost.units)
    elif way.kind is not WayKind.IN_MEMORY:
        chosen, cost = own and planned.chosen.kind is way.kind, planned.page_cost if own else cost
        why = KEPT_ORDER if not own else SENT_AHEAD if chosen and planned.wanted.everything else ""
    return Candidate(name, words, cost, listing, chosen, why)


def _words(planned: PlannedList[Any], way: Way) -> str:
    """What a way of the planner does, in words."""
    ranges, order = counted(len(way.plan.ranges), "range"), ", ".join(planned.declaration.sorted_by(way.order))
    name = planned.declaration.name
    if way.kind is WayKind.LOOKED:
        about = f", about {counted(way.items, 'item')}" if way.known else ""
        return f"Reads {ranges}{about}, if that is short, and sorts what matches."
    if way.kind is WayKind.IN_MEMORY:
        if way.items == planned.counts.total and not way.narrowed:
            return f"Reads all {way.items:,} {name}, and sorts those that match."
        return f"Reads all {way.items:,} {name} that may match, from {ranges}, and sorts them."
    if way.kind is WayKind.MERGED:
        return f"Reads one page from {ranges}, merged by {planned.wanted.sort[0]}."
    if way.density < 1:
        drops = f"drops those that do not match. About {way.density:.0%} should"
        return f"Walks the {name} in the order of the list ({order}), and {drops}."
    return f"Reads one page in the order of the list ({order}), from {ranges}."
