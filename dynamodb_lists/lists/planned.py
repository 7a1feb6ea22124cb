"""A declared list: the ways to read it that serve a query, and the listing of each."""

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from time import monotonic
from typing import Any, Generic, TypeVar

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.errors import BadCursor
from dynamodb_lists.lists.asked import ListQuery
from dynamodb_lists.lists.counts import Combination
from dynamodb_lists.lists.declaration import EVERYTHING, Declaration, Order
from dynamodb_lists.lists.plans import Kind, ListPlanner, Way
from dynamodb_lists.planning.range_planner import PlannedRange
from dynamodb_lists.planning.request_cost import OVERRUN, items_paid, query_cost
from dynamodb_lists.planning.selection import FacetCounts
from dynamodb_lists.planning.walk_planner import UNKNOWN_DENSITY, look
from dynamodb_lists.planning.wording import counted, source_name
from dynamodb_lists.reading.cursors import Position
from dynamodb_lists.reading.fetching import in_parallel, item_bytes
from dynamodb_lists.reading.lists import Batch, Candidate, Fetch, Listing, Row
from dynamodb_lists.reading.merging import Merged, Part
from dynamodb_lists.reading.ranges import LARGEST, Ranges, whole_range, whole_ranges
from dynamodb_lists.reading.sorting import SortedRows
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.keys import KeyRange

T = TypeVar("T")
ENTRY_BYTES = 250
"""About how many bytes an item has in an index, until answers tell better."""
MOST_VAIN, VAIN_SECONDS = 1000, 60.0
"""How many looks in vain a process remembers, and for how long."""
FIRST_GUESS = 4
"""After a look in vain, a walk asks at first for so many times the items that it would ask for without it."""
MOST_LOOKS = 4
"""The most ranges that are looked at to find out whether all they hold can be sorted in memory."""

logger = logging.getLogger(__name__)


