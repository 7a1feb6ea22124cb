"""Writes of rooms. Each is one transaction, so that rooms, number guards, facet counts and hotels' totals agree."""

from collections.abc import Mapping, Sequence

from hotelapp.dynamodb.connection.errors import ChangedMeanwhile, Conflict, NotFound
from hotelapp.dynamodb.schema.entities import same, with_optional
from hotelapp.dynamodb.writing.changes import Change
from hotelapp.history.entities import IMPORT, Actor
from hotels import queries as hotel_queries
from rooms import queries
from rooms.commands.changes import RoomWriter, to_store
from rooms.entities import Room, StatusChange


class NumberTaken(Conflict):
    """Another room of the hotel has the number."""


def create_room(room: Room, by: str) -> Room:
    """Add a room. If the same room was already added, return that room.

    Raises :class:`NumberTaken`, and :class:`NotFound` for an unknown hotel.
    """
    actor = Actor(by)
    created = to_store(None, room, actor)
    try:
        RoomWriter(actor).apply([Change(None, created)])
    except Conflict as error:
        hotel_queries.hotel(room.hotel_id)  # raises NotFound, if that was the reason
        stored = queries.rooms_as_stored([(room.hotel_id, room.number)]).get((room.hotel_id, room.number))
        if stored and same(stored, created):
            return stored
        raise NumberTaken(f"There is already a room {room.number}. Choose another number.") from error
    return created


def edit_room(before: Room, after: Room, by: str) -> Room:
    """Change a room that its editor saw as ``before``; its number and facets may change, too. Its status stays.

    Raises :class:`ChangedMeanwhile`, and :class:`NumberTaken` if another room has the new number.
    """
    actor = Actor(by)
    edited = to_store(before, after.with_status_of(before), actor)
    try:
        RoomWriter(actor).apply([Change(before, edited)])
    except Conflict as error:
        if edited.number != before.number and _is_unchanged(before):
            raise NumberTaken(f"There is already a room {edited.number}. Choose another number.") from error
        raise _changed_meanwhile(before) from error
    return edited


def delete_room(room: Room, by: str) -> None:
    """Delete a room that its reader saw as ``room``. Raises :class:`ChangedMeanwhile` if it has changed since."""
    try:
        RoomWriter(Actor(by)).apply([Change(room, None)])
    except Conflict as error:
        raise _changed_meanwhile(room) from error


def save_rooms(rooms: Sequence[Room], statuses: Mapping[tuple[str, str], StatusChange] | None = None) -> int:
    """Create or change many rooms of hotels that exist, from a file; returns how many were written.

    Rooms that are stored with the same values are not written, so repeating a batch writes nothing. The status of a
    stored room stays, except for the changes in ``statuses``, by hotel and number. Each number may occur once. The
    rooms of a transaction share the writes of their counts, so a large batch costs fewer writes.

    Raises :class:`ChangedMeanwhile` if another writer keeps changing the rooms, or if a hotel does not exist.
    """
    try:
        return RoomWriter(IMPORT).save(lambda: _changes(rooms, statuses or {}))
    except Conflict as error:
        raise ChangedMeanwhile("Somebody else is changing the same rooms, or their hotel does not exist.") from error


def _changed_meanwhile(room: Room) -> ChangedMeanwhile:
    return ChangedMeanwhile(f"Somebody else changed room {room.number}. Load it again.")


def _is_unchanged(room: Room) -> bool:
    try:
        return queries.room(room.hotel_id, room.number, consistent=True).revision == room.revision
    except NotFound:
        return False


def _changes(rooms: Sequence[Room], statuses: Mapping[tuple[str, str], StatusChange]) -> list[Change[Room]]:
    stored = queries.rooms_as_stored((room.hotel_id, room.number) for room in rooms)
    changes = []
    for room in rooms:
        key = room.hotel_id, room.number
        before = stored.get(key)
        after = with_optional(room, before).with_status_of(before) if before else room
        after = statuses.get(key, StatusChange()).of(after)
        if before is None or not same(before, after):
            changes.append(Change(before, to_store(before, after, IMPORT)))
    return changes
