"""Repairs for ``manage.py verify_data``: each on the condition that what it changes is as it was seen."""

from dataclasses import replace

from pynamodb.expressions.update import Action

from hotelapp.dynamodb.schema.entities import same
from hotelapp.dynamodb.writing import single_items
from hotelapp.dynamodb.writing.changes import Change, as_seen
from hotelapp.history.entities import REPAIR
from rooms import keys, queries
from rooms.commands.rooms import RoomWriter, label_actions, room_item, to_store
from rooms.entities import Room
from rooms.keys import RoomFacets
from rooms.models import RoomCountModel, RoomModel, RoomNumberModel


def mend_count(hotel_id: str, facets: RoomFacets, seen: int | None, rooms: int) -> None:
    """Set a count, with the labels of one of its rooms if it is missing. Raises :class:`Conflict` if it is not as seen.

    ``seen`` is ``None`` for a missing count.
    """
    actions: list[Action] = [RoomCountModel.rooms.set(rooms)]
    if seen is None and (sample := queries.room_of(hotel_id, facets)):
        actions += label_actions(facets, sample)
    is_as_seen = RoomCountModel.pk.does_not_exist() if seen is None else RoomCountModel.rooms == seen
    single_items.update(RoomCountModel(keys.counts(hotel_id), keys.count(facets)), actions, is_as_seen)


def mend_keys(room: Room) -> None:
    """Set the sort keys of a room's indexes. Raises :class:`Conflict` if the room is not as seen."""
    single_items.mend(room_item(room), keys.INDEX_KEYS, as_seen(RoomModel, room))


def mend_guard(hotel_id: str, number: str) -> None:
    """Set the key of a number guard in the index of all hotels. Raises :class:`Conflict` without such a guard."""
    guard = RoomNumberModel(keys.numbers(hotel_id), keys.guard(number))
    key = RoomNumberModel.any_hotel.set(keys.any_hotel(number))
    single_items.update(guard, [key], RoomNumberModel.attribute("number") == number)


def mend_attention(room: Room) -> bool:
    """Give a room and its guard a time since when it needs attention, or take it away; ``False`` if the two differ.

    Where the guard still has the time, the room gets it back. Otherwise it is now.
    Raises :class:`Conflict` if the room or the guard is not as seen.
    """
    guard = queries.rooms_as_stored([(room.hotel_id, room.number)]).get((room.hotel_id, room.number))
    if guard is None or not same(guard, room):
        return False
    since = room.attention_since or guard.attention_since
    after = to_store(replace(room, attention_since=since), room, REPAIR)
    RoomWriter(REPAIR).apply([Change(room, after)])
    return True
