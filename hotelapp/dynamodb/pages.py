"""Read planned ranges into one page, from any position, in either direction.

A page reads one row past its end, so that no link leads to an empty page. What each range holds is known from the
plan, so the requests of one page are sized beforehand and go out together; if the counts were a moment old, reading
goes on until the page is full.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, replace
from functools import partial
from typing import Generic, Protocol, TypeVar

from hotelapp.dynamodb.cursors import LAST_PAGE, Cursor, encode
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
class Page(Generic[T]):
    """One page of a list, and the cursors to its neighbours, ready for a URL; ``None`` where there is no such page.

    The first page needs no cursor. ``rank`` counts the rows before the page, or is ``None`` where that is not known.
    """

    rows: tuple[T, ...]
    total: int | None
    rank: int | None
    has_previous: bool
    previous: str | None
    next: str | None
    last: str | None
    foreseen: Effort

    @property
    def numbers(self) -> str:
        """Which rows of the list these are, ``26-50``; blank where that is not known."""
        return "" if self.rank is None or not self.rows else f"{self.rank + 1}-{self.rank + len(self.rows)}"


def read_page(listing: Listing[T], size: int, cursor: Cursor | None = None) -> Page[T]:
    """The page of ``size`` rows at the cursor; without one, the first.

    Should everything beyond the cursor be gone, the page that is now the last (or the first) is read instead.
    """
    if cursor is None:
        return _forward(listing, size, None)
    if cursor == LAST_PAGE:
        return _last(listing, size)
    return _backward(listing, size, cursor) if cursor.backward else _forward(listing, size, cursor)


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


def _forward(listing: Listing[T], size: int, cursor: Cursor | None) -> Page[T]:
    rows, effort = _take(listing, size + 1, cursor, backward=False)
    if cursor and not rows:
        return _last(listing, size)
    rank = (cursor.rank + 1 if cursor.rank is not None else None) if cursor else 0
    rank = _settled(listing, rank, rows)
    if cursor and listing.total is not None and len(rows) <= size:  # the last page ends with the last row
        rank = max(listing.total - len(rows), 0)
    before = cursor is not None if rank is None or listing.total is None else rank > 0
    return _page(listing, rows[:size], rank, before, len(rows) > size, effort)


def _backward(listing: Listing[T], size: int, cursor: Cursor) -> Page[T]:
    rows, effort = _take(listing, size + 1, cursor, backward=True)
    if len(rows) < size:  # rows before it are gone: a short first page would be an odd one
        return _forward(listing, size, None)
    shown = rows[:size][::-1]
    before = len(rows) > size
    rank = None if cursor.rank is None else cursor.rank - size
    rank = _settled(listing, rank, shown) if before else 0
    after = listing.total is None or rank is None or rank + size < listing.total
    return _page(listing, shown, rank, before, after, effort)


def _last(listing: Listing[T], size: int) -> Page[T]:
    """The last page, cut so that walking on from it backwards gives the pages that walking forwards gave."""
    total = listing.total
    count = size + 1 if total is None else (total - 1) % size + 1 if total else size
    rows, effort = _take(listing, count, LAST_PAGE, backward=True)
    shown = rows[:size][::-1]
    rank = None if total is None else max(total - len(shown), 0)
    before = len(rows) > size if rank is None else rank > 0
    return _page(listing, shown, rank, before, False, effort)


def _page(
    listing: Listing[T], rows: Sequence[Row[T]], rank: int | None, before: bool, after: bool, effort: Effort
) -> Page[T]:
    def to(position: str | None, backward: bool, edge_rank: int | None) -> str:
        return encode(Cursor(position, backward, edge_rank, listing.index), listing.query)

    last_rank = None if rank is None else rank + len(rows) - 1
    return Page(
        rows=tuple(value for _, value in rows),
        total=listing.total,
        rank=rank,
        has_previous=before,
        previous=to(rows[0][0], True, rank) if rows and before else None,
        next=to(rows[-1][0], False, last_rank) if rows and after else None,
        last=encode(LAST_PAGE, listing.query) if rows and after else None,
        foreseen=effort,
    )


def _settled(listing: Listing[T], rank: int | None, rows: Sequence[Row[T]]) -> int | None:
    """The rank of the first row, held within what the counts allow now: rows may have come or gone since."""
    if rank is None or listing.total is None or not rows:
        return rank
    passed = 0
    for segment in _segments(listing, not listing.descending):
        if rows[0][0] in segment.keys:
            here = sum(position in segment.keys for position, _ in rows)
            return max(passed, min(rank, passed + segment.items - here))
        passed += segment.items if segment.wanted else 0
    return rank


# --- Reading --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Stretch:
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


def _take(listing: Listing[T], count: int, cursor: Cursor | None, backward: bool) -> tuple[list[Row[T]], Effort]:
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


def _wave(stretches: Sequence[_Stretch], need: int) -> tuple[list[tuple[_Stretch, int]], Effort]:
    """The stretches that are expected to give ``need`` rows, each with its limit."""
    wave: list[tuple[_Stretch, int]] = []
    effort = Effort()
    for stretch in stretches:
        rows, drops = stretch.outlook(need)
        wave.append((stretch, need + drops))
        effort += Effort(1, drops)
        need -= rows
        if need <= 0:
            break
    return wave, effort


def _drain(listing: Listing[T], stretch: _Stretch, batch: Batch[T], ascending: bool, need: int) -> list[Row[T]]:
    """Up to ``need`` rows of a stretch: those of its batch, and more requests only if that fell short."""
    rows: list[Row[T]] = []
    while True:
        rows += [row for row in batch.rows if listing.keep(row)]
        if len(rows) >= need or batch.stopped is None:
            return rows[: max(need, 0)]
        batch = listing.fetch(stretch.keys, batch.stopped, ascending, need - len(rows))


def _stretches(listing: Listing[T], ascending: bool, cursor: Cursor | None) -> Iterator[_Stretch]:
    start = cursor.position if cursor else None
    passed = _passed(listing, cursor)
    for planned in listing.ranges if ascending else reversed(listing.ranges):
        segments = planned.segments if ascending else planned.segments[::-1]
        if start is None or _ahead(planned.keys, start, ascending):
            yield _Stretch(planned.keys, None, segments)
            continue
        ahead, passed = _left(segments, start, ascending, passed)
        if start in planned.keys:
            yield _Stretch(planned.keys, start, ahead)


def _left(segments: Sequence[Segment], start: str, ascending: bool, passed: int) -> tuple[list[Segment], int]:
    """The segments from the position on, the one it stands in cut down; and how many passed rows remain."""
    left: list[Segment] = []
    for segment in segments:
        if _ahead(segment.keys, start, ascending):
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


def _ahead(keys: KeyRange, position: str, ascending: bool) -> bool:
    return keys.low > position if ascending else keys.high < position


def _segments(listing: Listing[T], ascending: bool) -> Iterator[Segment]:
    for planned in listing.ranges if ascending else reversed(listing.ranges):
        yield from planned.segments if ascending else planned.segments[::-1]


def _together(calls: Sequence[Callable[[], Batch[T]]]) -> list[Batch[T]]:
    """The calls' results in order; several at once where there are several."""
    if len(calls) == 1:
        return [calls[0]()]
    futures = [_pool.submit(copy_context().run, call) for call in calls]
    return [future.result() for future in futures]
