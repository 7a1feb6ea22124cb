"""A declared list: the way to read it that costs the least for a page, the listing of each way, and each in words."""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from math import isinf
from operator import attrgetter
from typing import Any, Generic, TypeVar

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.errors import BadCursor
from dynamodb_lists.declared.asked import AskedPage, Wanted, beginning, matches
from dynamodb_lists.declared.kept_orders import KeptOrder
from dynamodb_lists.declared.samples import Sample
from dynamodb_lists.planning.range_plan import wave_cost
from dynamodb_lists.planning.request_cost import OVERRUN, Charge, items_for, items_paid
from dynamodb_lists.planning.selection import FacetCounts
from dynamodb_lists.planning.wording import counted, source_name
from dynamodb_lists.reading.fetching import LARGEST, Ranges, in_parallel, whole_range, whole_ranges
from dynamodb_lists.reading.listing import Candidate, Grounds, Listing, Row
from dynamodb_lists.reading.merging import Merged, Part, beyond
from dynamodb_lists.reading.sorting import SortedRows
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.keys import KeyRange
from dynamodb_lists.ways.list_planner import ListPlanner, Narrow, Way, WayKind
from dynamodb_lists.ways.uncounted import Sources, Uncounted

T = TypeVar("T")
DOUBT = 1.5
"""A source must be expected to cost so many times less than another way: if it does not, both are read."""
logger = logging.getLogger(__name__)

KEPT_ORDER = "all pages of a list keep the order of the index with the cheapest first page"
UNKNOWN = "no sample of the items is stored, so nothing tells how many are in it"
FOUND = "This range was read to its end, so every item of the list is known."
DIFFER = "The counts and the items differ, so no plan can rely on the counts."
SENT_AHEAD = "Without a filter, this request needs no plan. It goes out together with the one for the counts."


@dataclass(frozen=True)
class ChosenWay:
    """The kind of what was chosen and the source that it reads, and the way, if it is one of the planner."""

    kind: WayKind
    index: str
    way: Way | None = None


