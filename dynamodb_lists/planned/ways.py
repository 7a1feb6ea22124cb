"""The planner of declared lists: every way to read a page, what each costs, and the cheapest.

Pure: a declaration, the counts, a selection and a sort in, ways out. There are three kinds.

*In key order*: an index begins with the sort, once the facets with a single value are left out. Its ranges are read one
after the other. *Merged*: an index begins with facets, and then has the sort. There is a range for each combination of
these facets that exists and is wanted, and all are merged. *In memory*: all ranges of any index are read, and sorted.

The counts say how many items a range holds, and how many of these are wanted: the *density*. What nothing counts, such
as a range of days, is taken to leave half of the items.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from math import ceil, inf, sqrt

from dynamodb_lists.declared.declaration import EVERYTHING, Declaration
from dynamodb_lists.declared.orders import Order
from dynamodb_lists.declared.wanted import Wanted
from dynamodb_lists.planning import range_planner
from dynamodb_lists.planning.range_planner import FacetIndex, Plan, PlannedRange, Run
from dynamodb_lists.planning.request_cost import Charge, query_cost
from dynamodb_lists.planning.selection import Combination, FacetCounts, Selection
from dynamodb_lists.planning.walk_planner import UNKNOWN_DENSITY
from dynamodb_lists.planning.waves import wave_cost
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
    LOOKED = "looked"
    WITHOUT_COUNTS = "without counts"


@dataclass(frozen=True)
class Way:
    """A way to read a page: the plan of an index, of whose ``items`` the share ``density`` is wanted.

    ``start`` is the number of fields that positions leave out, because they are the same in each range that is merged:
    its ``parts``. ``expected`` says how many wanted items each of these ranges holds. ``narrowed`` names the field of
    which nothing counts the values, if the plan reads a range of it.
    """

    kind: Kind
    index: str
    order: Order
    plan: Plan
    items: int
    start: int = 0
    parts: tuple[Combination, ...] = ()
    expected: tuple[int, ...] = ()
    density: float = 1.0
    cost: Charge = Charge()
    narrowed: str = ""

    @property
    def ranges(self) -> tuple[PlannedRange, ...]:
        """The ranges to read."""
        return self.plan.ranges


class ListPlanner:
    """Plans a page. ``item_bytes`` gives about how many bytes an item has in an index."""

    def __init__(
        self,
        declaration: Declaration,
        counts: FacetCounts[Combination],
        wanted: Wanted,
        item_bytes: Callable[[str], float],
        *,
        ascending: bool = True,
    ) -> None:
        self.declaration, self.counts, self.wanted = declaration, counts, wanted
        self.item_bytes, self.ascending = item_bytes, ascending
        self.orders = declaration.whole_orders
        self._plans: dict[str, tuple[Plan, int]] = {}
        self._projections: dict[tuple[str, ...], tuple[FacetCounts[Combination], Selection]] = {}

    @cached_property
    def matching(self) -> int:
        """How many items the facets allow."""
        return sum(max(self.counts[each], 0) for each in self.counts.allowed(self.wanted.selection))

    def in_order(self) -> list[Way]:
        """The ways that give the sort, the cheapest first."""
        found = [way for name in self.orders for way in self._in_order(name)]
        return sorted(found, key=lambda way: (way.cost.weight, -way.density))

    def in_memory(self) -> list[Way]:
        """The ways that read all that may match, the cheapest first. Of those that read all items there is one."""
        found = [self._whole(name) for name in self.orders]
        some = [way for way in found if way.narrowed or any(map(self.wanted.selection.narrows, way.plan.index.order))]
        return sorted([*some, *([] if some and self.wanted.counted else [self.all()])], key=lambda way: way.cost.weight)

    def all(self) -> Way:
        """The way that reads all items, in the smallest index."""
        name = min(self.orders, key=self.item_bytes)
        plan = Plan(FacetIndex(name, (), self.item_bytes(name)), ((self._all,),), self.declaration.prefix(name))
        return Way(Kind.IN_MEMORY, name, self.orders[name], plan, self.counts.total, cost=plan.cost)

    def sparse(self, name: str) -> Way:
        """The way that reads a sparse list, in its order. Nothing counts its items."""
        order, wanted = self.declaration.sparse[name], self.wanted
        span = wanted.ranges.get(order.fields[0])
        spans = self.declaration.spans(order.fields[0], span) if span else [EVERYTHING]
        unknown = {*wanted.names(), *(rule.name for rule in wanted.rules if rule.within != name)} - {order.fields[0]}
        density = UNKNOWN_DENSITY ** len(unknown)
        index, rows = FacetIndex(name, (), self.item_bytes(name)), ceil(wanted.rows / density)
        plan = Plan(index, tuple((Run((), (), rows, True),) for _ in spans), named=tuple(spans))
        cost = query_cost([rows], index.item_bytes)
        return Way(Kind.IN_ORDER, name, order, plan, rows, density=density, cost=cost, narrowed=order.fields[0])

    def narrow(self) -> list[tuple[str, Sequence[KeyRange]]]:
        """Ranges that hold all that is wanted, of whose length nothing is known: one place for each field or rule."""
        found: dict[str, tuple[str, Sequence[KeyRange]]] = {}
        for place, span in self.declaration.elsewhere(self.wanted.ranges):
            found.setdefault(place, (place, [span]))
        for rule in self.wanted.rules:
            if rule.within:
                found[rule.name] = rule.within, [EVERYTHING]
        for way in self.in_memory():
            if way.narrowed:
                found.setdefault(way.narrowed, (way.index, [each.keys for each in way.ranges]))
        return [*found.values()]

    @property
    def pictured(self) -> list[str]:
        """The orders by all facets, of which there can be a picture."""
        every, leading = {*self.declaration.facets}, self.declaration.leading
        return [name for name, order in self.orders.items() if every and {*leading(order)} == every]

    def compared(self) -> list[Plan]:
        """The plans of the orders by all facets."""
        return [self._plan(name)[0] for name in self.pictured]

    # --- The ways of one index ----------------------------------------------------------------------------

    def _in_order(self, name: str) -> Iterator[Way]:
        """In key order if the index begins with the sort, else merged if the sort comes after its leading facets."""
        order, sort, selection = self.orders[name], self.wanted.unfixed, self.wanted.selection
        leading, fields = self.declaration.leading(order), self.declaration.sorted_by(order)
        if leading and not self.counts and not self.wanted.everything:
            return  # nothing tells which values there are
        plan, items = self._plan(name)
        if tuple(field for field in fields if not selection.fixes(field))[: len(sort)] == sort:
            rows = ceil(self.wanted.rows / self._density(name, items))
            cost = wave_cost(plan, rows, ascending=self.ascending)
            yield self._paged(name, plan, items, cost)
        elif leading and fields[len(leading) :][:1] == sort:
            yield self._merged(name, leading)

    def _merged(self, name: str, leading: Sequence[str]) -> Way:
        """A range for each combination of the leading facets. More than :data:`MOST_PARTS` are never read."""
        parts = self._tuples(leading)
        spans = self._spans(name) or [KeyRange("", keys.HIGHEST)]
        plan, items = self._narrowed(name, parts, spans[:1] if len(spans) == 1 else [KeyRange("", keys.HIGHEST)])
        density, expected = self._density(name, items), self._wanted_of(leading, parts)
        cost = query_cost(self._shares(expected, density), self.item_bytes(name))
        many = not 0 < len(parts) <= MOST_PARTS
        way = self._paged(name, plan, items, replace(cost, units=inf) if many else cost)
        return replace(way, kind=Kind.MERGED, start=len(leading), parts=tuple(parts), expected=tuple(expected))

    def _paged(self, name: str, plan: Plan, items: int, cost: Charge) -> Way:
        """A way with what a page of it costs. If it drops items it may be unlucky, so that is one request more."""
        density = self._density(name, items)
        cost = replace(cost, requests=cost.requests + (density < 1))
        narrowed = self._narrowing(name)
        return Way(Kind.IN_ORDER, name, self.orders[name], plan, items, density=density, cost=cost, narrowed=narrowed)

    def _whole(self, name: str) -> Way:
        plan, items = self._plan(name)
        narrowed = self._narrowing(name)
        return Way(Kind.IN_MEMORY, name, self.orders[name], plan, items, cost=plan.cost, narrowed=narrowed)

    def _density(self, name: str, items: int) -> float:
        """The share of the items of a plan that is wanted."""
        unknown = len(self.wanted.rules) + len(self.wanted.ranges.keys() - {self._narrowing(name)})
        return float(min(max(self.matching, 1) / max(items, 1), 1.0) * UNKNOWN_DENSITY**unknown)

    def _shares(self, expected: Sequence[int], density: float) -> Iterator[int]:
        """How many items of each range a page reads that merges them: its share, and a margin."""
        total = sum(expected) or 1
        for number in expected:
            share = self.wanted.rows * number / total
            yield ceil(min(share + SPARE_DEVIATIONS * sqrt(share), number) / density)

    # --- The plan of one index ----------------------------------------------------------------------------

    def _plan(self, name: str) -> tuple[Plan, int]:
        """The ranges of an index that hold all that is wanted, and how many items they hold at most."""
        if name not in self._plans:
            self._plans[name] = self._planned(name)
        return self._plans[name]

    def _planned(self, name: str) -> tuple[Plan, int]:
        leading = self.declaration.leading(self.orders[name])
        if spans := self._spans(name):
            return self._narrowed(name, self._tuples(leading), spans)
        index = FacetIndex(name, leading, self.item_bytes(name))
        if not any(map(self.wanted.selection.narrows, leading)):
            return Plan(index, ((self._all,),), self.declaration.prefix(name)), self.counts.total
        counts, selection = self._projected(leading)
        (plan,) = range_planner.plans(counts, [index], selection, self.declaration.prefix(name))
        return plan, plan.total

    @property
    def _all(self) -> Run:
        return Run((), (), self.counts.total, True)

    def _narrowed(self, name: str, tuples: Sequence[Combination], spans: Sequence[KeyRange]) -> tuple[Plan, int]:
        """A range for each combination of the leading facets and each range of the field after them."""
        leading = self.declaration.leading(self.orders[name])
        numbers, _ = self._projected(leading)
        named, groups, items = list[KeyRange](), list[tuple[Run, ...]](), 0
        for parts in tuples:
            begin, number = keys.prefix(*self.declaration.prefix(name), *parts), self.counts.total
            if parts:
                number = numbers[self._in_facet_order(leading, parts)]
            named += [KeyRange(f"{begin}{span.low}" or " ", f"{begin}{span.high}") for span in spans]
            groups += [(Run(parts, parts, number, True),) for _ in spans]
            items += number
        index = FacetIndex(name, tuple(leading), self.item_bytes(name))
        return Plan(index, tuple(groups), self.declaration.prefix(name), tuple(named)), items

    def _narrowing(self, name: str) -> str:
        """The field after the leading facets, if the plan of an index has ranges of it; blank otherwise."""
        return self._field_after(name) if self._spans(name) else ""

    def _field_after(self, name: str) -> str:
        order = self.orders[name]
        after = self.declaration.sorted_by(order)[len(self.declaration.leading(order)) :]
        return after[0] if after else ""

    def _spans(self, name: str) -> list[KeyRange]:
        """The ranges of the field after the leading facets that are wanted, if these are not too many."""
        field = self._field_after(name)
        if field not in self.wanted.ranges:
            return []
        spans = self.declaration.spans(field, self.wanted.ranges[field])
        tuples = len(self._tuples(self.declaration.leading(self.orders[name])))
        return spans if 0 < tuples * len(spans) <= MOST_PARTS else []

    def _tuples(self, leading: Sequence[str]) -> list[Combination]:
        """The existing and wanted values of leading facets together, in the order of their index."""
        if not leading:
            return [()]
        counts, selection = self._projected(leading)
        numbers = [*map(counts.facets.index, leading)]
        return sorted(tuple(map(each.__getitem__, numbers)) for each in counts.allowed(selection))

    def _wanted_of(self, leading: Sequence[str], tuples: Sequence[Combination]) -> list[int]:
        """How many wanted items begin with each of these combinations of leading facets."""
        numbers, found = [*map(self.declaration.facets.index, leading)], dict.fromkeys(tuples, 0)
        for each in self.counts.allowed(self.wanted.selection):
            found[tuple(map(each.__getitem__, numbers))] += max(self.counts[each], 0)
        return [*found.values()]

    def _in_facet_order(self, leading: Sequence[str], parts: Combination) -> Combination:
        """The values of leading facets in the order of the counts by these facets."""
        values, (counts, _) = dict(zip(leading, parts, strict=True)), self._projected(leading)
        return tuple(map(values.__getitem__, counts.facets))

    def _projected(self, leading: Sequence[str]) -> tuple[FacetCounts[Combination], Selection]:
        """The counts and the selection by some of the facets alone."""
        facets = tuple(facet for facet in self.declaration.facets if facet in leading)
        if facets == self.declaration.facets:
            return self.counts, self.wanted.selection
        if facets not in self._projections:
            numbers = [*map(self.declaration.facets.index, facets)]
            found: dict[Combination, int] = {}
            for combination, number in self.counts.items():
                part = tuple(map(combination.__getitem__, numbers))
                found[part] = found.get(part, 0) + max(number, 0)
            chosen = self.wanted.selection
            values = {facet: chosen.values[facet] for facet in facets if facet in chosen.values}
            bounds = {facet: chosen.bounds[facet] for facet in facets if facet in chosen.bounds}
            self._projections[facets] = FacetCounts(facets, found), Selection(values, bounds)
        return self._projections[facets]
