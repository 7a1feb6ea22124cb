"""Lists of several hotels that are read hotel by hotel, in the order of the hotels' ids.

The rows of one hotel are in the order of its list; the rows of the next hotel follow. No rows are merged, so a page
reads the lists of one hotel or of a few, however many hotels there are. Hotels may have no rows, so a page looks at a
bounded number of hotels. Such a page may be short, and its link to the next page goes on with the next hotel.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from itertools import islice
from typing import TypeVar

from dynamodb_lists import Cursor, GivenUp, Grounds, Listing, Position, Row, get_items, in_parallel, ledger
from dynamodb_lists.schema import keys
from hotels.entities import TOTAL
from hotels.models import StatisticsModel, parse_statistic, statistic_key
from hotels.queries import hotels, ids_beyond
from portal.people import HotelScope

T = TypeVar("T")
AT_ONCE = 4
"""How many lists are read at the same time. The first one may have all rows of the page, so it is read alone."""
MOST_WAVES = 5
MOST_READ = 1 + AT_ONCE * (MOST_WAVES - 1)
"""The most hotels in which a page looks for rows where nothing tells which hotels have some."""
MOST_COUNTED = 50
"""The most hotels at which a page looks where statistics tell it. They are half a unit each, in one request."""
FIRST = 1 + 2 * AT_ONCE
"""The lists that it reads before it reads statistics, because they often fill a page."""
Counted = tuple[str, Callable[[Mapping[str, Decimal]], bool]]
"""A statistic, and whether a hotel whose statistic has these numbers has rows."""
WHY = Grounds(why="The list of each hotel follows the list of the hotel before, so a page reads one list or a few.")


@dataclass(frozen=True, kw_only=True)
class HotelByHotel(Listing[T]):
    """The lists of the hotels of a scope, one after the other. ``of`` gives the list of a hotel by its id.

    Without ``has_rows``, nothing tells which hotels have rows. The position of a row is the hotel's position and the
    row's position within the hotel's list.
    """

    scope: HotelScope
    of: Callable[[str], Listing[T]]
    has_rows: Counted | None = None
    grounds: Grounds = WHY

    def take(self, count: int, cursor: Cursor | None, backward: bool) -> list[Row[T]]:
        """Return the rows. Raises :class:`GivenUp` if the hotels that a page may read have fewer."""
        place = cursor.position if cursor else None
        rows: list[Row[T]] = []
        if place and place.table_key != _edge(backward):  # rows of its hotel may follow, from the beginning or a place
            is_inside = place.table_key not in {(), (keys.HIGHEST,)}
            within = Position(place.table_key[0], place.table_key[1:]) if is_inside else None
            rows = self._rows(place.sort_key, within, count, backward)
        looked, last = self._next(place.sort_key if place else "", backward)
        left, at_once = self._with_rows(looked), AT_ONCE if rows else 1
        wave: list[str] = []
        for _ in range(MOST_WAVES):
            if (missing := count - len(rows)) == 0:
                return rows
            wave, at_once = [*islice(left, at_once)], AT_ONCE
            found = in_parallel([partial(self._rows, each, None, missing, backward) for each in wave])
            rows += [row for each in found for row in each][:missing]
        reached = last if next(left, None) is None else wave[-1]
        if reached is not None and len(rows) < count:
            raise GivenUp(rows, Position(reached, _edge(backward)))
        return rows

    def stream(self) -> Iterator[T]:
        beyond: str | None = ""
        while beyond is not None:
            found, beyond = self._next(beyond, backward=False)
            for hotel_id in self._with_rows(found):
                yield from self.of(hotel_id).stream()

    def _next(self, beyond: str, backward: bool) -> tuple[list[str], str | None]:
        """Return the next hotels that a page looks at, and the last of them if others follow.

        One request reads the first page of hotels. A scope that names its hotels needs no request.
        """
        most = MOST_COUNTED if self.has_rows else MOST_READ
        if self.scope.hotel_ids is None:
            with ledger.purpose("hotel"):
                rows = hotels().take(most + 1, Cursor(Position(beyond)) if beyond else None, backward)
            found = [row.value.hotel_id for row in rows]
        else:
            found = ids_beyond(self.scope.hotel_ids, beyond, backward)
        return found[:most], found[most - 1] if len(found) > most else None

    def _with_rows(self, ids: Sequence[str]) -> Iterator[str]:
        """The hotels to read: the first ones, and those of the others that have rows, by one read of statistics."""
        yield from ids[: FIRST if self.has_rows else None]
        if self.has_rows:
            what, has = self.has_rows
            totals = totals_of_hotels(ids[FIRST:], what)
            yield from (each for each in ids[FIRST:] if has(totals.get(each, {})))

    def _rows(self, hotel_id: str, within: Position | None, count: int, backward: bool) -> list[Row[T]]:
        """Return the rows of a hotel's list from a position on; without one, from the first or, backward, the last."""
        start = Cursor(within, backward) if within or backward else None
        found = self.of(hotel_id).take(count, start, backward)
        return [Row(Position(hotel_id, (place.sort_key, *place.table_key)), value) for place, value in found]


def _edge(backward: bool) -> tuple[str, ...]:
    """Return the position of the end of a hotel's list in the direction of reading."""
    return () if backward else (keys.HIGHEST,)


def totals_of_hotels(hotel_ids: Iterable[str], what: str) -> dict[str, Mapping[str, Decimal]]:
    """Return the totals of a statistic of some hotels, by id. Costs: one request, half a unit for each hotel."""
    wanted = [statistic_key(hotel_id, (what, TOTAL)) for hotel_id in hotel_ids]
    with ledger.purpose("statistics"):
        stored = get_items(StatisticsModel, wanted, consistent=False)
        return {parse_statistic(each["pk"], each["sk"])[0]: each["numbers"] for each in stored}