class PlannedList(Generic[T]):
    """One list, and the ways to read it; ``opened`` has its query and what reads an index.

    Its order is that of one way. Positions are that way's, however the list is read. ``differ`` says that the counts
    cannot be right, and ``revision`` that of the list, if something counts that.
    """

    def __init__(
        self,
        opened: AskedPage[T],
        counts: FacetCounts[Any],
        sample: Sample[T],
        *,
        differ: bool = False,
        revision: int | None = None,
    ) -> None:
        self.opened, self.declaration, self.query, self.cursor = opened, opened.declaration, opened.query, opened.cursor
        self.wanted, self.counts, self.fetch = self.query.wanted, counts, opened.fetch
        self.sample, self.differ, self.revision = sample, differ, revision
        self.ascending = not self.query.descending
        self.item_bytes = partial(self.declaration.item_bytes, self.query.owner)
        """About how many bytes an item has in a source."""
        self.uncounted = Uncounted(self.declaration, self.wanted, sample)
        self.planner = ListPlanner(
            self.declaration, counts, self.wanted, self.item_bytes, ascending=self.ascending, share=self.uncounted.share
        )
        self.counted = self.wanted.counted and not self.query.only
        """Whether the counts say how many items the list has."""
        self.matches = partial(matches, self.declaration, self.wanted)
        """Whether an item is in the list. Each row is checked, so an outdated count never shows a wrong one."""
        self.orders = self._orders()
        self.order = self.orders[0]
        own = self.order.index if self.order.kind is WayKind.IN_ORDER else None  # the order of the list reads it anyway
        found = [] if self.counted or self.query.only else self.planner.narrow()
        others = (each for each in found if each.source != own)
        self.sources = Sources(others, self.uncounted, self.item_bytes, self.fetch)
        self.chosen = ChosenWay(self.order.kind, self.order.index)

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
        wanted, sizes = replace(self.wanted, rows=Wanted.rows), self.declaration.usual_bytes
        usual = ListPlanner(self.declaration, self.counts, wanted, sizes, ascending=self.ascending, indexes=indexes)
        return usual.in_order()[0].index

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
            self.chosen = ChosenWay(WayKind.NOTHING, self.order.index)
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
            return way.kind is WayKind.IN_ORDER and len(way.plan.groups) == 1
        if whole and self.best.items > LARGEST:
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
            return self._sorted(whole_range(self.fetch(""), self.declaration.all_keys(""), self.counts.total))

    # --- What nothing counts ------------------------------------------------------------------------------

    def _narrowed(self) -> Listing[T] | None:
        """The list from a source, or from the ranges of the best way, if that is expected to cost less than a walk.

        Nothing counts what is in them. If they cost more, the list is read as if they were not there.
        """
        walk = self.best.cost if self.order.kind is WayKind.IN_MEMORY else self.page_cost
        other = min(walk, self.best.cost, key=attrgetter("weight"))
        for cost, narrow in self.sources.cheaper(other)[:1]:
            if DOUBT * cost.weight < other.weight:
                return self.of_few(narrow, other.units)
        way = self.best
        if (
            not way.narrowed
            or self.order.kind is WayKind.IN_MEMORY
            or isinf(walk.units)
            or self._order_serves(whole=False)
        ):
            return None
        narrow = Narrow(way.narrowed, way.index, tuple(planned.keys for planned in way.plan.ranges), way.among)
        return self.of_few(narrow, max(walk.units, OVERRUN * way.cost.units), way) or self.read(self.order)

    def of_few(self, narrow: Narrow, units: float, way: Way | None = None) -> Listing[T] | None:
        """The list from a source; ``None`` if that costs more than so many read units."""
        items = self.sources.read(narrow, units)
        if items is None:
            return None
        self.chosen = ChosenWay(way.kind if way else WayKind.LOOKED, narrow.source, way)
        return self._sorted(items)

    def _budget(self, way: Way) -> int:
        """How many items of a way cost as much as the cheapest other one, as far as is known by now."""
        cheapest = min([self.best.cost.units, *(cost.units for cost, _ in self.sources.cheaper(self.best.cost))])
        return items_for(cheapest, self.item_bytes(way.index))

    def _rest(self) -> Listing[T]:
        """The same list from a source or sorted in memory, for a walk that is longer than was expected."""
        for _, narrow in self.sources.cheaper(self.best.cost):
            if rows := self.of_few(narrow, self.best.cost.units):
                return rows
        return self.in_memory(self.best)

    # --- Each kind of way ---------------------------------------------------------------------------------

    def read(self, way: Way) -> Listing[T]:
        """The list, read in one way."""
        self.chosen = ChosenWay(way.kind, way.index, way)
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
        fetch, sizes = self.fetch(way.index), [each.items for each in way.plan.ranges]
        counts = way.expected if self.counted else [None] * len(way.parts)
        prefix = self.declaration.prefix(way.index)
        parts = [
            Part(beyond(fetch, keys.prefix(*prefix, *part)), rows, min(max((rows or 0) / max(items, 1), 0.01), 1.0))
            for part, rows, items in zip(way.parts, counts, sizes, strict=True)
        ]
        begin = keys.prefix(*prefix, *way.parts[0])
        span, exact = way.plan.ranges[0].keys, self._otherwise(way)
        return Merged(
            **self._listed(),
            parts=parts,
            span=KeyRange(span.low.removeprefix(begin), span.high.removeprefix(begin)),
            keep=self.matches,
            exact=exact,
            budget=items_for(self.best.cost.units, self.item_bytes(way.index)) if exact else 0,
            minimum=items_paid(self.item_bytes(way.index)),
        )

    def _otherwise(self, way: Way) -> Callable[[], Listing[T]] | None:
        """The same list from a source or sorted in memory, for a walk whose filter drops more than was expected."""
        if way.density == 1 or self.query.only:
            return None
        short = self.best.items <= LARGEST and self.best.cost.weight < way.plan.cost.weight
        return self._rest if short or self.sources else None

    def in_memory(self, way: Way) -> Listing[T]:
        """The list of all items that match, sorted. If the counts are wrong, all items of the owner are read."""
        fetch = self.fetch(way.index)
        if way.narrowed:  # nothing counts what is in its ranges
            calls = [partial(whole_range, fetch, each.keys) for each in way.plan.ranges]
            return self._sorted([item for part in in_parallel(calls) for item in part])
        items = whole_ranges(fetch, way.plan.ranges)
        return self.without_counts() if items is None else self._sorted(items)

    def without_counts(self) -> Listing[T]:
        """The list from one Query of all items, sorted in memory: the counts do not say where they are."""
        owner = " of ".join([self.declaration.name, *self.query.owner])
        logger.warning("The counts of the %s and the %s differ. Run verify_data.", owner, self.declaration.name)
        way = self.planner.all()
        self.chosen = ChosenWay(WayKind.WITHOUT_COUNTS, way.index)
        with ledger.purpose("list"):
            items = whole_range(self.fetch(way.index), self.declaration.all_keys(way.index))
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
    found = [*_nothing(planned), *_in_order(planned), *_in_memory(planned), *_looked(planned)]
    return sorted(found, key=lambda way: (not way.chosen, way.cost.weight))


