"""The planner of declared lists: every way to read a page, what each costs, and the cheapest.

Pure: a declaration, the counts, a selection and a sort in, ways out. There are three kinds.

*In key order*: an index begins with the sort, once the facets with a single value are left out. Its ranges are read one
after the other. *Merged*: an index begins with facets, and then has the sort. There is a range for each combination of
these facets that exists and is wanted, and all are merged. *In memory*: all ranges of any index are read, and sorted.

The counts say how many items a range holds, and how many of these are wanted: the *density*. What nothing counts, such
as a range of days, is taken to leave half of the items.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from itertools import dropwhile
from math import ceil, sqrt
from typing import Any

from dynamodb_lists.lists.declaration import EVERYTHING, Declaration, Order
from dynamodb_lists.planning import range_planner
from dynamodb_lists.planning.range_planner import FacetIndex, PlannedRange
from dynamodb_lists.planning.request_cost import Charge, query_cost
from dynamodb_lists.planning.selection import Combination, FacetCounts, Selection
from dynamodb_lists.planning.walk_planner import UNKNOWN_DENSITY
from dynamodb_lists.reading.merging import SPARE_DEVIATIONS
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.keys import KeyRange

MOST_PARTS = 24
"""The most ranges that are merged, or that a range of days or numbers narrows. They go out together."""


class Kind(Enum):
    """How the rows of a way become a list."""

    IN_ORDER = "in order"
    MERGED = "merged"
    IN_MEMORY = "in memory"


@dataclass(frozen=True)
class Wanted:
    """What a query wants: values of facets, ranges of other fields as parts of keys, and a sort; blank for any order.

    ``rows`` is one more than a page has.
    """

    selection: Selection = field(default_factory=Selection)
    ranges: Mapping[str, KeyRange] = field(default_factory=dict)
    sort: str = ""
    rows: int = 26
    exact: Mapping[str, Any] = field(default_factory=dict)
    """Values of fields that ranges of parts hold among others, because parts are slugs."""

    @property
    def nothing(self) -> bool:
        """Whether no item can be wanted, because a range ends before it begins or a set is empty."""
        bounds = (*self.selection.bounds.values(), *((span.low, span.high) for span in self.ranges.values()))
        return any(low > high for low, high in bounds) or not all(self.selection.values.values())

    def admits(self, name: str, part: str) -> bool:
        """Whether a field may have a value."""
        return self.selection.admits(name, part) and (name not in self.ranges or part in self.ranges[name])


@dataclass(frozen=True)
class Way:
    """A way to read a page. ``ranges`` are keys of the index; ``parts`` the first parts of each, if they are merged.

    ``start`` is the number of fields that positions leave out, because they are the same in a whole range.
    """

    kind: Kind
    index: str
    order: Order
    start: int
    ranges: tuple[PlannedRange, ...]
    parts: tuple[Combination, ...] = ()
    expected: tuple[int, ...] = ()
    """How many wanted items each of the ranges holds, by the counts."""
    density: float = 1.0
    cost: Charge = Charge()
    narrowed: bool = False
    """Whether a range of a field that nothing counts has narrowed the ranges."""

    @property
    def items(self) -> int:
        """How many items the counts expect in the ranges."""
        return sum(each.items for each in self.ranges)


class ListPlanner:
    """Plans one page. ``item_bytes`` gives about how many bytes an item has in an index."""

    def __init__(
        self,
        declaration: Declaration,
        counts: FacetCounts[Combination],
        wanted: Wanted,
        item_bytes: Mapping[str, float],
    ) -> None:
        self.declaration, self.counts, self.wanted, self.item_bytes = declaration, counts, wanted, item_bytes
        self.orders = {"": Order(), **{name: o for name, o in declaration.orders.items() if o.when is None}}

    @cached_property
    def matching(self) -> int:
        """How many items the facets allow."""
        return sum(max(self.counts[each], 0) for each in self.counts.allowed(self.wanted.selection))

    def in_order(self) -> list[Way]:
        """The ways that give the sort, the cheapest first."""
        found = [way for name in self.orders for way in self._in_order(name)]
        return sorted(found, key=lambda way: (way.cost.weight, -way.density))

    def in_memory(self) -> list[Way]:
        """The ways that read all that may match, the cheapest first. Those that something narrows come first."""
        found = [self._whole(name) for name in self.orders]
        return sorted(found, key=lambda way: (not way.narrowed, way.cost.weight))

    def _in_order(self, name: str) -> Iterator[Way]:
        """In key order if the index begins with the sort, else merged if the sort comes after its leading facets."""
        order, sort = self.orders[name], self.wanted.sort
        if self.wanted.selection.fixes(sort):  # a facet with a single value sorts nothing
            sort = ""
        if self.declaration.leading(order) and not self.counts:
            return  # nothing tells which values there are
        fields = (*order.fields, self.declaration.id_field)
        after = next(dropwhile(self.wanted.selection.fixes, fields))
        leading = self.declaration.leading(order)
        if sort in ("", after):
            yield self._paged(Kind.IN_ORDER, name, 0, self._ranges(name))
        elif leading and fields[len(leading)] == sort and 0 < len(tuples := self._tuples(leading)) <= MOST_PARTS:
            yield self._paged(Kind.MERGED, name, len(leading), self._each(name, tuples), tuples)

    def _whole(self, name: str) -> Way:
        ranges, narrowed = self._ranges(name), self._narrows(name)
        cost = query_cost([each.items for each in ranges], self.item_bytes[name])
        return Way(Kind.IN_MEMORY, name, self.orders[name], 0, ranges, cost=cost, narrowed=narrowed)

    def _paged(
        self, kind: Kind, name: str, start: int, ranges: tuple[PlannedRange, ...], parts: Sequence[Combination] = ()
    ) -> Way:
        """A way with what a page of it costs."""
        items = sum(each.items for each in ranges)
        density = max(self.matching, 1) / max(items, 1) * self._unknown(name)
        density = min(density, 1.0)
        expected = tuple(self._wanted_of(name, part) for part in parts) if parts else ()
        needed = [*self._merged_items(expected, density)] if parts else [*self._first_items(ranges, density)]
        cost = query_cost(needed, self.item_bytes[name])
        return Way(kind, name, self.orders[name], start, ranges, tuple(parts), expected, density, cost)

    def _first_items(self, ranges: Sequence[PlannedRange], density: float) -> Iterator[int]:
        """How many items of each range a page reads, one range after the other."""
        need = ceil(self.wanted.rows / density)
        for each in ranges:
            items = min(need, each.items) if each.segments else need
            yield items
            need -= items
            if need <= 0:
                return

    def _merged_items(self, expected: Sequence[int], density: float) -> Iterator[int]:
        """How many items of each range a page reads: its share, and a margin."""
        total = sum(expected) or 1
        for number in expected:
            share = self.wanted.rows * number / total
            yield ceil(min(share + SPARE_DEVIATIONS * sqrt(share), number) / density)

    def _unknown(self, name: str) -> float:
        """The share of items that ranges leave which this index does not narrow."""
        narrowed = self._narrowed_by(name)
        return float(UNKNOWN_DENSITY ** len([each for each in self.wanted.ranges if each != narrowed]))

    # --- The ranges of an index ---------------------------------------------------------------------------

    def _narrowed_by(self, name: str) -> str:
        """The field after the leading facets, if a range of it is wanted; blank otherwise."""
        order = self.orders[name]
        leading = self.declaration.leading(order)
        field_ = (*order.fields, self.declaration.id_field)[len(leading)]
        if field_ not in self.wanted.ranges:
            return ""
        return field_ if not leading or 0 < len(self._tuples(leading)) <= MOST_PARTS else ""

    def _narrows(self, name: str) -> bool:
        return bool(self._narrowed_by(name))

    def _ranges(self, name: str) -> tuple[PlannedRange, ...]:
        """The ranges of an index that hold all that is wanted, in key order."""
        leading = self.declaration.leading(self.orders[name])
        if self._narrows(name):
            return self._each(name, self._tuples(leading))
        if not leading:
            return (_planned(EVERYTHING, self.counts.total),)
        index = FacetIndex(name, leading, self.item_bytes[name])
        counts, selection = self._projected(leading)
        (plan,) = range_planner.plans(counts, [index], selection)
        return plan.ranges

    def _each(self, name: str, tuples: Sequence[Combination]) -> tuple[PlannedRange, ...]:
        """A range for each tuple of leading facets, narrowed by a range of the field after them."""
        order = self.orders[name]
        leading = self.declaration.leading(order)
        span = self.wanted.ranges.get((*order.fields, self.declaration.id_field)[len(leading)])
        numbers, _ = self._projected(leading)
        found = []
        for parts in tuples:
            begin = keys.prefix(*parts)
            high = f"{begin}{span.high}{keys.HIGHEST}" if span else f"{begin}{keys.HIGHEST}"
            low = f"{begin}{span.low}" if span else begin or EVERYTHING.low
            found.append(_planned(KeyRange(low, high), numbers[parts] if parts else self.counts.total))
        return tuple(found)

    def _tuples(self, leading: Sequence[str]) -> list[Combination]:
        """The existing and wanted values of leading facets together."""
        if not leading:
            return [()]
        counts, selection = self._projected(leading)
        return sorted(counts.allowed(selection))

    def _wanted_of(self, name: str, parts: Combination) -> int:
        """How many wanted items begin with these parts."""
        leading = self.declaration.leading(self.orders[name])
        numbers = [self.declaration.facets.index(facet) for facet in leading]
        allowed = self.counts.allowed(self.wanted.selection)
        return sum(max(self.counts[each], 0) for each in allowed if tuple(each[n] for n in numbers) == parts)

    def _projected(self, leading: Sequence[str]) -> tuple[FacetCounts[Combination], Selection]:
        """The counts and the selection by some of the facets alone."""
        if tuple(leading) not in self._projections:
            numbers = [self.declaration.facets.index(facet) for facet in leading]
            found: dict[Combination, int] = {}
            for combination, number in self.counts.items():
                part = tuple(combination[n] for n in numbers)
                found[part] = found.get(part, 0) + max(number, 0)
            chosen = self.wanted.selection
            values = {facet: chosen.values[facet] for facet in leading if facet in chosen.values}
            bounds = {facet: chosen.bounds[facet] for facet in leading if facet in chosen.bounds}
            self._projections[tuple(leading)] = FacetCounts(leading, found), Selection(values, bounds)
        return self._projections[tuple(leading)]

    @cached_property
    def _projections(self) -> dict[tuple[str, ...], tuple[FacetCounts[Combination], Selection]]:
        return {}


def _planned(span: KeyRange, items: int) -> PlannedRange:
    return PlannedRange(span, (range_planner.Segment(span, items, True),))
