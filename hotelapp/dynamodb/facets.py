"""The planner: which index, and which ranges of it, serve a selection and a sort.

Pure: counts, selection and sort in, plan out. Each index holds every item under one order of the facets
(``view#size#type``), so any selection is some set of contiguous ranges in it. The counts say which combinations of
values exist and how many items each holds, so the planner knows what every range costs before it is read.
docs/planner.md explains it by an example.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from hotelapp.dynamodb import keys
from hotelapp.dynamodb.keys import KeyRange

Combination = tuple[str, ...]
"""One value of each facet, as key parts, in the order in which the facets are declared."""

MAX_GAP = 8
"""Unwanted items worth reading to save a request: what fits into the 4 KB that any request is charged for."""


@dataclass(frozen=True)
class Selection:
    """The values that are allowed in each facet; a facet that is not named allows all.

    ``values`` lists them; ``bounds`` gives a first and a last one, both included. A facet may have both.
    """

    values: Mapping[str, frozenset[str]] = field(default_factory=dict)
    bounds: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def admits(self, facet: str, value: str) -> bool:
        """Whether the facet may have this value."""
        low, high = self.bounds.get(facet, ("", keys.HIGHEST))
        return (facet not in self.values or value in self.values[facet]) and low <= value <= high

    def allows(self, facets: Sequence[str], combination: Combination) -> bool:
        """Whether every facet may have its value in the combination."""
        return all(map(self.admits, facets, combination))

    def narrows(self, facet: str) -> bool:
        """Whether the selection says anything about the facet."""
        return facet in self.values or facet in self.bounds

    @property
    def text(self) -> str:
        """The selection in one spelling, whatever the order in which it was made."""
        values = sorted((facet, sorted(allowed)) for facet, allowed in self.values.items())
        return repr((values, sorted(self.bounds.items())))

    def fixes(self, facet: str) -> bool:
        """Whether the selection itself (not what happens to exist) leaves the facet a single value."""
        low, high = self.bounds.get(facet, ("", keys.HIGHEST))
        return len(self.values.get(facet, ())) == 1 or low == high


@dataclass(frozen=True)
class FacetIndex:
    """An index and the order in which its sort key holds the facets."""

    name: str
    order: tuple[str, ...]


@dataclass(frozen=True)
class Segment:
    """Neighbouring combinations in an index, all wanted or all not, and the number of items in them."""

    keys: KeyRange
    items: int
    wanted: bool


@dataclass(frozen=True)
class PlannedRange:
    """One ``BETWEEN`` to read, and the segments that the counts expect in it: wanted, gap, wanted, ..."""

    keys: KeyRange
    segments: tuple[Segment, ...]

    @property
    def wanted(self) -> int:
        """Items of the selection in the range."""
        return sum(segment.items for segment in self.segments if segment.wanted)

    @property
    def drops(self) -> int:
        """Items that lie between and will be read and dropped."""
        return sum(segment.items for segment in self.segments if not segment.wanted)


@dataclass(frozen=True)
class Plan:
    """The index to read and the ranges to read of it, in ascending key order."""

    index: FacetIndex
    ranges: tuple[PlannedRange, ...]

    @property
    def total(self) -> int:
        """Items of the selection."""
        return sum(planned.wanted for planned in self.ranges)

    @property
    def drops(self) -> int:
        """Items to drop if everything is read."""
        return sum(planned.drops for planned in self.ranges)


def candidates(indexes: Sequence[FacetIndex], selection: Selection, sort: Sequence[str]) -> list[FacetIndex]:
    """The indexes whose order gives the sort. A facet with a single value does not count: it sorts nothing."""
    wanted = [facet for facet in sort if not selection.fixes(facet)]
    return [
        index
        for index in indexes
        if [facet for facet in index.order if not selection.fixes(facet)][: len(wanted)] == wanted
    ]


def plan(
    counts: Mapping[Combination, int],
    facets: Sequence[str],
    indexes: Sequence[FacetIndex],
    selection: Selection,
    sort: Sequence[str],
    prefix: tuple[str, ...] = (),
) -> Plan:
    """The cheapest plan: fewest ranges, then fewest drops, then the index declared first.

    ``facets`` names the parts of each combination in ``counts``; ``indexes`` must hold one whose order gives
    ``sort``; ``prefix`` are the parts that come before the facets in every key.
    """
    best: Plan | None = None
    for index in candidates(indexes, selection, sort):
        made = Plan(index, tuple(_ranges(_segments(counts, facets, index, selection, prefix))))
        if best is None or (len(made.ranges), made.drops) < (len(best.ranges), best.drops):
            best = made
        if len(best.ranges) <= 1 and not best.drops:
            break  # nothing can be cheaper
    assert best is not None, f"no index sorts by {sort}"
    return best


def _segments(
    counts: Mapping[Combination, int],
    facets: Sequence[str],
    index: FacetIndex,
    selection: Selection,
    prefix: tuple[str, ...],
) -> Iterable[Segment]:
    """The index's contents as runs of wanted and unwanted combinations, in key order.

    Facets after the last one that the selection narrows are all wanted, so their parts are left off the bounds.
    """
    depth = max((place + 1 for place, facet in enumerate(index.order) if selection.narrows(facet)), default=0)
    places = [facets.index(facet) for facet in index.order[:depth]]
    items: Counter[Combination] = Counter()
    for combination, n in counts.items():
        if n > 0:
            items[tuple(combination[place] for place in places)] += n
    in_key_order = sorted(items, key=lambda parts: keys.SEPARATOR.join((*parts, "")))
    for wanted, group in groupby(in_key_order, key=lambda parts: selection.allows(index.order[:depth], parts)):
        run = list(group)
        yield Segment(keys.between(prefix + run[0], prefix + run[-1]), sum(items[parts] for parts in run), wanted)


def _ranges(segments: Iterable[Segment]) -> Iterable[PlannedRange]:
    """Join wanted segments over gaps of at most :data:`MAX_GAP` items; what is left outside is never read."""
    joined: list[Segment] = []
    gap: list[Segment] = []
    for segment in segments:
        if not segment.wanted:
            gap = [segment]
            continue
        if joined and gap and gap[0].items > MAX_GAP:
            yield _join(joined)
            joined = []
        joined += gap if joined else []
        joined.append(segment)
        gap = []
    if joined:
        yield _join(joined)


def _join(segments: list[Segment]) -> PlannedRange:
    return PlannedRange(KeyRange(segments[0].keys.low, segments[-1].keys.high), tuple(segments))