class PlannedList(Generic[T]):
    """One list, and the ways to read it; ``fetch`` gives what reads an index.

    Its order is that of one way. Positions are that way's, however the list is read.
    """

    def __init__(
        self,
        declaration: Declaration,
        query: ListQuery,
        counts: FacetCounts[Combination],
        fetch: Callable[[str], Fetch[T]],
        vain: dict[Any, tuple[float, float]],
    ) -> None:
        self.declaration, self.query, self.wanted, self.counts = declaration, query, query.wanted, counts
        self.fetch, self.vain = fetch, vain
        self.cursor = query.opened(self.declaration.name)
        partition = self.declaration.partition(query.owner)
        entry = item_bytes(partition, "any", ENTRY_BYTES)  # that of all indexes
        sizes = {**dict.fromkeys(self.declaration.orders, entry), "": item_bytes(partition, "", 2 * entry)}
        self.planner = ListPlanner(self.declaration, counts, query.wanted, sizes)
        self.sizes = sizes
        self.orders = self._orders()
        self.order = self.orders[0]
        self.chosen: Way = self.order

    def _orders(self) -> list[Way]:
        """The ways that give the sort, the cheapest first; that of the cursor alone, if there is one."""
        found = [self._sparse()] if self.query.only else self.planner.in_order()
        if self.cursor and self.cursor.index is not None:
            found = [way for way in found if way.index == self.cursor.index]
        if not found and self.planner.in_order() and not self.query.only:
            raise BadCursor("The cursor is from an older release. Start at the first page.")
        return found or [self._unkept()]

    def _unkept(self) -> Way:
        """An order that no index has, as long as its facets have so many values: all that may match is sorted."""
        best = min(self.planner.in_memory(), key=attrgetter("cost.weight"))
        return replace(best, order=Order(self.wanted.sort))

    def _sparse(self) -> Way:
        """A sparse list is read from its index."""
        order = self.declaration.sparse[self.query.only]
        span = self.wanted.ranges.get(order.fields[0])
        span = KeyRange(span.low, f"{span.high}{keys.HIGHEST}") if span else EVERYTHING
        unknown = len(self.wanted.selection.values) + len(self.wanted.selection.bounds)
        unknown += len(self.wanted.ranges.keys() - {order.fields[0]})
        density = UNKNOWN_DENSITY**unknown
        cost = query_cost([self.wanted.rows / density], self.sizes[self.query.only])
        return Way(Kind.IN_ORDER, self.query.only, order, 0, (PlannedRange(span),), density=density, cost=cost)

    @property
    def counted(self) -> bool:
        """Whether the counts say how many items the list has."""
        return not self.wanted.ranges and not self.query.only

    def cheapest(self, *, whole: bool = False) -> Listing[T]:
        """The list, read in the cheapest way for a page, or for all of it."""
        if self.wanted.nothing or not (self.query.only or self.planner.matching or not self.counts):
            return self._sorted([])
        if self.query.only or not self.counts:
            return self.read(self.order)
        others = self.planner.in_memory()
        if not self.counted and (rows := self._looked(others)):
            return rows
        best = min(others, key=attrgetter("cost.weight"))
        cost = query_cost([each.items for each in self.order.ranges], self.sizes[self.order.index])
        cost = cost if whole else self.order.cost
        if best.cost.weight < cost.weight and not (whole and best.items > LARGEST):
            return self.read(best)
        return self.read(self.order)

    @property
    def table_cost(self) -> float:
        """The read units of all items of the owner."""
        return query_cost([self.counts.total], self.sizes[""]).units

    def from_table(self) -> Listing[T]:
        """The list from the items themselves, which have fields that no index has."""
        with ledger.purpose("list"):
            return self._sorted(whole_range(self.fetch(""), EVERYTHING, self.counts.total))

    def _looked(self, others: Sequence[Way]) -> Listing[T] | None:
        """The list from ranges that nothing counts, if they are so short that a look reaches their ends.

        If they are longer, at least so many items are in them, so a walk in the order of the list finds a page in about
        as many items again. See :mod:`~dynamodb_lists.planning.walk_planner`.
        """
        narrow = next((way for way in others if way.narrowed and len(way.ranges) <= MOST_LOOKS), None)
        if narrow is None or (narrow.index == self.order.index and self.order.kind is Kind.IN_ORDER):
            return None
        until, share = self.vain.get(self.query.filters, (0.0, 1.0))
        if until < monotonic():
            limit = look(narrow.items, self.wanted.rows) // len(narrow.ranges) + items_paid(self.sizes[narrow.index])
            fetch = self.fetch(narrow.index)
            with ledger.purpose("list"):
                batches = in_parallel([partial(fetch, each.keys, None, True, limit) for each in narrow.ranges])
            found = [row.value for batch in batches for row in batch.rows]
            if not any(batch.stopped for batch in batches):
                self.chosen = narrow
                return self._sorted(found)
            share = sum(map(self.matches, found)) / max(self.order.items, 1)
            if len(self.vain) > MOST_VAIN:
                self.vain.clear()
            self.vain[self.query.filters] = monotonic() + VAIN_SECONDS, share
        density = min(max(share, self.order.density / FIRST_GUESS), self.order.density)
        self.orders[0] = self.order = replace(self.order, density=density)
        return None

    # --- Each kind of way -------------------------------------------------------------------------------------

    def read(self, way: Way) -> Listing[T]:
        """The list, read in one way."""
        self.chosen = way
        with ledger.purpose("list"):
            kinds: dict[Kind, Callable[[Way], Listing[T]]] = {
                Kind.IN_ORDER: self._in_order,
                Kind.MERGED: self._merged,
                Kind.IN_MEMORY: self._in_memory,
            }
            return kinds[way.kind](way)

    def _in_order(self, way: Way) -> Listing[T]:
        return Ranges(
            **self._listed(way),
            ranges=way.ranges,
            fetch=self.fetch(way.index),
            keep=self.matches,
            density=way.density,
            budget=int(OVERRUN * self.wanted.rows / way.density),
            otherwise=self._otherwise(way),
        )

    def _merged(self, way: Way) -> Listing[T]:
        fetch = self.fetch(way.index)
        span = self.wanted.ranges.get((*way.order.fields, self.declaration.id_field)[way.start])
        counts = way.expected if self.counted else [None] * len(way.parts)
        parts = [
            Part(_beyond(fetch, keys.prefix(*part)), rows, min(max((rows or 0) / max(each.items, 1), 0.01), 1.0))
            for part, rows, each in zip(way.parts, counts, way.ranges, strict=True)
        ]
        between = KeyRange(span.low, f"{span.high}{keys.HIGHEST}") if span else EVERYTHING
        return Merged(
            **self._listed(way),
            parts=parts,
            span=between,
            keep=self.matches,
            exact=self._otherwise(way),
            minimum=items_paid(self.sizes[way.index]),
        )

    def _otherwise(self, way: Way) -> Callable[[], Listing[T]] | None:
        """The same list sorted in memory, if a filter may drop far more than the counts say, and if it can be."""
        best = min(self.planner.in_memory(), key=attrgetter("cost.weight"))
        usable = way.density < 1 and self.counted and best.items <= LARGEST
        return partial(self._in_memory, best) if usable else None

    def _in_memory(self, way: Way) -> Listing[T]:
        """The list of all items that match, sorted. If the counts are wrong, all items of the owner are read."""
        fetch = self.fetch(way.index)
        if self.wanted.ranges:  # nothing counts what is in them
            calls = [partial(whole_range, fetch, each.keys) for each in way.ranges]
            return self._sorted([item for part in in_parallel(calls) for item in part])
        entities = whole_ranges(fetch, way.ranges)
        if entities is None:
            logger.warning("The counts of %s and its items differ. Run verify_data.", self.declaration.name)
            return replace(self._sorted(whole_range(fetch, EVERYTHING)), counts_differ=True)
        return self._sorted(entities)

    def _sorted(self, entities: Iterable[T]) -> SortedRows[T]:
        rows = [Row(self._position(entity), entity) for entity in entities if self.matches(entity)]
        rows.sort(key=attrgetter("position"))
        return SortedRows(**{**self._listed(self.order), "total": len(rows)}, rows=rows)

    def _position(self, entity: T) -> Position:
        order = self.order.order
        rest = (self.declaration.item_id(entity),) if self.order.index else ()
        return Position(self.declaration.sort_key(entity, order, self.order.start), rest)

    def matches(self, entity: T) -> bool:
        """Whether an item is in the list. Each row is checked, so an outdated count never shows a wrong one."""
        names = {**self.wanted.selection.values, **self.wanted.selection.bounds, **self.wanted.ranges}
        return all(
            self.wanted.admits(name, part)
            for name, part in zip(names, self.declaration.parts(entity, names), strict=True)
        ) and all((getattr(entity, name) or None) == (value or None) for name, value in self.wanted.exact.items())

    def _listed(self, way: Way) -> dict[str, Any]:
        """What is the same in whichever way the list is read."""
        return {
            "name": self.declaration.name,
            "selected": self.query.selected,
            "cursor": self.cursor,
            "index": self.order.index,
            "descending": self.query.descending,
            "total": self.planner.matching if self.counted else None,
            "candidates": lambda _: self.candidates(),
        }

    def candidates(self) -> list[Candidate]:
        """Every way to read the page, the chosen one first and then the cheapest."""
        ways = [*self.orders, *([] if self.query.only else self.planner.in_memory())]
        found = [
            Candidate(source_name(way.index), _words(way), way.cost, partial(self._again, way), way == self.chosen)
            for way in dict.fromkeys(ways)
        ]
        return sorted(found, key=lambda each: (not each.chosen, each.cost.weight))

    def _again(self, way: Way) -> Listing[T]:
        """The list, read in another way than the chosen one, in its own order."""
        other = PlannedList(self.declaration, self.query, self.counts, self.fetch, self.vain)
        if way.kind is not Kind.IN_MEMORY:
            other.order = way
        return other.read(way)


def _words(way: Way) -> str:
    ranges = counted(len(way.ranges), "range")
    if way.kind is Kind.IN_MEMORY:
        return f"Reads the {way.items:,} items of {ranges}, and sorts those that match."
    how = "merges" if way.kind is Kind.MERGED else "reads"
    drops = "" if way.density == 1 else f" About {way.density:.0%} of the items match."
    return f"A page {how} {ranges} in the order of the list.{drops}"


def _beyond(fetch: Fetch[T], begin: str) -> Fetch[T]:
    """Reads the keys that begin with a text, as if they did not: so ranges of several beginnings can be merged."""

    def cut(position: Position) -> Position:
        return position._replace(sort_key=position.sort_key.removeprefix(begin))

    def read(span: KeyRange, after: Position | None, ascending: bool, limit: int) -> Batch[T]:
        start = after and after._replace(sort_key=f"{begin}{after.sort_key}")
        batch = fetch(KeyRange(f"{begin}{span.low}", f"{begin}{span.high}"), start, ascending, limit)
        rows = [Row(cut(row.position), row.value) for row in batch.rows]
        return Batch(rows, batch.stopped and cut(batch.stopped), batch.read)

    return read
