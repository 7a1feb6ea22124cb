"""Read a list of items whose sort keys are known beforehand: by their keys, so that nothing else is read."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from hotelapp.dynamodb.reading.cursors import Cursor, Position
from hotelapp.dynamodb.reading.lists import CHUNK, Listing, Row

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class KnownItems(Listing[T]):
    """The items that exist among these sort keys, in the order of their keys.

    ``read`` returns the items that exist among some of the keys, by sort key.
    """

    sort_keys: Collection[str]
    read: Callable[[Sequence[str]], Mapping[str, T]]

    def take(self, count: int, cursor: Cursor | None, backward: bool) -> list[Row[T]]:
        """The first ``count`` rows beyond the cursor. Keys without an item are replaced by the next keys."""
        left = self._beyond(cursor, ascending=self.descending == backward)
        rows: list[Row[T]] = []
        while left and len(rows) < count:
            asked = left[: count - len(rows)]
            left = left[len(asked) :]
            rows += self._rows(asked)
        return rows

    def stream(self) -> Iterator[T]:
        ordered = self._beyond(None, ascending=not self.descending)
        for start in range(0, len(ordered), CHUNK):
            yield from (row.value for row in self._rows(ordered[start : start + CHUNK]))

    def _rows(self, asked: Sequence[str]) -> list[Row[T]]:
        found = self.read(asked)
        return [Row(Position(key), found[key]) for key in asked if key in found]

    def _beyond(self, cursor: Cursor | None, *, ascending: bool) -> list[str]:
        """The keys beyond the cursor, in the order of reading."""
        start = cursor.position.sort_key if cursor and cursor.position else None
        ordered = sorted(self.sort_keys, reverse=not ascending)
        return [key for key in ordered if start is None or (key > start if ascending else key < start)]
