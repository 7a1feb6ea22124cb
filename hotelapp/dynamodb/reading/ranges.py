"""Read a list from planned ranges of one partition, with one request for each range, all at the same time.

An example. The plan of a selection has three ranges. The counts say what is in them, in key order::

    range 1: 10 wanted, 4 to drop, 20 wanted      range 2: 9 wanted      range 3: 50 wanted

A reader is at the 26th row and wants the next 26 rows. Of range 1, 26 rows are passed, so 4 rows are left, and nothing
must be dropped for them. 9 rows come from range 2 and 13 from range 3. A :class:`Stretch` is the rest of a range
beyond the position; its *outlook* is the number of rows that it will return and of items to drop for them. The three
requests do not depend on each other, so they go out together as one wave, with limits 26, 22 and 13: a range that
ends by itself needs no exact limit. The wave reads 4 + 9 + 13 items.

If range 1 held fewer rows than the counts say, the wave would return too few, and the next wave would ask for the rest.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import ceil
from typing import Generic, NamedTuple, TypeVar

from hotelapp.dynamodb.planning.range_planner import PlannedRange, Segment
from hotelapp.dynamodb.reading.cursors import Cursor, Position
from hotelapp.dynamodb.reading.fetching import in_parallel
from hotelapp.dynamodb.reading.lists import CHUNK, Batch, Fetch, Listing, Row
from hotelapp.dynamodb.schema.keys import KeyRange

T = TypeVar("T")

LARGEST = 5000
"""The most items to ask for at once while a filter drops most of them. It is about what a Query can return."""


class Outlook(NamedTuple):
    """The number of rows that a stretch will return, and the number of items that must be dropped for them."""

    rows: int
    drops: int


@dataclass(frozen=True)
class Stretch:
    """The rest of one range, and the segments that the counts expect there, in the order of reading."""

    keys: KeyRange
    after: Position | None
    ahead: Sequence[Segment]

    def outlook(self, need: int) -> Outlook:
        """How many of ``need`` rows the stretch will return, and how many items must be dropped for them."""
        if not self.ahead:
            return Outlook(need, 0)
        rows = drops = gap = 0
        for segment in self.ahead:
            if not segment.wanted:
                gap += segment.items
                continue
            drops, gap = drops + gap, 0
            rows += segment.items
            if rows >= need:
                return Outlook(need, drops)
        return Outlook(rows, drops)


class Request(NamedTuple):
    """One request of a wave: the stretch to read, and the most items to read of it."""

    stretch: Stretch
    limit: int


@dataclass(frozen=True, kw_only=True)
class Ranges(Listing[T]):
    """A list that is read from ranges of one partition. ``ranges`` are in ascending key order; ``fetch`` reads one.

    ``keep`` decides on the value of every row that is read, so that an outdated count can never show a wrong row.
    Where nothing counts the items, the ranges have no segments.
    """

    ranges: Sequence[PlannedRange]
    fetch: Fetch[T]
    keep: Callable[[T], bool] = lambda _: True
    density: float = 1.0
    """The share of the items, beside those that the segments name, that ``keep`` is expected to keep."""
    budget: int = 0
    otherwise: "Callable[[], Listing[T]] | None" = None
    """The same list, read in another way. The rest of a page is read from it once ``budget`` items were read."""

    def take(self, count: int, cursor: Cursor | None, backward: bool) -> list[Row[T]]:
        reading = _Pass(self, count, ascending=self.descending == backward)
        reading.over(self.stretches(cursor, reading.ascending))
        rows = reading.rows[:count]
        if reading.impatient and self.otherwise:
            last = rows[-1].position if rows else cursor and cursor.position
            rows += self.otherwise().take(count - len(rows), Cursor(last) if last else None, backward)
        return rows

    def stream(self) -> Iterator[T]:
        ascending = not self.descending
        for planned in self.ranges if ascending else self.ranges[::-1]:
            after: Position | None = None
            while True:
                batch = self.fetch(planned.keys, after, ascending, CHUNK)
                yield from (row.value for row in batch.rows if self.keep(row.value))
                if (after := batch.stopped) is None:
                    break

    def segments(self, ascending: bool) -> Iterator[Segment]:
        for planned in self.ranges if ascending else self.ranges[::-1]:
            yield from planned.segments if ascending else planned.segments[::-1]

    def stretches(self, cursor: Cursor | None, ascending: bool) -> list[Stretch]:
        """The rest of each range beyond the cursor. Ranges that were passed completely are left out."""
        start = cursor.position.sort_key if cursor and cursor.position else None
        passed = 0  # rows, in the order of reading, up to the one at the cursor
        if cursor and cursor.rank is not None and self.total is not None:
            passed = self.total - cursor.rank if cursor.backward else cursor.rank + 1
        stretches = []
        for planned in self.ranges if ascending else self.ranges[::-1]:
            expected = planned.segments if ascending else planned.segments[::-1]
            if start is None or _beyond(planned.keys, start, ascending):
                stretches.append(Stretch(planned.keys, None, expected))
                continue
            ahead = []
            for segment in expected:
                if _beyond(segment.keys, start, ascending):
                    ahead.append(segment)
                elif start in segment.keys and segment.wanted:
                    ahead.append(replace(segment, items=min(max(segment.items - passed, 0), segment.items)))
                passed -= segment.items if segment.wanted else 0
            if start in planned.keys:
                stretches.append(Stretch(planned.keys, cursor.position if cursor else None, ahead))
        return stretches


class _Pass(Generic[T]):
    """One pass over stretches for ``count`` rows."""

    def __init__(self, listing: Ranges[T], count: int, *, ascending: bool) -> None:
        self.ascending = ascending
        self.rows: list[Row[T]] = []
        self.missing = count
        self.impatient = False
        """Whether the pass has read too many items without finding its rows."""
        self._listing = listing
        self._read = 0
        self._density = listing.density

    def over(self, stretches: Sequence[Stretch]) -> None:
        """Read the stretches until there are enough rows, the stretches end, or the pass becomes impatient.

        A stretch whose batch fell short is read on, before the next one.
        """
        fetch = self._listing.fetch
        while stretches and self.missing > 0 and not self.impatient:
            wave = plan_wave(stretches, self._items())
            calls = [partial(fetch, stretch.keys, stretch.after, self.ascending, limit) for stretch, limit in wave]
            for (stretch, _), batch in zip(wave, in_parallel(calls), strict=True):
                self._add(batch)
                while batch.stopped and self.missing > 0 and not self.impatient:
                    batch = fetch(stretch.keys, batch.stopped, self.ascending, self._items())  # noqa: PLW2901
                    self._add(batch)
            stretches = stretches[len(wave) :]

    def _add(self, batch: Batch[T]) -> None:
        """Keep the rows of a batch, unless the pass is impatient already."""
        if self.impatient:
            return
        listing = self._listing
        for row in batch.rows:
            if listing.keep(row.value):
                self.rows.append(row)
                self.missing -= 1
        self._read += batch.read
        if len(batch.rows) < batch.read:  # DynamoDB's filter drops items
            self._density = min(self._density, max(len(batch.rows), 1) / batch.read)
        self.impatient = self.missing > 0 and listing.otherwise is not None and self._read > listing.budget

    def _items(self) -> int:
        """How many items to read for the missing rows. If a filter drops most of them, the next call says more."""
        items = min(ceil(self.missing / self._density), LARGEST)
        if self._density < 1:
            self._density /= 2
        return items


def plan_wave(stretches: Sequence[Stretch], need: int) -> list[Request]:
    """The requests for the first stretches that are expected to return ``need`` rows together."""
    wave: list[Request] = []
    for stretch in stretches:
        outlook = stretch.outlook(need)
        wave.append(Request(stretch, need + outlook.drops))
        need -= outlook.rows
        if need <= 0:
            break
    return wave


def _beyond(keys: KeyRange, start: str, ascending: bool) -> bool:
    """Whether the whole range is still to be read."""
    return keys.low > start if ascending else keys.high < start
