"""Lists of several owners, one after the other: all rows of one owner in the order of its list, then those of the next.

No rows are merged, so a page reads the lists of one owner or of a few, however many there are. Owners may have no rows.
So a page looks at a bounded number of them: then it is short, and its link to the next page leads on from there.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import NamedTuple, TypeVar

from dynamodb_lists.reading.cursors import Cursor, Position
from dynamodb_lists.reading.fetching import in_parallel
from dynamodb_lists.reading.listing import GivenUp, Listing, Row
from dynamodb_lists.schema.keys import HIGHEST

T = TypeVar("T")
AT_ONCE = 4
"""How many lists are read at the same time. The first one may have all rows of the page, so it is read alone."""
MOST_WAVES = 5


class Owners(NamedTuple):
    """Owners that may have rows, in the order in which they are read, and the last one that was looked at.

    ``ids`` are as many as one page may read. ``last`` is ``None`` if no owner follows.
    """

    ids: Iterable[str]
    last: str | None


@dataclass(frozen=True, kw_only=True)
class Chained(Listing[T]):
    """The lists of owners, which ``of`` gives by the owner's id.

    ``owners`` gives the next owners beyond an id (a blank one: from the beginning), or backwards those before it, by
    their ids. The position of a row is that of its owner, and within the owner's list.
    """

    owners: Callable[[str, bool], Owners]
    of: Callable[[str], Listing[T]]

    def take(self, count: int, cursor: Cursor | None, backward: bool) -> list[Row[T]]:
        """The rows. Raises :class:`GivenUp` if the owners that a page may read have fewer."""
        place = cursor.position if cursor else None
        rows: list[Row[T]] = []
        if place and place.table_key != _edge(backward):  # rows of its owner may follow
            rows = self._rows(place.sort_key, _within(place), count, backward)
            if len(rows) == count:
                return rows
        ids, last = self.owners(place.sort_key if place else "", backward)
        left, at_once = iter(ids), AT_ONCE if rows else 1
        wave: list[str] = []
        for _ in range(MOST_WAVES):
            wave, missing = list(islice(left, at_once)), count - len(rows)
            found = in_parallel([partial(self._rows, owner, None, missing, backward) for owner in wave])
            rows += [row for each in found for row in each][:missing]
            if len(rows) == count:
                return rows
            at_once = AT_ONCE
        reached = last if next(left, None) is None else wave[-1]
        if reached is not None:
            raise GivenUp(rows, Position(reached, _edge(backward)))
        return rows

    def stream(self) -> Iterator[T]:
        beyond: str | None = ""
        while beyond is not None:
            ids, beyond = self.owners(beyond, False)
            for owner in ids:
                yield from self.of(owner).stream()

    def _rows(self, owner: str, within: Position | None, count: int, backward: bool) -> list[Row[T]]:
        """The rows of an owner's list from a position on; without one, from its beginning or, backward, its end."""
        start = Cursor(within, backward) if within or backward else None
        found = self.of(owner).take(count, start, backward)
        return [Row(Position(owner, (place.sort_key, *place.table_key)), value) for place, value in found]


def _edge(backward: bool) -> tuple[str, ...]:
    """What stands for the last row of an owner's list in the direction of reading: its end or, backward, its begin."""
    return () if backward else (HIGHEST,)


def _within(place: Position) -> Position | None:
    """The position in the owner's list; ``None`` for its beginning and its end."""
    return None if place.table_key in {(), (HIGHEST,)} else Position(place.table_key[0], place.table_key[1:])
