"""Read a list that is spread over several partitions: shards, or one partition for each value.

A k-way merge (Knuth, The Art of Computer Programming, 5.4.1): hold at least one row of every part, give the one that
comes first, ask again the part that has run out. The first rows of all parts are asked for at the same time. One
position serves all parts, because positions compare alike in each.

How much to ask for is a bargain: a row held and not given was read for nothing, and a part asked for one row at a
time costs a request a row. Where the counts say what each part gives on average, it is asked for that. Where nothing
is known, a take may hold a third of what it gives, and one row of each part at least: a page of 25 from eight parts
never reads more than 25 + 8 items, whatever lies in them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import ceil, sqrt
from typing import Generic, TypeVar

from hotelapp.dynamodb.cursors import Cursor, Position
from hotelapp.dynamodb.keys import KeyRange
from hotelapp.dynamodb.reading import CHUNK, Effort, Fetch, Listing, Row, together

T = TypeVar("T")
SHARE = 3
"""One row may be held for as many that are given."""

MARGIN = 0.6
"""Standard deviations to ask a part for beyond what it gives on average: more is read, less often (cheapest of 0 to
1.5 in a simulation, a request counted as eight items)."""

PATIENCE = 2
"""A filter may read this many times what the counts foresee for a page; then the exact partitions are read."""


@dataclass(frozen=True)
class Part(Generic[T]):
    """One partition: how to read it and, if known, how many rows it holds, and which share of its items are rows."""

    fetch: Fetch[T]
    rows: int | None = None
    density: float = 1.0


@dataclass
class _Reader(Generic[T]):
    """A part while it is read: the rows held, and where to go on."""

    part: Part[T]
    after: Position | None
    rows: list[Row[T]] = field(default_factory=list)
    ended: bool = False


@dataclass(frozen=True, kw_only=True)
class Merged(Listing[T]):
    """A list in several partitions of the same order, and the key range to read of each.

    ``exact`` is the same list from partitions that need no filter: where the counts mislead (the newest items are
    unlike the average) and a filter throws away too much, the rest of a page comes from there.
    """

    parts: Sequence[Part[T]]
    span: KeyRange
    exact: "Merged[T] | None" = None

    def take(self, count: int, cursor: Cursor | None, backward: bool) -> tuple[list[Row[T]], Effort]:
        """The first ``count`` rows beyond the cursor, in reading order. Nothing is foreseen."""
        start = cursor.position if cursor else None
        merge = _Merge(self, start, count, ascending=self.descending == backward)
        rows = list(merge.rows())
        if merge.impatient and self.exact:
            last = rows[-1][0] if rows else start
            rows += self.exact.take(count - len(rows), Cursor(last) if last else None, backward)[0]
        return rows, Effort()

    def stream(self) -> Iterator[T]:
        """Every row in order, read in chunks."""
        return (value for _, value in _Merge(self, None, None, ascending=not self.descending).rows())


class _Merge(Generic[T]):
    """One pass over the parts from a position on, for so many rows; ``None`` for all."""

    def __init__(self, listing: Merged[T], after: Position | None, count: int | None, *, ascending: bool) -> None:
        self._span = listing.span
        self._ascending = ascending
        self._count = count
        self._readers = [_Reader(part, after) for part in listing.parts]
        patient = count is None or listing.exact is None
        self._budget = float("inf") if patient else PATIENCE * self._foreseen(count or 0)
        self._read = 0
        self.impatient = False

    def rows(self) -> Iterator[Row[T]]:
        """The rows in order; fewer where a filter throws away too much, which ``impatient`` then says."""
        first = min if self._ascending else max
        given = 0
        while self._count is None or given < self._count:
            if not self._fill(CHUNK if self._count is None else self._count - given):
                return
            full = [reader for reader in self._readers if reader.rows]
            if not full:
                return
            yield first(full, key=lambda reader: reader.rows[0][0]).rows.pop(0)
            given += 1

    def _fill(self, need: int) -> bool:
        """Ask the parts that have run out, all at once, until each holds a row or has ended; false if too much was
        read for that. What a filter left nothing of is followed by twice as much."""
        times = 1
        while hungry := [reader for reader in self._readers if not reader.rows and not reader.ended]:
            left = self._budget - self._read
            if left <= 0:
                self.impatient = True
                return False
            limits = [self._limit(reader, need, len(hungry)) for reader in hungry]
            self._ask(hungry, [max(limit, int(min(limit * times, left))) for limit in limits])
            times *= 2
        return True

    def _ask(self, hungry: Sequence[_Reader[T]], limits: Sequence[int]) -> None:
        calls = [
            partial(reader.part.fetch, self._span, reader.after, self._ascending, limit)
            for reader, limit in zip(hungry, limits, strict=True)
        ]
        for reader, batch in zip(hungry, together(calls), strict=True):
            reader.rows = list(batch.rows)
            reader.after, reader.ended = batch.stopped, batch.stopped is None
            self._read += batch.read

    def _limit(self, reader: _Reader[T], need: int, hungry: int) -> int:
        """How many items to ask a part for."""
        if reader.part.rows is not None:
            left = sum(other.part.rows or 0 for other in self._readers if not other.ended) or 1
            expected = need * reader.part.rows / left
            spare = MARGIN * sqrt(expected) if len(self._readers) > 1 else 0
            return max(1, ceil((expected + spare) / reader.part.density))
        most = max(len(self._readers), self._count // SHARE) if self._count else CHUNK
        held = min(most, need + len(self._readers))
        return max(1, (held - sum(len(other.rows) for other in self._readers)) // hungry)

    def _foreseen(self, count: int) -> float:
        """The items that the counts let expect for so many rows."""
        rows = sum(reader.part.rows or 0 for reader in self._readers)
        items = sum((reader.part.rows or 0) / reader.part.density for reader in self._readers)
        return count * items / rows if rows else count
