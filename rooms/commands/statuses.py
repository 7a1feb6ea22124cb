"""Writes of the status of rooms. The last writer wins: a status is what somebody saw last."""

from collections.abc import Mapping

from hotelapp.dynamodb.connection.errors import NotFound
from hotelapp.dynamodb.schema.entities import same
from hotelapp.dynamodb.writing.changes import Change
from hotelapp.history.entities import Actor
from rooms import queries
from rooms.commands.changes import RoomWriter, to_store
from rooms.entities import Room, StatusChange


def set_status(hotel_id: str, number: str, change: StatusChange, by: str) -> int:
    """Change the status of a room; returns 1, or 0 if it has that status. Raises :class:`NotFound`."""
    return set_statuses({(hotel_id, number): change}, by)


def set_statuses(wanted: Mapping[tuple[str, str], StatusChange], by: str) -> int:
    """Change the status of rooms, by hotel and number; returns how many had another one.

    If somebody else changes a room meanwhile, it is read and changed again.
    Raises :class:`NotFound` if a room does not exist. Then other rooms may have been changed.
    """
    actor = Actor(by)

    def changes() -> list[Change[Room]]:
        stored = queries.rooms_as_stored(wanted)
        if missing := next((number for hotel_id, number in wanted if (hotel_id, number) not in stored), None):
            raise NotFound(f"There is no room {missing}.")
        pairs = ((room, wanted[room.hotel_id, room.number].of(room)) for room in stored.values())
        return [Change(before, to_store(before, after, actor)) for before, after in pairs if not same(before, after)]

    return RoomWriter(actor).save(changes)
