"""Read a list that is spread over several partitions: shards, or one partition for each value.

A k-way merge (Knuth, The Art of Computer Programming, 5.4.1): hold at least one row of every part, give the one that
comes first, ask again the part that has run out. The first rows of all parts are asked for at the same time. One
position serves all parts, because positions compare alike in each.

How much to hold is a bargain. A row held and not given was read for nothing; a part asked for one row at a time costs
a request a row. Each take may hold a third of what it gives, and one row of each part at least, so a page of 25 from
eight parts never reads more than 25 + 8 items, whatever lies in them. A larger page holds more and asks less often.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Generic, TypeVar

from hotelapp.dynamodb.cursors import Cursor, Position
from hotelapp.dynamodb.keys import KeyRange
from hotelapp.dynamodb.reading import CHUNK, Effort, Fetch, Listing, Row, together

T = TypeVar("T")
SHARE = 3
"""One row may be held for as many that are given."""


@dataclass
class _Part(Generic[T]):
    """One partition while it is read: the rows held, and where to go on."""

    fetch: Fetch[T]
    after: Position | None
    rows: list[Row[T]] = field(default_factory=list)
    ended: bool = False


@dataclass(frozen=True, kw_only=True)
class Merged(Listing[T]):
    """A list in several partitions of the same order: how to read each, and the key range to read."""

    parts: Sequence[Fetch[T]]
    span: KeyRange

    def take(self, count: int, cursor: Cursor | None, backward: bool) -> tuple[list[Row[T]], Effort]:
        """The first ``count`` rows beyond the cursor, in reading order. Nothing is foreseen."""
        held = max(len(self.parts), count // SHARE)
        rows = self._merge(cursor.position if cursor else None, self.descending == backward, count, held)
        return list(rows), Effort()

    def stream(self) -> Iterator[T]:
        """Every row in order, read in chunks."""
        return (value for _, value in self._merge(None, not self.descending, None, CHUNK))

    def _merge(self, after: Position | None, ascending: bool, count: int | None, held: int) -> Iterator[Row[T]]:
        """Up to ``count`` rows (``None`` for all), never holding more than ``held``."""
        first = min if ascending else max
        parts = [_Part(fetch, after) for fetch in self.parts]
        given = 0
        while count is None or given < count:
            self._refill(parts, ascending, held if count is None else min(held, count - given + len(parts)))
            if not (full := [part for part in parts if part.rows]):
                return
            yield first(full, key=lambda part: part.rows[0][0]).rows.pop(0)
            given += 1

    def _refill(self, parts: Sequence[_Part[T]], ascending: bool, held: int) -> None:
        """Ask the parts that have run out, all at once, for an equal share of what may still be held.

        Once is mostly enough; but an answer may hold no row although its part goes on.
        """
        while hungry := [part for part in parts if not part.rows and not part.ended]:
            limit = max(1, (held - sum(len(part.rows) for part in parts)) // len(hungry))
            batches = together([partial(part.fetch, self.span, part.after, ascending, limit) for part in hungry])
            for part, batch in zip(hungry, batches, strict=True):
                part.rows = list(batch.rows)
                part.after, part.ended = batch.stopped, batch.stopped is None
