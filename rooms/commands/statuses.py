"""Writes of the status of rooms. The last writer wins: a status is what somebody saw last."""

from collections.abc import Iterable, Mapping

from hotelapp.dynamodb.connection.errors import ChangedMeanwhile, NotFound
from hotelapp.dynamodb.schema.entities import same
from hotelapp.dynamodb.writing.changes import Change
from hotelapp.history.entities import Actor
from rooms import queries
from rooms.commands.changes import RoomWriter, to_store
from rooms.entities import Room, StatusChange
from rooms.statuses import Housekeeping

Pair = tuple[Room, Room]
"""A room before and after a change. If it has the status already, both are the same."""


def set_status(
    hotel_id: str, number: str, change: StatusChange, by: str, *, undone: Housekeeping | None = None
) -> Pair:
    """Change the status of a room; returns the room before and after. Raises :class:`NotFound`.

    A change that undoes another one names the state of housekeeping that is ``undone``. It raises
    :class:`ChangedMeanwhile` if somebody else has set another one since. If the change is undone already, nothing
    is written.
    """
    actor = Actor(by)
    pairs: list[Pair] = []

    def changes() -> list[Change[Room]]:
        pairs[:] = _pairs({(hotel_id, number): change})
        return [] if _is_overtaken(pairs[0], undone) else _changes(pairs, actor)

    RoomWriter(actor).save(changes)
    (pair,) = pairs
    if _is_overtaken(pair, undone):
        status = pair[0].housekeeping
        raise ChangedMeanwhile(f"Somebody else has set room {number} to {status} meanwhile. Nothing was undone.")
    return pair


def set_statuses(wanted: Mapping[tuple[str, str], StatusChange], by: str) -> int:
    """Change the status of rooms, by hotel and number; returns how many had another one.

    If somebody else changes a room meanwhile, it is read and changed again.
    Raises :class:`NotFound` if a room does not exist. Then other rooms may have been changed.
    """
    actor = Actor(by)

    def changes() -> list[Change[Room]]:
        return _changes(_pairs(wanted), actor)

    return RoomWriter(actor).save(changes)


def _pairs(wanted: Mapping[tuple[str, str], StatusChange]) -> list[Pair]:
    stored = queries.rooms_as_stored(wanted)
    if missing := next((number for hotel_id, number in wanted if (hotel_id, number) not in stored), None):
        raise NotFound(f"There is no room {missing}.")
    return [(room, wanted[room.hotel_id, room.number].of(room)) for room in stored.values()]


def _changes(pairs: Iterable[Pair], actor: Actor) -> list[Change[Room]]:
    return [Change(before, to_store(before, after, actor)) for before, after in pairs if not same(before, after)]


def _is_overtaken(pair: Pair, undone: Housekeeping | None) -> bool:
    """Whether housekeeping has neither what is to be undone nor what it is to become."""
    before, after = pair
    return undone is not None and before.housekeeping not in {undone, after.housekeeping}
