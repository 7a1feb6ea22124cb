"""Repairs for ``manage.py verify_data`` that are more than a key or a number."""

from dataclasses import replace

from pynamodb.expressions.update import Action

from hotelapp.dynamodb.schema.entities import same
from hotelapp.dynamodb.writing.changes import Change
from hotelapp.history.entities import REPAIR
from rooms import queries
from rooms.commands.rooms import RoomWriter, label_actions, to_store
from rooms.entities import Room
from rooms.keys import RoomFacets


def labels_of_a_room(hotel_id: str, *facets: str) -> list[Action]:
    """What gives a count that was missing the labels of one of its rooms."""
    sample = queries.room_of(hotel_id, RoomFacets(*facets))
    return list(label_actions(RoomFacets(*facets), sample)) if sample else []


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
