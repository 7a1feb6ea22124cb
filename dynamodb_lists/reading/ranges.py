"""Read a list from planned ranges of one partition, with one request for each range, all at the same time.

:mod:`dynamodb_lists.planning.waves` says what to ask for.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import ceil, sqrt
from typing import Generic, TypeVar

from dynamodb_lists.planning.range_planner import PlannedRange
from dynamodb_lists.planning.walk_planner import SPARE_ITEMS
from dynamodb_lists.planning.waves import Stretch, plan_wave, stretches
from dynamodb_lists.reading.cursors import Cursor, Position
from dynamodb_lists.reading.fetching import in_parallel
from dynamodb_lists.reading.lists import CHUNK, Batch, CountsDiffer, Fetch, Listing, Row
from dynamodb_lists.schema.keys import KeyRange

T = TypeVar("T")

LARGEST = 5000
"""The most items to ask for at once while a filter drops most of them. It is about what a Query can return."""
MOST_GROWTH = 8
"""A request asks for at most so many times the items that were read before. What few items tell may be far off."""


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
    uncounted: "Callable[[], Listing[T]] | None" = None
    """The same list, read without the counts, for a page on which they are wrong."""

    def take(self, count: int, cursor: Cursor | None, backward: bool) -> list[Row[T]]:
        reading = _Pass(self, count, self.descending == backward, self.density)
        start, left = cursor.position if cursor else None, self.stretches(cursor, reading.ascending)
        while left and reading.missing > 0 and not reading.impatient:
            wave = plan_wave(left, reading.items())
            calls = [
                partial(self.fetch, stretch.keys, start if stretch.passed else None, reading.ascending, limit)
                for stretch, limit in wave
            ]
            for (stretch, _), batch in zip(wave, in_parallel(calls), strict=True):
                reading.read_on(stretch, batch)
            left = left[len(wave) :]
        rows = reading.rows[:count]
        if reading.impatient and self.otherwise:
            last = rows[-1].position if rows else start
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

    def stretches(self, cursor: Cursor | None, ascending: bool) -> list[Stretch]:
        """The rest of each range beyond the cursor."""
        position, passed = (cursor.position, cursor.passed(self.total)) if cursor else (None, 0)
        return stretches(self.ranges, position.sort_key if position else None, passed, ascending=ascending)


@dataclass
class _Pass(Generic[T]):
    """One pass over stretches of a list, until no row is ``missing`` or the pass is ``impatient``."""

    listing: Ranges[T]
    missing: int
    ascending: bool
    density: float
    rows: list[Row[T]] = field(default_factory=list)
    read: int = 0
    impatient: bool = False
    """Whether the pass has read too many items without finding its rows."""

    def read_on(self, stretch: Stretch, batch: Batch[T]) -> None:
        """Keep the rows of a stretch. If its first batch fell short, read on before the next stretch.

        It may be in a gap of items that are dropped, so each request asks for twice as many as the one before.

        Raises :class:`CountsDiffer` if the whole stretch holds more or fewer items than the counts say.
        """
        read = len(batch.rows)  # an engine counts one item more where an answer ends at 1 MB
        self._add(batch)
        asked = 0
        while batch.stopped and self.missing > 0 and not self.impatient:
            asked = self.items() if self.listing.otherwise else max(self.items(), 2 * asked, SPARE_ITEMS)
            batch = self.listing.fetch(stretch.keys, batch.stopped, self.ascending, asked)
            read += len(batch.rows)
            self._add(batch)
        foreseen = stretch.items if stretch.ahead and not stretch.passed else read
        if self.listing.uncounted and not batch.stopped and read != foreseen:
            raise CountsDiffer(self.listing.uncounted)

    def _add(self, batch: Batch[T]) -> None:
        """Keep the rows of a batch, unless the pass is impatient already."""
        if self.impatient:
            return
        kept = [row for row in batch.rows if self.listing.keep(row.value)]
        self.rows += kept
        self.missing -= len(kept)
        self.read += batch.read
        self.impatient = self.missing > 0 and self.listing.otherwise is not None and self.read > self.listing.budget

    def items(self) -> int:
        """How many items to read for the missing rows: as many as was expected or, once items were dropped, as found.

        A request asks for two standard deviations more, so that hardly one follows, but not for far more than was read.
        """
        if len(self.rows) == self.read:
            return min(ceil(self.missing / self.density), LARGEST)
        found = max(len(self.rows), 1) / self.read
        left = max(self.listing.budget - self.read, 0) + 1 if self.listing.otherwise else LARGEST
        return min(ceil((self.missing + 2 * sqrt(self.missing)) / found), MOST_GROWTH * self.read, left, LARGEST)


def whole_range(fetch: Fetch[T], span: KeyRange, expected: int = LARGEST) -> list[T]:
    """Every value of a range. The request asks for a few more than expected, so that it reaches the end."""
    found, after = list[T](), None
    while True:
        batch = fetch(span, after, True, expected + SPARE_ITEMS)
        found += [row.value for row in batch.rows]
        if (after := batch.stopped) is None:
            return found


def whole_ranges(fetch: Fetch[T], ranges: Sequence[PlannedRange]) -> list[T] | None:
    """Every value of ranges, read at the same time; ``None`` if one has more or fewer than is counted."""
    parts = in_parallel([partial(whole_range, fetch, planned.keys, planned.items) for planned in ranges])
    if [*map(len, parts)] != [planned.items for planned in ranges]:
        return None
    return [value for part in parts for value in part]
