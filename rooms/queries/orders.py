"""The orders of a hotel's list of rooms: how each one is read, and the position of a room in it.

Each index of facets is an order. Two orders have no such index: by rate, in a GSI, and by number, in the number guards,
which repeat the rooms.
"""

from dynamodb_lists.planning.range_planner import FacetIndex
from dynamodb_lists.reading.cursors import Position
from dynamodb_lists.reading.fetching import fetcher, item_bytes
from dynamodb_lists.reading.lists import Fetch
from dynamodb_lists.schema.entities import build, listed
from dynamodb_lists.schema.keys import KeyRange
from dynamodb_lists.schema.models import Values
from rooms import keys
from rooms.entities import Room
from rooms.models import RoomNumberModel
from rooms.queries.rooms import room_fetcher

GUARD_BYTES = 400
"""About how many bytes a room's number guard has."""
MOST_NUMBERED = 50
"""How many rooms whose number begins with a text are read at once, to sort them as people count."""

WALKED = {
    keys.RATE: FacetIndex(keys.BY_RATE, (), keys.ENTRY_BYTES),
    keys.NUMBER: FacetIndex(keys.NUMBERED, (), keys.ENTRY_BYTES),
}
"""The orders of the sorts that know no facet. A list in one of them is walked, and a filter drops rooms."""


def everything(order: str) -> KeyRange:
    """The keys of all rooms of a hotel in an order."""
    return {keys.BY_RATE: keys.all_rates, keys.NUMBERED: keys.all_numbered}.get(order, keys.all_rooms)()


def fetch_in(order: str, hotel_id: str) -> Fetch[Room]:
    """Reads ranges of a hotel's rooms in an order, or number guards by their own keys, with what lists show."""
    if order == keys.NUMBERED:
        index, key = keys.NUMBERED_INDEX, keys.sort_key(keys.NUMBERED_INDEX)
    elif order == keys.NUMBERS:
        index, key = "", "room_key"
    else:
        return room_fetcher(hotel_id, order)

    def guarded(values: Values) -> Room:
        stored = values.get(key, "")
        return build(Room, values, hotel_id=hotel_id, room_key=keys.room_key(stored) if index else stored)

    return fetcher(RoomNumberModel, keys.numbers(hotel_id), guarded, attributes=[*listed(Room), key], index=index)


def numbered(start: str) -> tuple[str, KeyRange]:
    """An order, and a range of it that holds each room whose number begins with a text, in capitals or not.

    Digits have no capitals, so the guards' own keys have the smallest range.
    """
    if start.isdecimal():
        return keys.NUMBERS, keys.numbers_from(start)
    return keys.NUMBERED, keys.numbered_from(start)[0]


def walked_bytes(order: str, hotel_id: str) -> float:
    """About how many bytes an item has in an order of :data:`WALKED`."""
    if order == keys.NUMBERED:
        return item_bytes(keys.numbers(hotel_id), keys.NUMBERED_INDEX, keys.ENTRY_BYTES)
    return item_bytes(keys.rooms(hotel_id), order, keys.ENTRY_BYTES)


def position(room: Room, order: str) -> Position:
    """The position of a room in an order."""
    if order == keys.BY_RATE:
        return Position(keys.rate(room.currency, room.rate, room.number), (room.stored_key,))
    if order == keys.NUMBERED:
        return Position(keys.numbered(room.number, room.stored_key), (keys.guard(room.number),))
    return Position(keys.room(room.counted_facets, room.number, order), (room.stored_key,) if order else ())
