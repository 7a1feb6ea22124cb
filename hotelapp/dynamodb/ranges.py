"""Read a list from planned ranges of one partition: how much to ask of each, all at once, and no more than is needed.

An example. The plan of a selection has three ranges, and the counts say what lies in them, in key order::

    range 1: 10 wanted, 4 to drop, 20 wanted      range 2: 9 wanted      range 3: 50 wanted

Somebody stands on the 26th row and wants the 26 rows beyond it. Ten plus sixteen have been passed, so four more are
left of range 1, nothing need be dropped for them, nine come from range 2 and thirteen from range 3. A
:class:`Stretch` is what is left of a range from the position on; its *outlook* is how many rows it will give and
how many items must be dropped for them. The three requests do not depend on each other, so they go out as one
wave: limits 26, 22 and 13, since a range that ends by itself needs no exact limit. 4 + 9 + 13 items are read.

Had range 1 held fewer than the counts said, the wave would come short, and what is missing would be asked for next.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from hotelapp.dynamodb.cursors import Cursor, Position
from hotelapp.dynamodb.facets import PlannedRange, Segment
from hotelapp.dynamodb.keys import KeyRange
from hotelapp.dynamodb.reading import CHUNK, Batch, Effort, Fetch, Listing, Row, together

T = TypeVar("T")


@dataclass(frozen=True)
class Stretch:
    """What is left to read of one range, and what the counts expect there, in reading order."""

    keys: KeyRange
    after: Position | None
    ahead: Sequence[Segment]

    def outlook(self, need: int) -> tuple[int, int]:
        """How many of ``need`` rows it will give, and how many items must be dropped to get at them."""
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


@dataclass(frozen=True, kw_only=True)
class Ranges(Listing[T]):
    """A list in ranges of one partition, in ascending key order, and how to read one.

    ``keep`` is asked for every item read, so a count that is a moment old cannot show a wrong row. Where nothing
    counts the items, the ranges have no segments.
    """

    ranges: Sequence[PlannedRange]
    fetch: Fetch[T]
    keep: Callable[[Row[T]], bool] = lambda _: True

    def take(self, count: int, cursor: Cursor | None, backward: bool) -> tuple[list[Row[T]], Effort]:
        """The first ``count`` rows beyond the cursor, in reading order, and what the plan foresaw for them."""
        ascending = self.descending == backward
        stretches = list(self._stretches(ascending, cursor))
        rows: list[Row[T]] = []
        effort = Effort()
        while stretches and len(rows) < count:
            wave, foreseen = _wave(stretches, count - len(rows))
            effort += foreseen
            batches = together([partial(self.fetch, left.keys, left.after, ascending, limit) for left, limit in wave])
            for (stretch, _), batch in zip(wave, batches, strict=True):
                rows += self._drain(stretch, batch, ascending, count - len(rows))
            stretches = stretches[len(wave) :]
        return rows, effort

    def stream(self) -> Iterator[T]:
        """Every row of the list in order, read a chunk at a time."""
        ascending = not self.descending
        for planned in self._in_order(ascending):
            after: Position | None = None
            while True:
                batch = self.fetch(planned.keys, after, ascending, CHUNK)
                yield from (row[1] for row in batch.rows if self.keep(row))
                if (after := batch.stopped) is None:
                    break

    def segments(self, ascending: bool) -> Iterator[Segment]:
        """What the counts expect in the whole list, in key order or against it."""
        for planned in self._in_order(ascending):
            yield from planned.segments if ascending else planned.segments[::-1]

    def _in_order(self, ascending: bool) -> Sequence[PlannedRange]:
        return self.ranges if ascending else self.ranges[::-1]

    def _drain(self, stretch: Stretch, batch: Batch[T], ascending: bool, need: int) -> list[Row[T]]:
        """Up to ``need`` rows of a stretch: those of its batch, and more requests only if that fell short."""
        rows: list[Row[T]] = []
        while True:
            rows += [row for row in batch.rows if self.keep(row)]
            if len(rows) >= need or batch.stopped is None:
                return rows[: max(need, 0)]
            batch = self.fetch(stretch.keys, batch.stopped, ascending, need - len(rows))

    def _stretches(self, ascending: bool, cursor: Cursor | None) -> Iterator[Stretch]:
        """What is left of each range beyond the cursor; ranges that were passed altogether are left out."""
        start = cursor.position if cursor else None
        passed = self._passed(cursor)
        for planned in self._in_order(ascending):
            expected = planned.segments if ascending else planned.segments[::-1]
            if start is None or _beyond(planned.keys, start[0], ascending):
                yield Stretch(planned.keys, None, expected)
                continue
            ahead, passed = _remaining(expected, start[0], ascending, passed)
            if start[0] in planned.keys:
                yield Stretch(planned.keys, start, ahead)

    def _passed(self, cursor: Cursor | None) -> int:
        """How many rows the reader has passed, the one at the cursor included, in its own direction."""
        if cursor is None or cursor.rank is None or self.total is None:
            return 0
        return self.total - cursor.rank if cursor.backward else cursor.rank + 1


def _wave(stretches: Sequence[Stretch], need: int) -> tuple[list[tuple[Stretch, int]], Effort]:
    """The stretches that are expected to give ``need`` rows, each with its limit."""
    wave: list[tuple[Stretch, int]] = []
    effort = Effort()
    for stretch in stretches:
        rows, drops = stretch.outlook(need)
        wave.append((stretch, need + drops))
        effort += Effort(1, drops)
        need -= rows
        if need <= 0:
            break
    return wave, effort


def _remaining(expected: Sequence[Segment], start: str, ascending: bool, passed: int) -> tuple[list[Segment], int]:
    """The segments from the sort key on, the one it stands in cut down; and how many passed rows remain."""
    left: list[Segment] = []
    for segment in expected:
        if _beyond(segment.keys, start, ascending):
            left.append(segment)
        elif start in segment.keys and segment.wanted:
            left.append(replace(segment, items=min(max(segment.items - passed, 0), segment.items)))
        passed -= segment.items if segment.wanted else 0
    return left, passed


def _beyond(keys: KeyRange, start: str, ascending: bool) -> bool:
    """Whether the whole range is still to come."""
    return keys.low > start if ascending else keys.high < start
