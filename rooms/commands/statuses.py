"""Writes of the status of rooms. The last writer wins: a status is what somebody saw last."""

from collections.abc import Iterable, Mapping

from hotelapp.dynamodb.connection.errors import ChangedMeanwhile, NotFound
from hotelapp.dynamodb.schema.entities import same
from hotelapp.dynamodb.writing.changes import Change
from hotelapp.history.entities import Actor
from rooms import queries
from rooms.commands.rooms import RoomWriter, to_store
from rooms.entities import Room, StatusChange

Pair = tuple[Room, Room]
"""A room before and after a change. If it has the status already, both are the same."""


def set_status(hotel_id: str, number: str, change: StatusChange, by: str, *, undone: int | None = None) -> Pair:
    """Change the status of a room; returns the room before and after. Raises :class:`NotFound`.

    A change that undoes another one names the room's revision after that one: ``undone``. It raises
    :class:`ChangedMeanwhile` if somebody has changed the room since. If the change is undone already, nothing is
    written.
    """
    actor = Actor(by)
    pairs: list[Pair] = []

    def changes() -> list[Change[Room]]:
        pairs[:] = _pairs({(hotel_id, number): change}, actor)
        return [] if _is_overtaken(pairs[0], undone) else _changes(pairs)

    RoomWriter(actor).save(changes)
    (pair,) = pairs
    if _is_overtaken(pair, undone):
        status = pair[0].housekeeping
        raise ChangedMeanwhile(f"Somebody else has changed room {number}, which is {status} now. Nothing was undone.")
    return pair


def set_statuses(wanted: Mapping[tuple[str, str], StatusChange], by: str) -> int:
    """Change the status of rooms, by hotel and number; returns how many had another one.

    If somebody else changes a room meanwhile, it is read and changed again.
    Raises :class:`NotFound` if a room does not exist. Then other rooms may have been changed.
    """
    actor = Actor(by)

    def changes() -> list[Change[Room]]:
        return _changes(_pairs(wanted, actor))

    return RoomWriter(actor).save(changes)


def _pairs(wanted: Mapping[tuple[str, str], StatusChange], actor: Actor) -> list[Pair]:
    stored = queries.rooms_as_stored(wanted)
    if missing := next((number for hotel_id, number in wanted if (hotel_id, number) not in stored), None):
        raise NotFound(f"There is no room {missing}.")
    changed = ((room, wanted[room.hotel_id, room.number].of(room)) for room in stored.values())
    return [(room, room if same(room, after) else to_store(room, after, actor)) for room, after in changed]


def _changes(pairs: Iterable[Pair]) -> list[Change[Room]]:
    return [Change(before, after) for before, after in pairs if after is not before]


def _is_overtaken(pair: Pair, undone: int | None) -> bool:
    """Whether somebody has changed the room since the change that is to be undone, and it is not undone already."""
    before, after = pair
    return undone not in {None, before.revision} and after is not before
