"""Lists that were read whole and are sorted in memory."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from hotelapp.dynamodb.planning.range_planner import Segment
from hotelapp.dynamodb.reading.cursors import Cursor
from hotelapp.dynamodb.reading.lists import Listing, Row
from hotelapp.dynamodb.schema.keys import KeyRange

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

    def segments(self, ascending: bool) -> Iterable[Segment]:
        for row in self.rows if ascending else self.rows[::-1]:
            yield Segment(KeyRange(row.position.sort_key, row.position.sort_key), 1, wanted=True)


def sorted_rows(
    name: str,
    selected: str,
    index: str,
    descending: bool,
    rows: Iterable[Row[T]],
    *,
    cursor: Cursor | None = None,
) -> SortedRows[T]:
    """The list of these rows in the order of their positions, which are those of ``index``."""
    ordered = sorted(rows, key=lambda row: row.position)
    return SortedRows(
        name=name,
        selected=selected,
        index=index,
        descending=descending,
        total=len(ordered),
        cursor=cursor,
        rows=ordered,
    )
