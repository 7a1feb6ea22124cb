"""The planner of ranges: which ranges of each index hold what a selection allows, and what a page of them costs.

Pure: counts and selection in, plans out. Each index holds every item under one order of the facets
(``view#size#type``), so any selection is a set of contiguous ranges in it. The counts say which combinations of
values exist and how many items each has, so the planner knows the cost of every range before it is read.
docs/planner.md explains it with an example.

The requests of one page are a *wave*. An example. The plan of a selection has three ranges. The counts say what is in
them, in key order::

    range 1: 10 wanted, 4 to drop, 20 wanted      range 2: 9 wanted      range 3: 50 wanted

A reader is at the 26th row and wants the next 26 rows. Of range 1, 26 rows are passed, so 4 rows are left, and nothing
must be dropped for them. 9 rows come from range 2 and 13 from range 3. A :class:`Stretch` is the rest of a range
beyond the position; its *outlook* is the number of rows that it will return and of items to drop for them. The three
requests do not depend on each other, so they go out together as one wave, with limits 26, 22 and 13: a range that
ends by itself needs no exact limit. The wave reads 4 + 9 + 13 items.

If range 1 held fewer rows than the counts say, the wave would return too few, and the next wave would ask for the rest.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, groupby
from operator import attrgetter
from typing import NamedTuple

from dynamodb_lists.planning.request_cost import Charge, blocks, query_cost
from dynamodb_lists.planning.selection import Combination, CombinationT, FacetCounts, Selection
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.keys import KeyRange

_ITEMS, _WANTED, _SEGMENTS = attrgetter("items"), attrgetter("wanted"), attrgetter("segments")
POSITIVE = (0).__lt__


@dataclass(frozen=True)
class FacetIndex:
    """An index, the order of the facets in its sort key, and about how many bytes an entry has."""

    name: str
    order: tuple[str, ...]
    item_bytes: float


class Segment(NamedTuple):
    """Neighbouring combinations in an index, either all wanted or all unwanted, and the number of their items.

    ``first`` and ``last`` are the parts with which its keys begin, or ``named`` are its keys. They are composed when
    they are asked for, because most plans are compared, and not read.
    """

    items: int
    wanted: bool = True
    first: Combination = ()
    last: Combination = ()
    named: KeyRange | None = None

    @property
    def keys(self) -> KeyRange:
        """The keys of the combinations."""
        return self.named or keys.between(self.first, self.last)


class PlannedRange(NamedTuple):
    """One ``BETWEEN`` to read, and the segments that the counts expect in it: wanted, gap, wanted, ..."""

    named: KeyRange | None
    """Its keys, if the segments do not tell them."""
    segments: tuple[Segment, ...] = ()

    @property
    def keys(self) -> KeyRange:
        """The keys to read."""
        return self.named or KeyRange(self.segments[0].keys.low, self.segments[-1].keys.high)

    @property
    def items(self) -> int:
        """The number of items in the range."""
        return sum(map(_ITEMS, self.segments))


@dataclass(frozen=True)
class RangePlan:
    """The ranges of one index that hold what a selection allows, in ascending key order."""

    index: FacetIndex
    ranges: tuple[PlannedRange, ...]

    @cached_property
    def total(self) -> int:
        """The number of items that the selection allows."""
        segments = chain.from_iterable(map(_SEGMENTS, self.ranges))
        return sum(map(_ITEMS, filter(_WANTED, segments)))

    @cached_property
    def cost(self) -> Charge:
        """The cost of reading every range to its end."""
        return query_cost([planned.items for planned in self.ranges], self.index.item_bytes)


def plan_of(index: FacetIndex, counts: FacetCounts[CombinationT], selection: Selection) -> RangePlan:
    """The plan of an index.

    Two ranges become one, with the gap between them, if that costs no more. So no plan would cost less if one Query
    read everything from its first to its last key.
    """
    segments = _segments(counts, index, selection)
    return RangePlan(index, tuple(PlannedRange(None, group) for group in _joined(segments, index.item_bytes)))


def _segments(counts: FacetCounts[CombinationT], index: FacetIndex, selection: Selection) -> Iterator[Segment]:
    """The contents of the index as segments of wanted and unwanted combinations, in key order.

    A wanted combination whose count is zero is a segment, too: reading its range shows if the count is wrong.
    The facets after the last narrowed one are all wanted, so the bounds of a segment leave out their parts.
    """
    order = index.order
    while order and not selection.narrows(order[-1]):
        order = order[:-1]
    numbers = [*map(counts.facets.index, order)]
    for is_wanted, group in groupby(counts.in_order(index.order), counts.allowed(selection).__contains__):
        run = list(group)
        first, last = tuple(map(run[0].__getitem__, numbers)), tuple(map(run[-1].__getitem__, numbers))
        yield Segment(sum(filter(POSITIVE, map(counts.__getitem__, run))), is_wanted, first, last)


def _joined(segments: Iterable[Segment], item_bytes: float) -> Iterator[tuple[Segment, ...]]:
    """The segments of each range: wanted ones are joined across a gap if two requests cost as much."""
    joined, items, gap = list[Segment](), 0, list[Segment]()
    for segment in segments:
        if not segment.wanted:
            gap = [segment]
            continue
        between = sum(map(_ITEMS, gap))
        # A request weighs less than a block, so blocks alone decide, and one request wins a tie.
        apart = blocks(items, item_bytes) + blocks(segment.items, item_bytes)
        if joined and blocks(items + between + segment.items, item_bytes) <= apart:
            joined, items = [*joined, *gap, segment], items + between + segment.items
        else:
            if joined:
                yield tuple(joined)
            joined, items = [segment], segment.items
        gap = []
    if joined:
        yield tuple(joined)


# --- The requests of a page ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Stretch:
    """The rest of one range, and the segments that the counts expect there, in the order of reading.

    ``passed`` says whether the position of the page lies in the range, so that only a part of it is left.
    """

    planned: PlannedRange
    passed: bool
    ahead: Sequence[Segment]

    @property
    def keys(self) -> KeyRange:
        """The keys of the whole range."""
        return self.planned.keys

    @property
    def items(self) -> int:
        """The number of items that the counts expect."""
        return sum(map(_ITEMS, self.ahead))

    def outlook(self, need: int) -> tuple[int, int]:
        """How many of ``need`` rows the stretch will return, and how many items must be dropped for them."""
        if not self.ahead:
            return need, 0
        rows = drops = gap = 0
        for segment in self.ahead:
            if not segment.wanted:
                gap += segment.items
                continue
            drops, gap = drops + gap, 0
            rows += segment.items
            if rows >= need:
                return need, drops
        return rows, drops


def stretches(ranges: Sequence[PlannedRange], start: str | None, passed: int, *, ascending: bool) -> list[Stretch]:
    """The rest of each range beyond the key ``start``. Ranges that were passed completely are left out.

    ``passed`` is the number of rows, in the order of reading, up to the one at ``start``.
    """
    left = []
    for planned in ranges if ascending else ranges[::-1]:
        expected = planned.segments if ascending else planned.segments[::-1]
        if start is None or _beyond(planned.keys, start, ascending):
            left.append(Stretch(planned, False, expected))
            continue
        ahead = list[Segment]()
        for segment in expected:
            if _beyond(segment.keys, start, ascending):
                ahead.append(segment)
            elif start in segment.keys and segment.wanted:
                ahead.append(segment._replace(items=min(max(segment.items - passed, 0), segment.items)))
            passed -= segment.items if segment.wanted else 0
        if start in planned.keys:
            left.append(Stretch(planned, True, ahead))
    return left


def plan_wave(stretches: Sequence[Stretch], need: int) -> list[tuple[Stretch, int]]:
    """The first stretches that are expected to return ``need`` rows together, and the most items to read of each."""
    wave = []
    for stretch in stretches:
        rows, drops = stretch.outlook(need)
        wave.append((stretch, need + drops))
        need -= rows
        if need <= 0:
            break
    return wave


def wave_cost(
    plan: RangePlan, need: int, start: str | None = None, passed: int = 0, *, ascending: bool = True
) -> Charge:
    """What the requests for ``need`` rows beyond the key ``start`` cost."""
    wave = plan_wave(stretches(plan.ranges, start, passed, ascending=ascending), need)
    return query_cost([min(limit, stretch.items) for stretch, limit in wave], plan.index.item_bytes)


def _beyond(span: KeyRange, start: str, ascending: bool) -> bool:
    """Whether the whole range is still to be read."""
    return span.low > start if ascending else span.high < start