def _nothing(planned: PlannedList[Any]) -> Iterator[Candidate]:
    """No request, if no item can be in the list."""
    if planned.chosen.kind is WayKind.NOTHING:
        words = "The filters contradict each other, or the counts know no such item."
        yield Candidate("no request", words, Charge(), planned.empty, True, words)


def _in_order(planned: PlannedList[Any]) -> Iterator[Candidate]:
    """The ways that have the order of the list: a page is read from the cursor on."""
    for way in planned.orders:
        if way.kind is WayKind.IN_MEMORY or isinf(way.cost.weight):
            continue
        own = way.index == planned.order.index
        chosen = own and planned.chosen.kind is way.kind
        ahead = SENT_AHEAD if chosen and planned.wanted.everything else ""
        cost = planned.page_cost if own else way.cost
        why = ahead if own else KEPT_ORDER
        yield Candidate(
            _source(planned, way.index), _words(planned, way), cost, partial(planned.again, way), chosen, why
        )


def _in_memory(planned: PlannedList[Any]) -> Iterator[Candidate]:
    """Every index: all items that may match are read, and sorted in memory."""
    for way in [] if planned.order.order.when else planned.planner.in_memory():
        chosen = planned.chosen.kind is WayKind.IN_MEMORY and planned.chosen.way == way
        ranges, name = counted(len(way.plan.groups), "range"), planned.declaration.name
        words = f"Reads all {way.items:,} {name} that may match, from {ranges}, and sorts them."
        if way.items == planned.planner.counts.total and not way.narrowed:
            words = f"Reads all {way.items:,} {name}, and sorts those that match."
        yield Candidate(_source(planned, way.index), words, way.cost, partial(planned.again, way), chosen)
    if planned.chosen.kind is WayKind.WITHOUT_COUNTS:
        words = "The counts and the items differ, so this reads all items and sorts those that match."
        cost = planned.planner.all().cost
        yield Candidate(source_name(planned.chosen.index), words, cost, planned.without_counts, True, DIFFER)


def _looked(planned: PlannedList[Any]) -> Iterator[Candidate]:
    """The ranges of which nothing counts the items, and which hold every item of the list."""
    for narrow in planned.sources:
        chosen, length = planned.chosen == ChosenWay(WayKind.LOOKED, narrow.source), planned.uncounted.length(narrow)
        ranges, about = (
            counted(len(narrow.spans), "range"),
            "" if length is None else f", about {counted(round(length), 'item')}",
        )
        words = f"Reads {ranges}{about}, if that is short, and sorts what matches."
        why = FOUND if chosen else UNKNOWN if length is None else ""
        way, cost = partial(planned.of_few, narrow, planned.planner.all().cost.units), planned.sources.cost(narrow)
        yield Candidate(_source(planned, narrow.source), words, cost, way, chosen, why)


def _source(planned: PlannedList[Any], source: str) -> str:
    return source_name(planned.declaration.read_at(planned.query.owner, source)[1])


def _words(planned: PlannedList[Any], way: Way) -> str:
    ranges, order = counted(len(way.plan.groups), "range"), ", ".join(planned.declaration.sorted_by(way.order))
    if way.kind is WayKind.MERGED:
        return f"Reads one page from {ranges}, merged by {planned.wanted.sort[0]}."
    if way.density < 1:
        drops = f"drops those that do not match. About {way.density:.0%} should"
        return f"Walks the {planned.declaration.name} in the order of the list ({order}), and {drops}."
    return f"Reads one page in the order of the list ({order}), from {ranges}."
