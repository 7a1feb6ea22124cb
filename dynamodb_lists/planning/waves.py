"""The requests of one page of a list that is read from ranges: what is left of each range, and how much to ask for.

An example. The plan of a selection has three ranges. The counts say what is in them, in key order::

    range 1: 10 wanted, 4 to drop, 20 wanted      range 2: 9 wanted      range 3: 50 wanted

A reader is at the 26th row and wants the next 26 rows. Of range 1, 26 rows are passed, so 4 rows are left, and nothing
must be dropped for them. 9 rows come from range 2 and 13 from range 3. A :class:`Stretch` is the rest of a range
beyond the position; its *outlook* is the number of rows that it will return and of items to drop for them. The three
requests do not depend on each other, so they go out together as one wave, with limits 26, 22 and 13: a range that
ends by itself needs no exact limit. The wave reads 4 + 9 + 13 items.

If range 1 held fewer rows than the counts say, the wave would return too few, and the next wave would ask for the rest.

Pure: ranges and position in, requests and their cost out.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from dynamodb_lists.planning.range_planner import Plan, PlannedRange, Run, Segment
from dynamodb_lists.planning.request_cost import Charge, query_cost
from dynamodb_lists.schema.keys import KeyRange

UNNAMED = KeyRange("", "")
"""The keys of a range whose cost alone is asked for."""


@dataclass(frozen=True)
class Stretch:
    """The rest of one range, and the segments that the counts expect there, in the order of reading.

    ``passed`` says whether the position of the page lies in the range, so that only a part of it is left.
    """

    keys: KeyRange
    passed: bool
    ahead: Sequence[Segment | Run]

    @property
    def items(self) -> int:
        """The number of items that the counts expect."""
        return sum(map(attrgetter("items"), self.ahead))

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
            left.append(Stretch(planned.keys, False, expected))
            continue
        ahead = list[Segment | Run]()
        for segment in expected:
            if _beyond(segment.keys, start, ascending):
                ahead.append(segment)
            elif start in segment.keys and segment.wanted:
                ahead.append(replace(segment, items=min(max(segment.items - passed, 0), segment.items)))
            passed -= segment.items if segment.wanted else 0
        if start in planned.keys:
            left.append(Stretch(planned.keys, True, ahead))
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


def wave_cost(plan: Plan, need: int, start: str | None = None, passed: int = 0, *, ascending: bool = True) -> Charge:
    """What the requests for ``need`` rows beyond the key ``start`` cost."""
    if start is None:  # no key need be composed to know what is in the ranges
        left = []
        for group in plan.groups if ascending else plan.groups[::-1]:
            left.append(Stretch(UNNAMED, False, group if ascending else group[::-1]))
    else:
        left = stretches(plan.ranges, start, passed, ascending=ascending)
    wave = plan_wave(left, need)
    return query_cost([min(limit, stretch.items) for stretch, limit in wave], plan.index.item_bytes)


def _beyond(keys: KeyRange, start: str, ascending: bool) -> bool:
    """Whether the whole range is still to be read."""
    return keys.low > start if ascending else keys.high < start
