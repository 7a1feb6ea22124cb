"""The planner of declared lists: every way to read a page, what each costs, and the cheapest.

Pure: a declaration, the counts, a selection and a sort in, ways out. These are of three kinds.

*In key order*: an index begins with the sort, once the facets with a single value are left out. Its ranges are read one
after the other. *Merged*: an index begins with facets, and then has the sort. There is a range for each combination of
these facets that exists and is wanted, and all are merged. *In memory*: all ranges of any index are read, and sorted.

The counts say how many items a range holds, and how many of these are wanted: the *density*. Of what nothing counts,
such as a range of days, ``share`` gives an estimate (:mod:`~dynamodb_lists.ways.uncounted`), by default the half.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from itertools import filterfalse
from math import ceil, inf, sqrt
from operator import attrgetter

from dynamodb_lists.declared.asked import Wanted
from dynamodb_lists.declared.declaration import EVERYTHING, Declaration
from dynamodb_lists.declared.kept_orders import KeptOrder
from dynamodb_lists.planning import range_plan
from dynamodb_lists.planning.range_plan import POSITIVE, FacetIndex, RangePlan, Run, wave_cost
from dynamodb_lists.planning.request_cost import Charge, query_cost
from dynamodb_lists.planning.selection import Combination, FacetCounts, Selection
from dynamodb_lists.reading.merging import SPARE_DEVIATIONS
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
    its ``parts``. ``expected`` says how many wanted items each of these ranges holds. ``narrowed`` names the field of
    which nothing counts the values, if the plan reads a range of it: a part of ``among`` so many items.
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


@dataclass(frozen=True)
class Narrow:
    """Ranges of a source that hold all that is wanted: they have what meets the range of a ``field``, or a rule.

    They are a part of ``among`` so many items.
    """

    field: str
    source: str
    spans: tuple[KeyRange, ...]
    among: int


class ListPlanner:
    """Plans a page, by default with all ``indexes``. ``item_bytes`` gives about how many bytes an item has in one.

    ``share`` gives about which share of the items that the facets allow is wanted by some ranges and rules.
    """

    def __init__(
        self,
        declaration: Declaration,
        counts: FacetCounts[Combination],
        wanted: Wanted,
        item_bytes: Callable[[str], float],
        *,
        ascending: bool = True,
        indexes: Collection[str] | None = None,
        share: Callable[[Collection[str]], float] = lambda _: UNKNOWN_DENSITY,
    ) -> None:
        self.declaration, self.counts, self.wanted, self.share = declaration, counts, wanted, share
        self.item_bytes, self.ascending = item_bytes, ascending
        orders = declaration.whole_orders
        self.orders = orders if indexes is None else {name: orders[name] for name in orders if name in indexes}
        self._ways: dict[str, Way] = {}
        self._projections: dict[tuple[str, ...], tuple[FacetCounts[Combination], Selection]] = {}

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
        spans = self.declaration.spans(order.fields[0], span) if span else [EVERYTHING]
        unknown = {*wanted.names, *(rule.name for rule in wanted.rules if rule.within != name)} - {order.fields[0]}
        density = self.share(unknown) if unknown else 1.0
        index, rows = FacetIndex(name, (), self.item_bytes(name)), ceil(wanted.rows / density)
        plan = RangePlan(index, tuple((Run((), (), rows, True),) for _ in spans), named=tuple(spans))
        cost = query_cost([rows], index.item_bytes)
        return Way(WayKind.IN_ORDER, name, order, plan, rows, density=density, cost=cost, narrowed=order.fields[0])

    def narrow(self) -> list[Narrow]:
        """Ranges that hold all that is wanted, whose items nothing counts: one source for each field or rule."""
        found: dict[str, Narrow] = {}
        for name, wanted in self.wanted.ranges.items():
            for source, span in self.declaration.elsewhere({name: wanted}):
                found[source] = Narrow(name, source, (span,), self.counts.total)
        for rule in self.wanted.rules:
            if rule.within:
                found[rule.name] = Narrow(rule.name, rule.within, (EVERYTHING,), self.counts.total)
        for way in self.in_memory():
            if way.narrowed and len(way.plan.ranges) <= MOST_RANGES:
                spans = tuple(each.keys for each in way.plan.ranges)
                found.setdefault(way.narrowed, Narrow(way.narrowed, way.index, spans, way.among))
        return [*found.values()]

    # --- The ways of one index ----------------------------------------------------------------------------

    def _in_order(self, way: Way) -> Way | None:
        """In key order if the index begins with the sort, else merged if the sort comes after its leading facets."""
        sort, fixed = self.wanted.unfixed, self.wanted.selection.fixes
        leading, fields = self.declaration.leading(way.order), self.declaration.sorted_by(way.order)
        if tuple(filterfalse(fixed, fields))[: len(sort)] == sort:
            density = self._density(way)
            cost = wave_cost(way.plan, ceil(self.wanted.rows / density), ascending=self.ascending)
            return _with_risk(replace(way, kind=WayKind.IN_ORDER, density=density, cost=cost))
        return self._merged(way, leading) if leading and fields[len(leading) :][:1] == sort else None

    def _merged(self, way: Way, leading: tuple[str, ...]) -> Way:
        """A range for each combination of the leading facets. If these are too many, no cost serves."""
        counts, selection = self._projected(leading)
        if not 0 < len(counts.allowed(selection)) <= MOST_PARTS:
            return replace(way, kind=WayKind.MERGED, start=len(leading), cost=Charge(inf, 1))
        parts, spans = self._tuples(leading), self._spans(way.index, leading)
        if len(spans) != 1:  # several ranges of the field after the facets would be no order
            spans = [WHOLE]
        way = self._narrowed(way.index, leading, spans)
        density, expected = self._density(way), self._wanted_of(leading, parts)
        cost = query_cost(self._shares(expected, density), self.item_bytes(way.index))
        way = replace(way, kind=WayKind.MERGED, density=density, cost=cost)
        return _with_risk(replace(way, start=len(leading), parts=tuple(parts), expected=tuple(expected)))

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
            index, projected = FacetIndex(name, leading, self.item_bytes(name)), self._projected(leading)
            plan = range_plan.plan_of(index, *projected, self.declaration.prefix(name))
            way = Way(WayKind.IN_MEMORY, name, order, plan, plan.total, cost=plan.cost)
        else:
            way = self._unnarrowed(name, leading)
        self._ways[name] = way
        return way

    def _unnarrowed(self, name: str, leading: tuple[str, ...]) -> Way:
        """All items, in one range."""
        total, index = self.counts.total, FacetIndex(name, leading, self.item_bytes(name))
        plan = RangePlan(index, ((Run((), (), total, True),),), self.declaration.prefix(name))
        return Way(WayKind.IN_MEMORY, name, self.orders[name], plan, total, cost=plan.cost)

    def _narrowed(self, name: str, leading: tuple[str, ...], spans: Sequence[KeyRange]) -> Way:
        """A range for each combination of the leading facets and each range of the field after them."""
        prefix, (numbers, _) = self.declaration.prefix(name), self._projected(leading)
        named, groups, items, among = list[KeyRange](), list[tuple[Run, ...]](), 0, 0
        narrowed = "" if spans == [WHOLE] else self.declaration.sorted_by(self.orders[name])[len(leading)]
        share = self.share([narrowed]) if narrowed else 1.0
        for parts in self._tuples(leading):
            begin, number = keys.prefix(*prefix, *parts), self.counts.total
            if parts:
                number = numbers[self._in_facet_order(leading, parts)]
            expected = ceil(number * share / len(spans))
            named += [KeyRange(f"{begin}{span.low}", f"{begin}{span.high}") for span in spans]
            groups += [(Run(parts, parts, expected, True),) for _ in spans]
            items, among = items + expected * len(spans), among + number
        plan = RangePlan(FacetIndex(name, leading, self.item_bytes(name)), tuple(groups), prefix, tuple(named))
        order = self.orders[name]
        return Way(WayKind.IN_MEMORY, name, order, plan, items, cost=plan.cost, narrowed=narrowed, among=among)

    def _spans(self, name: str, leading: tuple[str, ...]) -> list[KeyRange]:
        """The ranges of the field after the leading facets that are wanted, if these are not too many."""
        after = self.declaration.sorted_by(self.orders[name])[len(leading) :]
        if not after or after[0] not in self.wanted.ranges:
            return []
        spans = self.declaration.spans(after[0], self.wanted.ranges[after[0]])
        return spans if 0 < len(self._tuples(leading)) * len(spans) <= MOST_PARTS else []

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
        facets = tuple(filter(leading.__contains__, self.declaration.facets))
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


def _with_risk(way: Way) -> Way:
    """A way that drops items may be unlucky, so its cost is that of one request more."""
    return way if way.density == 1 else replace(way, cost=replace(way.cost, requests=way.cost.requests + 1))
