"""Lists that were read whole and are sorted in memory."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from decimal import Decimal
from operator import attrgetter, itemgetter
from typing import Any, TypeVar

from dynamodb_lists.planning.sources import plain
from dynamodb_lists.reading.cursors import Cursor, Position
from dynamodb_lists.reading.listing import Grounds, Listing, Row
from dynamodb_lists.schema.keys import time_part

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class SortedRows(Listing[T]):
    """A list of ``rows`` that were read already, in ascending order. ``rank`` returns what sorts a position, if
    positions do not sort themselves.
    """

    rows: Sequence[Row[T]]
    rank: Callable[[Position], Any] = lambda position: position

    @classmethod
    def of(cls, placed: Iterable[tuple[tuple[str, ...], T]], *, why: str, **said: Any) -> "SortedRows[T]":
        """Return the list of these values, each with the texts that sort it. ``why`` says why they were read whole."""
        rows = sorted((Row(Position(place[0], place[1:]), value) for place, value in placed), key=itemgetter(0))
        return SortedRows(rows=rows, total=len(rows), grounds=Grounds(why=why), **said)

    def take(self, count: int, cursor: Cursor | None, backward: bool) -> list[Row[T]]:
        ranks = [self.rank(row.position) for row in self.rows]
        start = self.rank(cursor.position) if cursor and cursor.position else None
        if self.descending == backward:
            first = bisect_right(ranks, start) if start else 0
            return list(self.rows[first : first + count])
        end = bisect_left(ranks, start) if start else len(ranks)
        return list(self.rows[max(end - count, 0) : end][::-1])

    def stream(self) -> Iterator[T]:
        return (row.value for row in (self.rows[::-1] if self.descending else self.rows))


def in_memory(listing: Listing[T], rows: Iterable[Row[T]], values: Callable[[T], Iterable[Any]]) -> SortedRows[T]:
    """Return the list of these rows, sorted by ``values`` and then by their keys in the table."""
    texts = ((row, "".join(f"{_rank_text(value)}\0" for value in values(row.value))) for row in rows)
    placed = [Row(Position(text, row.position.table_key[1:]), row.value) for row, text in texts]
    known = {each.name: getattr(listing, each.name) for each in fields(Listing)} | {"total": len(placed)}
    return SortedRows(**known, rows=sorted(placed, key=attrgetter("position")))


def _rank_text(value: Any) -> str:
    """Return a text that sorts as values of any types do. No value comes first."""
    if value is None:
        return "\1"
    if isinstance(value, bool):
        return f"\2{value:d}"
    if isinstance(value, int | Decimal | float):
        digits = f"{abs(Decimal(value)):060.20f}"
        return f"\2-{digits.translate(_NINES)}" if value < 0 else f"\2{digits}"
    return f"\2{time_part(value, 'microseconds') if isinstance(value, datetime) else plain(value)}"


_NINES = str.maketrans("0123456789", "9876543210")
