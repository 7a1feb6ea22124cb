"""Lists that were read whole and are sorted in memory."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from dynamodb_lists.reading.cursors import Cursor
from dynamodb_lists.reading.listing import Listing, Row

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class SortedRows(Listing[T]):
    """A list whose rows were read already. ``rows`` are in the ascending order of their positions."""

    rows: Sequence[Row[T]]

    def take(self, count: int, cursor: Cursor | None, backward: bool) -> list[Row[T]]:
        positions = [row.position for row in self.rows]
        start = cursor.position if cursor else None
        if self.descending == backward:
            first = bisect_right(positions, start) if start else 0
            return list(self.rows[first : first + count])
        end = bisect_left(positions, start) if start else len(positions)
        return list(self.rows[max(end - count, 0) : end][::-1])

    def stream(self) -> Iterator[T]:
        return (row.value for row in (self.rows[::-1] if self.descending else self.rows))
