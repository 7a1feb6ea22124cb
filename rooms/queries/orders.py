"""The orders of a hotel's list of rooms: how each one is read, and the position of a room in it.

Each index of facets is an order. Three orders have no such index: by rate, in a GSI; by number, in the number guards,
which repeat the rooms; and by a facet and then by number, which is sorted in memory, one value of the facet at a time.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil
from operator import attrgetter
from typing import Generic, NamedTuple, TypeVar

from hotelapp.dynamodb.planning.range_planner import FacetIndex
from hotelapp.dynamodb.planning.selection import Selection
from hotelapp.dynamodb.reading.cursors import Cursor, Position
from hotelapp.dynamodb.reading.fetching import fetcher, item_bytes
from hotelapp.dynamodb.reading.lists import Fetch, Listing, Row
from hotelapp.dynamodb.schema.entities import build, listed
from hotelapp.dynamodb.schema.keys import KeyRange
from rooms import keys
from rooms.entities import Room, RoomQuery
from rooms.keys import RoomFacets
from rooms.models import RoomNumberModel
from rooms.queries.rooms import room_fetcher

T = TypeVar("T")
GUARD_BYTES = 400
"""About how many bytes a room's number guard has."""

WALKED = {
    keys.RATE: FacetIndex(keys.BY_RATE, (), keys.ENTRY_BYTES),
    keys.NUMBER: FacetIndex(keys.NUMBERS, (), GUARD_BYTES),
}
"""The orders of the sorts that know no facet. A list in one of them is walked, and a filter drops rooms."""


def special_order(query: RoomQuery) -> FacetIndex | None:
    """The order of a query that no index of facets has; ``None`` if one has it."""
    if query.grouped:
        return FacetIndex(f"{query.sort}#{query.then}", (), keys.ENTRY_BYTES)
    return WALKED.get(query.sort)


def everything(order: str) -> KeyRange:
    """The keys of all rooms of a hotel in an order."""
    return {keys.BY_RATE: keys.all_rates, keys.NUMBERS: keys.all_numbers}.get(order, keys.all_rooms)()


def fetch_in(order: str, hotel_id: str) -> Fetch[Room]:
    """Reads ranges of a hotel's rooms in an order, with what lists show."""
    if order != keys.NUMBERS:
        return room_fetcher(hotel_id, order)
    names, make = [*listed(Room), "room_key"], partial(build, Room, hotel_id=hotel_id)
    return fetcher(RoomNumberModel, keys.numbers(hotel_id), make, attributes=names)


def walked_bytes(order: str, hotel_id: str) -> float:
    """About how many bytes an item has in an order of :data:`WALKED`."""
    if order == keys.NUMBERS:
        return item_bytes(keys.numbers(hotel_id), "", GUARD_BYTES)
    return item_bytes(keys.rooms(hotel_id), order, keys.ENTRY_BYTES)


def position(room: Room, order: str) -> Position:
    """The position of a room in an order."""
    if order == keys.BY_RATE:
        return Position(keys.rate(room.currency, room.rate, room.number), (room.stored_key,))
    if order == keys.NUMBERS:
        return Position(keys.guard(room.number))
    facet, _, by_number = order.partition("#")
    if by_number:
        return Position(keys.grouped(getattr(room.counted_facets, facet), room.number))
    return Position(keys.room(room.counted_facets, room.number, order), (room.stored_key,) if order else ())


class Group(NamedTuple):
    """The rows that share the first part of their sort key, and about how many there are."""

    part: str
    items: int


def groups_of(counts: Mapping[RoomFacets, int], selection: Selection, facet: str) -> list[Group]:
    """A group for each value of a facet that a selection allows."""
    items: Counter[str] = Counter()
    for combination, count in counts.items():
        if selection.allows(keys.FACETS, combination):
            items[getattr(combination, facet)] += count
    return [Group(part, items[part]) for part in sorted(items)]


@dataclass(frozen=True, kw_only=True)
class GroupedRows(Listing[T], Generic[T]):
    """A list in groups, which are in ascending order. A page reads the groups that may hold it, each one whole.

    ``read`` gives the rows of some groups in any order. ``density`` is the share of the items that are rows.
    """

    groups: Sequence[Group]
    read: Callable[[Sequence[Group]], list[Row[T]]]
    density: float = 1.0

    def take(self, count: int, cursor: Cursor | None, backward: bool) -> list[Row[T]]:
        ascending, start = self.descending == backward, cursor.position if cursor else None
        groups = self._from(start, ascending)
        rows, missing, density = list[Row[T]](), count, self.density
        while groups and missing > 0:
            some = holding(groups, ceil(missing / density), partly=bool(start) and len(rows) == 0)
            groups, density = groups[len(some) :], density / 2
            found = sorted(self.read(some), key=attrgetter("position"), reverse=not ascending)
            rows += [row for row in found if start is None or _is_beyond(row.position, start, ascending)]
            missing = count - len(rows)
        return rows[:count]

    def stream(self) -> Iterator[T]:
        for group in self._from(None, not self.descending):
            rows = sorted(self.read([group]), key=attrgetter("position"), reverse=self.descending)
            yield from (row.value for row in rows)

    def _from(self, start: Position | None, ascending: bool) -> Sequence[Group]:
        """The groups in the order in which they are read, from that of a position on."""
        groups = self.groups if ascending else self.groups[::-1]
        if start is None:
            return groups
        part = start.sort_key.partition("#")[0]
        return [group for group in groups if (group.part >= part if ascending else group.part <= part)]


def holding(groups: Sequence[Group], items: int, *, partly: bool = False) -> Sequence[Group]:
    """The first groups that hold so many items. If the first is read ``partly``, its items do not count."""
    held = -groups[0].items if partly else 0
    for number, group in enumerate(groups, 1):
        held += group.items
        if held >= items:
            return groups[:number]
    return groups


def _is_beyond(place: Position, start: Position, ascending: bool) -> bool:
    return place > start if ascending else place < start
