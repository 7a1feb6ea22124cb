"""Read rows from planned ranges: how much to ask of each range, all that is needed at once, and no more.

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
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, replace
from functools import partial
from typing import Generic, Protocol, TypeVar

from hotelapp.dynamodb.cursors import Cursor
from hotelapp.dynamodb.facets import PlannedRange, Segment
from hotelapp.dynamodb.keys import KeyRange

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
Row = tuple[str, T]
"""A row's position (its sort key in the index that is read) and its value."""

CHUNK = 500
"""Rows a request when a whole list is streamed."""

_pool = ThreadPoolExecutor(max_workers=16, thread_name_prefix="dynamodb")


@dataclass(frozen=True)
class Batch(Generic[T_co]):
    """What one Query answered, and the position at which it stopped; ``None`` at the end of the range."""

    rows: Sequence[tuple[str, T_co]]
    stopped: str | None


class Fetch(Protocol[T_co]):
    """One Query: at most ``limit`` items of a key range, beyond the position ``after``, in key order or against it."""

    def __call__(self, span: KeyRange, after: str | None, ascending: bool, limit: int) -> "Batch[T_co]": ...


@dataclass(frozen=True)
class Listing(Generic[T]):
    """A list that can be paged: its ranges in ascending key order, how to read one, and what belongs in it.

    ``keep`` is asked for every item read, so a count that is a moment old cannot show a wrong row. ``total`` is
    ``None`` where nothing counts the items; then the ranges have no segments. ``query`` is what cursors are bound to.
    """

    ranges: Sequence[PlannedRange]
    fetch: Fetch[T]
    query: str
    index: str = ""
    descending: bool = False
    total: int | None = None
    keep: Callable[[Row[T]], bool] = lambda _: True


@dataclass(frozen=True)
class Effort:
    """What the plan foresaw for a page: requests, and items to read and drop."""

    requests: int = 0
    drops: int = 0

    def __add__(self, other: "Effort") -> "Effort":
        return Effort(self.requests + other.requests, self.drops + other.drops)


@dataclass(frozen=True)
class Stretch:
    """What is left to read of one range, and what the counts expect there, in reading order."""

    keys: KeyRange
    after: str | None
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


def take(listing: Listing[T], count: int, cursor: Cursor | None, backward: bool) -> tuple[list[Row[T]], Effort]:
    """The first ``count`` rows beyond the cursor, in reading order, and what the plan foresaw for them."""
    ascending = listing.descending == backward
    stretches = list(_stretches(listing, ascending, cursor))
    rows: list[Row[T]] = []
    effort = Effort()
    while stretches and len(rows) < count:
        wave, foreseen = _wave(stretches, count - len(rows))
        effort += foreseen
        batches = _together(
            [partial(listing.fetch, stretch.keys, stretch.after, ascending, limit) for stretch, limit in wave]
        )
        for (stretch, _), batch in zip(wave, batches, strict=True):
            rows += _drain(listing, stretch, batch, ascending, count - len(rows))
        stretches = stretches[len(wave) :]
    return rows, effort


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


def _drain(listing: Listing[T], stretch: Stretch, batch: Batch[T], ascending: bool, need: int) -> list[Row[T]]:
    """Up to ``need`` rows of a stretch: those of its batch, and more requests only if that fell short."""
    rows: list[Row[T]] = []
    while True:
        rows += [row for row in batch.rows if listing.keep(row)]
        if len(rows) >= need or batch.stopped is None:
            return rows[: max(need, 0)]
        batch = listing.fetch(stretch.keys, batch.stopped, ascending, need - len(rows))


def _stretches(listing: Listing[T], ascending: bool, cursor: Cursor | None) -> Iterator[Stretch]:
    """What is left of each range beyond the cursor; ranges that were passed altogether are left out."""
    start = cursor.position if cursor else None
    passed = _passed(listing, cursor)
    for planned in listing.ranges if ascending else reversed(listing.ranges):
        expected = planned.segments if ascending else planned.segments[::-1]
        if start is None or _beyond(planned.keys, start, ascending):
            yield Stretch(planned.keys, None, expected)
            continue
        ahead, passed = _remaining(expected, start, ascending, passed)
        if start in planned.keys:
            yield Stretch(planned.keys, start, ahead)


def _remaining(expected: Sequence[Segment], start: str, ascending: bool, passed: int) -> tuple[list[Segment], int]:
    """The segments from the position on, the one it stands in cut down; and how many passed rows remain."""
    left: list[Segment] = []
    for segment in expected:
        if _beyond(segment.keys, start, ascending):
            left.append(segment)
        elif start in segment.keys and segment.wanted:
            left.append(replace(segment, items=min(max(segment.items - passed, 0), segment.items)))
        passed -= segment.items if segment.wanted else 0
    return left, passed


def _passed(listing: Listing[T], cursor: Cursor | None) -> int:
    """How many rows the reader has passed, the one at the cursor included, in its own direction."""
    if cursor is None or cursor.rank is None or listing.total is None:
        return 0
    return listing.total - cursor.rank if cursor.backward else cursor.rank + 1


def _beyond(keys: KeyRange, position: str, ascending: bool) -> bool:
    """Whether the whole range is still to come."""
    return keys.low > position if ascending else keys.high < position


def segments(listing: Listing[T], ascending: bool) -> Iterator[Segment]:
    """What the counts expect in the whole list, in key order or against it."""
    for planned in listing.ranges if ascending else reversed(listing.ranges):
        yield from planned.segments if ascending else planned.segments[::-1]


def _together(calls: Sequence[Callable[[], Batch[T]]]) -> list[Batch[T]]:
    """The calls' results in order; several at once where there are several."""
    if len(calls) == 1:
        return [calls[0]()]
    futures = [_pool.submit(copy_context().run, call) for call in calls]
    return [future.result() for future in futures]


def read_all(listing: Listing[T]) -> Iterator[T]:
    """Every row of the list in order, read a chunk at a time."""
    ascending = not listing.descending
    for planned in listing.ranges if ascending else reversed(listing.ranges):
        after: str | None = None
        while True:
            batch = listing.fetch(planned.keys, after, ascending, CHUNK)
            yield from (row[1] for row in batch.rows if listing.keep(row))
            if (after := batch.stopped) is None:
                break
