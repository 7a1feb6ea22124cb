"""The planner of declared lists: every way to read a page, what each costs, and the cheapest.

Pure: a declaration, the counts, a selection and a sort in, ways out. These are of three kinds.

*In key order*: an index begins with the sort, once the facets with a single value are left out. Its ranges are read one
after the other. *Merged*: an index begins with facets, and then has the sort. There is a range for each combination of
these facets that exists and is wanted, and all are merged. So are those of an index that begins with the two facets of
the sort, but in turn. *In memory*: all ranges of any index are read, and sorted.

The counts say how many items a range holds, and how many of these are wanted: the *density*. Of what nothing counts,
such as a range of days, a sample of the items gives an estimate; without one it is the half. An estimate may be wrong:
it decides what a page costs, never its rows.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property, partial
from itertools import filterfalse
from math import ceil, inf, sqrt
from operator import attrgetter
from typing import Any

from dynamodb_lists.declared.asked import Wanted
from dynamodb_lists.declared.declaration import EVERYTHING, Declaration
from dynamodb_lists.declared.kept_orders import BY_ID, KeptOrder
from dynamodb_lists.declared.samples import Sample
from dynamodb_lists.planning import range_plan
from dynamodb_lists.planning.range_plan import POSITIVE, FacetIndex, PlannedRange, RangePlan, Segment, wave_cost
from dynamodb_lists.planning.request_cost import SPARE_DEVIATIONS, Charge, query_cost
from dynamodb_lists.planning.selection import Combination, FacetCounts
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.keys import KeyRange

MOST_PARTS = 24
"""The most ranges that are merged, or that a range of days or numbers narrows. They go out together."""

MOST_RANGES = 4
"""The most ranges of a source that nothing counts."""

UNKNOWN_DENSITY = 0.5
"""The share of items that match filters of which nothing is known."""

WHOLE = KeyRange("", keys.HIGHEST)
"""All that begins with leading facets."""


class WayKind(Enum):
    """How the rows of a way become a list."""

    IN_ORDER = "in order"
    MERGED = "merged"
    IN_MEMORY = "in memory"
    LOOKED = "looked"
    WITHOUT_COUNTS = "without counts"
    NOTHING = "nothing"


@dataclass(frozen=True)
class Way:
    """A way to read a page: the plan of an index, of whose ``items`` the share ``density`` is wanted.

    ``start`` is the number of fields that positions leave out, because they are the same in each range that is merged:
    its ``parts``. ``expected`` says how many wanted items each of these ranges holds. ``narrowed`` names the field or
    the rule of which nothing counts the items, if the plan reads ranges of it: a part of ``among`` so many items. If it
    is not ``known``, nothing tells how many these are.
    """

    kind: WayKind
    index: str
    order: KeptOrder
    plan: RangePlan
    items: int
    start: int = 0
    parts: tuple[Combination, ...] = ()
    expected: tuple[int, ...] = ()
    density: float = 1.0
    cost: Charge = Charge()
    narrowed: str = ""
    among: int = 0
    known: bool = True


class ListPlanner:
    """Plans a page, by default with all ``indexes``. ``item_bytes`` gives about how many bytes an item has in one."""

    def __init__(
        self,
        declaration: Declaration,
        counts: FacetCounts[Combination],
        wanted: Wanted,
        item_bytes: Callable[[str], float],
        sample: Sample[Any],
        *,
        ascending: bool = True,
        indexes: Collection[str] | None = None,
    ) -> None:
        self.declaration, self.counts, self.wanted = declaration, counts, wanted
        self.item_bytes, self.sample, self.ascending = item_bytes, sample, ascending
        orders = declaration.whole_orders
        self.orders = orders if indexes is None else {name: orders[name] for name in orders if name in indexes}
        self._ways: dict[str, Way] = {}
        self._projections: dict[tuple[str, ...], FacetCounts[Combination]] = {}

    @cached_property
    def matching(self) -> int:
        """How many items the facets allow."""
        return sum(filter(POSITIVE, map(self.counts.__getitem__, self.counts.allowed(self.wanted.selection))))

    def in_order(self, index: str | None = None) -> list[Way]:
        """The ways that give the sort, the cheapest first; with an ``index``, its way alone."""
        names = self.orders if index is None else {index} & self.orders.keys()
        found = [*filter(None, map(self._in_order, map(self._whole, names)))]
        return found if index is not None else sorted(found, key=lambda way: (way.cost.weight, -way.density))

    def in_memory(self) -> list[Way]:
        """The ways that read all that may match, the cheapest first. Of those that read all items there is one."""
        if not self.counts or self.wanted.everything:  # without counts, nothing tells which values there are
            return [self.all()]
        narrows = self.wanted.selection.narrows
        some = [way for way in map(self._whole, self.orders) if way.narrowed or any(map(narrows, way.plan.index.order))]
        found = some if some and self.wanted.counted else [*some, self.all()]
        return sorted(found, key=attrgetter("cost.weight"))

    def all(self) -> Way:
        """The way that reads all items, in the smallest index."""
        return self._unnarrowed(min(self.orders, key=self.item_bytes), ())

    def sparse(self, name: str) -> Way:
        """The way that reads a sparse list, in its order. Nothing counts its items."""
        order, wanted = self.declaration.sparse[name], self.wanted
        span = wanted.ranges.get(order.fields[0])
        spans = self.declaration.spans(order.fields[0], span, name) if span else [EVERYTHING]
        unknown = {*wanted.names, *(rule.name for rule in wanted.rules if rule.within != name)} - {order.fields[0]}
        density = self.share(unknown) if unknown else 1.0
        rows = ceil(wanted.rows / density)
        plan = self._plan(name, (), [(span, rows) for span in spans])
        cost = query_cost([rows], plan.index.item_bytes)
        return Way(WayKind.IN_ORDER, name, order, plan, rows, density=density, cost=cost, narrowed=order.fields[0])

    def looked(self) -> list[Way]:
        """Ways to all that is wanted, of which nothing counts the items: one source for each field or rule."""
        found: dict[str, Way] = {}
        for rule in self.wanted.rules:
            if rule.within:
                found[rule.name] = self._looked(rule.name, rule.within, [EVERYTHING], self.counts.total)
        for way in self.in_memory():
            if way.narrowed and way.narrowed not in found and len(way.plan.ranges) <= MOST_RANGES:
                spans = [each.keys for each in way.plan.ranges]
                found[way.narrowed] = self._looked(way.narrowed, way.index, spans, way.among)
        return [*found.values()]

    def _looked(self, name: str, source: str, spans: Sequence[KeyRange], among: int) -> Way:
        rules = {rule.name: rule.inside for rule in self.wanted.rules}
        share = self.sample.share(rules.get(name, partial(self._meets, [name])))
        items, plan = (share or 0) * among, self._plan(source, (), [(span, 0) for span in spans])
        way = Way(WayKind.LOOKED, source, BY_ID, plan, round(items), narrowed=name, among=among)
        cost = query_cost([items / len(spans)] * len(spans), plan.index.item_bytes)
        return replace(way, cost=cost, known=share is not None)

    def _plan(self, source: str, leading: tuple[str, ...], ranges: Iterable[tuple[KeyRange, int]]) -> RangePlan:
        """The plan of these ranges, each of which is expected to have so many items."""
        planned = tuple(PlannedRange(span, (Segment(items, named=span),)) for span, items in ranges)
        return RangePlan(FacetIndex(source, leading, self.item_bytes(source)), planned)

    # --- What a sample tells --------------------------------------------------------------------------------

    def share(self, names: Collection[str]) -> float:
        """About which share of the items that the facets allow meets some ranges and rules."""
        known = self.sample.share(partial(self._meets, names), self._allowed)
        return UNKNOWN_DENSITY if known is None else known

    def _meets(self, names: Collection[str], item: Any) -> bool:
        ranges = self.wanted.ranges
        parts = zip(ranges, self.declaration.parts(item, ranges), strict=True)
        if not all(part in ranges[name] for name, part in parts if name in names):
            return False
        return all(rule.holds(item) for rule in self.wanted.rules if rule.name in names)

    def _allowed(self, item: Any) -> bool:
        chosen = self.wanted.selection
        facets = [*chosen.values, *chosen.bounds]
        return all(map(chosen.admits, facets, self.declaration.parts(item, facets)))

    # --- The ways of one index ----------------------------------------------------------------------------

    def _in_order(self, way: Way) -> Way | None:
        """In key order if the index begins with the sort, else merged if the sort comes after its leading facets."""
        sort, fixed = self.wanted.unfixed, self.wanted.selection.fixes
        leading, fields = self.declaration.leading(way.order), self.declaration.sorted_by(way.order)
        if tuple(filterfalse(fixed, fields))[: len(sort)] == sort:
            density = self._density(way)
            cost = wave_cost(way.plan, ceil(self.wanted.rows / density), ascending=self.ascending)
            return replace(way, kind=WayKind.IN_ORDER, density=density, cost=_with_risk(cost, density))
        if len(sort) > 1 and leading[:2] == sort[::-1]:
            turned = self._merged(way, leading[:1])
            return replace(turned, order=KeptOrder(*sort, *fields[2:], index=way.index), start=0)
        return self._merged(way, leading) if leading and fields[len(leading) :][:1] == sort else None

    def _merged(self, way: Way, leading: tuple[str, ...]) -> Way:
        """A range for each combination of the leading facets. If these are too many, no cost serves."""
        parts, spans = self._parts(leading), self._spans(way.index, leading)
        if not 0 < len(parts) <= MOST_PARTS:
            return replace(way, kind=WayKind.MERGED, start=len(leading), cost=Charge(inf, 1))
        if len(spans) != 1:  # several ranges of the field after the facets would be no order
            spans = [WHOLE]
        way = self._narrowed(way.index, leading, spans)
        density, expected = self._density(way), self._wanted_of(leading, parts)
        cost = _with_risk(query_cost(self._shares(expected, density), self.item_bytes(way.index)), density)
        known: Any = {"start": len(leading), "parts": tuple(parts), "expected": tuple(expected)}
        return replace(way, kind=WayKind.MERGED, density=density, cost=cost, **known)

    def _density(self, way: Way) -> float:
        """The share of the items of a way that is wanted."""
        unknown = {*self.wanted.uncounted} - {way.narrowed}
        items = way.among if way.narrowed else way.items
        return min(max(self.matching, 1) / max(items, 1), 1.0) * (self.share(unknown) if unknown else 1.0)

    def _shares(self, expected: Sequence[int], density: float) -> Iterator[int]:
        """How many items of each range a page reads that merges them: its share, and a margin."""
        total = sum(expected) or 1
        for number in expected:
            share = self.wanted.rows * number / total
            yield ceil(min(share + SPARE_DEVIATIONS * sqrt(share), number) / density)

    # --- What one index must be read of -------------------------------------------------------------------

    def _whole(self, name: str) -> Way:
        """The way that reads of an index all that may match."""
        if way := self._ways.get(name):
            return way
        order = self.orders[name]
        leading = self.declaration.leading(order)
        if spans := self._spans(name, leading):
            way = self._narrowed(name, leading, spans)
        elif any(map(self.wanted.selection.narrows, leading)):
            index, counts = FacetIndex(name, leading, self.item_bytes(name)), self._projected(leading)
            plan = range_plan.plan_of(index, counts, self.wanted.selection)
            way = Way(WayKind.IN_MEMORY, name, order, plan, plan.total, cost=plan.cost)
        else:
            way = self._unnarrowed(name, leading)
        self._ways[name] = way
        return way

    def _unnarrowed(self, name: str, leading: tuple[str, ...]) -> Way:
        """All items, in one range."""
        total = self.counts.total
        plan = self._plan(name, leading, [(EVERYTHING, total)])
        return Way(WayKind.IN_MEMORY, name, self.orders[name], plan, total, cost=plan.cost)

    def _narrowed(self, name: str, leading: tuple[str, ...], spans: Sequence[KeyRange]) -> Way:
        """A range for each combination of the leading facets and each range of the field after them."""
        order, ranges, among = self.orders[name], list[tuple[KeyRange, int]](), 0
        narrowed = "" if spans == [WHOLE] else self.declaration.keyed_by(order)[len(leading)]
        share = self.share([narrowed]) if narrowed else 1.0
        for parts, number in self._parts(leading).items():
            begin, expected = keys.prefix(*parts), ceil(number * share / len(spans))
            ranges += [(KeyRange(f"{begin}{span.low}", f"{begin}{span.high}"), expected) for span in spans]
            among += number
        plan, items = self._plan(name, leading, ranges), sum(expected for _, expected in ranges)
        return Way(WayKind.IN_MEMORY, name, order, plan, items, cost=plan.cost, narrowed=narrowed, among=among)

    def _spans(self, name: str, leading: tuple[str, ...]) -> list[KeyRange]:
        """The ranges of the field after the leading facets that are wanted, if these are not too many."""
        after = self.declaration.keyed_by(self.orders[name])[len(leading) :]
        if not after or after[0] not in self.wanted.ranges:
            return []
        spans = self.declaration.spans(after[0], self.wanted.ranges[after[0]], name)
        return spans if 0 < len(self._parts(leading)) * len(spans) <= MOST_PARTS else []

    def _parts(self, leading: Sequence[str]) -> dict[Combination, int]:
        """The existing and wanted values of leading facets together, in the order of their index, and their items."""
        if not leading:
            return {(): self.counts.total}
        counts = self._projected(leading)
        numbers, allowed = [*map(counts.facets.index, leading)], counts.allowed(self.wanted.selection)
        return dict(sorted((tuple(map(each.__getitem__, numbers)), counts[each]) for each in allowed))

    def _wanted_of(self, leading: Sequence[str], tuples: Iterable[Combination]) -> list[int]:
        """How many wanted items begin with each of these combinations of leading facets."""
        numbers, found = [*map(self.declaration.facets.index, leading)], dict.fromkeys(tuples, 0)
        for each in self.counts.allowed(self.wanted.selection):
            found[tuple(map(each.__getitem__, numbers))] += max(self.counts[each], 0)
        return [*found.values()]

    def _projected(self, leading: Sequence[str]) -> FacetCounts[Combination]:
        """The counts by some of the facets alone."""
        facets = tuple(filter(leading.__contains__, self.declaration.facets))
        if facets == self.declaration.facets:
            return self.counts
        if facets not in self._projections:
            numbers = [*map(self.declaration.facets.index, facets)]
            found: dict[Combination, int] = {}
            for combination, number in self.counts.items():
                part = tuple(map(combination.__getitem__, numbers))
                found[part] = found.get(part, 0) + max(number, 0)
            self._projections[facets] = FacetCounts(facets, found)
        return self._projections[facets]


def _with_risk(cost: Charge, density: float) -> Charge:
    """The cost of a way. One that drops items may be unlucky, so it has one request more."""
    return cost if density == 1 else Charge(cost.units, cost.requests + 1)
