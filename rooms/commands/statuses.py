"""Writes of the status of rooms. The last writer wins: a status is what somebody saw last."""

from hotelapp.dynamodb.connection.errors import ChangedMeanwhile
from hotelapp.dynamodb.schema.entities import same
from hotelapp.dynamodb.writing.changes import Change
from hotelapp.history.entities import Actor
from rooms import queries
from rooms.commands.rooms import RoomWriter, to_store
from rooms.entities import Room, StatusChange


def set_status(
    hotel_id: str, number: str, change: StatusChange, by: str, *, undone: int | None = None
) -> tuple[Room, Room]:
    """Change the status of a room; returns the room before and after. Raises :class:`NotFound`.

    A change that undoes another one names the room's revision after that one: ``undone``. It raises
    :class:`ChangedMeanwhile` if somebody has changed the room since. If the room has the status already, nothing is
    written, and both rooms are the same.
    """
    actor = Actor(by)
    before: Room
    after: Room

    def changes() -> list[Change[Room]]:
        nonlocal before, after
        before = queries.room(hotel_id, number, consistent=True)
        after = change.of(before)
        if same(before, after):
            after = before
        elif undone in {None, before.revision}:
            after = to_store(before, after, actor)
            return [Change(before, after)]
        return []

    RoomWriter(actor).save(changes)
    if after is not before and undone not in {None, before.revision}:
        now = f"Somebody else has changed room {number}, which is {before.housekeeping} now."
        raise ChangedMeanwhile(f"{now} Nothing was undone.")
    return before, after
