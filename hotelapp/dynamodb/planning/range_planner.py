"""The planner of ranges: which index, and which ranges of it, serve a selection and a sort.

Pure: counts, selection and sort in, plan out. Each index holds every item under one order of the facets
(``view#size#type``), so any selection is a set of contiguous ranges in it. The counts say which combinations of
values exist and how many items each has, so the planner knows the cost of every range before it is read.
docs/planner.md explains it with an example.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import filterfalse, groupby
from operator import attrgetter

from hotelapp.dynamodb.planning.request_cost import items_paid
from hotelapp.dynamodb.planning.selection import Combination, CombinationT, Selection
from hotelapp.dynamodb.schema import keys
from hotelapp.dynamodb.schema.keys import KeyRange


@dataclass(frozen=True)
class FacetIndex:
    """An index, the order of the facets in its sort key, and about how many bytes an entry has."""

    name: str
    order: tuple[str, ...]
    item_bytes: int

    @cached_property
    def largest_gap(self) -> int:
        """The most unwanted items to read in order to save a request."""
        return items_paid(self.item_bytes)


@dataclass(frozen=True)
class Segment:
    """Neighbouring combinations in an index, either all wanted or all unwanted, and the number of their items."""

    keys: KeyRange
    items: int
    wanted: bool


@dataclass(frozen=True)
class PlannedRange:
    """One ``BETWEEN`` to read, and the segments that the counts expect in it: wanted, gap, wanted, ..."""

    keys: KeyRange
    segments: tuple[Segment, ...] = ()

    @property
    def wanted(self) -> int:
        """The number of items in the range that the selection allows."""
        return sum(segment.items for segment in self.segments if segment.wanted)

    @property
    def drops(self) -> int:
        """The number of items in the range that are read and dropped."""
        return sum(segment.items for segment in self.segments if not segment.wanted)


@dataclass(frozen=True)
class Plan:
    """The index to read and its ranges, in ascending key order."""

    index: FacetIndex
    ranges: tuple[PlannedRange, ...]

    @property
    def total(self) -> int:
        """The number of items that the selection allows."""
        return sum(map(attrgetter("wanted"), self.ranges))

    @property
    def drops(self) -> int:
        """The number of items to drop if every range is read to its end."""
        return sum(map(attrgetter("drops"), self.ranges))


def candidates(indexes: Sequence[FacetIndex], selection: Selection, sort: Sequence[str]) -> list[FacetIndex]:
    """The indexes whose order gives the sort. A facet with a single value sorts nothing, so it does not count."""
    wanted = list(filterfalse(selection.fixes, sort))
    return [index for index in indexes if [*filterfalse(selection.fixes, index.order)][: len(wanted)] == wanted]


def plan(
    counts: Mapping[CombinationT, int],
    facets: Sequence[str],
    indexes: Sequence[FacetIndex],
    selection: Selection,
    prefix: tuple[str, ...] = (),
) -> Plan:
    """The cheapest plan: fewest ranges, then fewest drops, then the index declared first.

    ``facets`` names the parts of each combination in ``counts``; ``indexes`` are the :func:`candidates` for the sort,
    at least one; ``prefix`` are the parts before the facets in every key.
    """
    best: Plan | None = None
    for index in indexes:
        segments = _segments(counts, facets, index, selection, prefix)
        candidate = Plan(index, tuple(_ranges(segments, index.largest_gap)))
        if best is None or (len(candidate.ranges), candidate.drops) < (len(best.ranges), best.drops):
            best = candidate
        if len(best.ranges) <= 1 and not best.drops:
            break  # nothing can be cheaper
    assert best is not None, "no index was given"
    return best


def _segments(
    counts: Mapping[CombinationT, int],
    facets: Sequence[str],
    index: FacetIndex,
    selection: Selection,
    prefix: tuple[str, ...],
) -> Iterable[Segment]:
    """The contents of the index as runs of wanted and unwanted combinations, in key order.

    The facets after the last narrowed one are all wanted, so the bounds of a segment leave out their parts.
    """
    order = index.order
    while order and not selection.narrows(order[-1]):
        order = order[:-1]
    part_numbers = list(map(facets.index, order))
    items: Counter[Combination] = Counter()
    for combination, count in counts.items():
        if count > 0:
            items[tuple(map(combination.__getitem__, part_numbers))] += count
    in_key_order = sorted(items, key=lambda parts: keys.SEPARATOR.join((*parts, "")))
    for wanted, group in groupby(in_key_order, key=partial(selection.allows, order)):
        run = list(group)
        yield Segment(keys.between(prefix + run[0], prefix + run[-1]), sum(map(items.__getitem__, run)), wanted)


def _ranges(segments: Iterable[Segment], largest_gap: int) -> Iterable[PlannedRange]:
    """Join wanted segments across gaps of at most ``largest_gap`` items. Other unwanted segments are not read."""
    joined: list[Segment] = []
    gap: list[Segment] = []
    for segment in segments:
        if not segment.wanted:
            gap = [segment]
            continue
        if joined and gap and gap[0].items > largest_gap:
            yield _join(joined)
            joined = []
        joined += gap if joined else []
        joined.append(segment)
        gap = []
    if joined:
        yield _join(joined)


def _join(segments: list[Segment]) -> PlannedRange:
    return PlannedRange(KeyRange(segments[0].keys.low, segments[-1].keys.high), tuple(segments))
