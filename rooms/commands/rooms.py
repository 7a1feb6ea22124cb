"""Writes of rooms. Each is one transaction, so that rooms, facet counts and hotels' totals agree."""

from collections.abc import Iterable, Mapping, Sequence

from dynamodb_lists.connection.errors import AlreadyExists, ChangedMeanwhile
from dynamodb_lists.schema.entities import same, with_optional
from dynamodb_lists.writing.changes import Change
from hotels import queries as hotel_queries
from portal.history.entities import IMPORT, REPAIR, Actor
from portal.imports.saving import Save, save_all
from rooms import queries
from rooms.entities import Room, StatusChange
from rooms.lists import ROOMS


def create_room(room: Room, by: str) -> Room:
    """Add a room. If the same room was already added, return that room.

    Raises :class:`AlreadyExists`, and :class:`NotFound` for an unknown hotel.
    """
    try:
        return ROOMS.by(Actor(by)).create(room)
    except AlreadyExists:
        hotel_queries.hotel(room.hotel_id)  # raises NotFound, if that was the reason
        raise


def set_status(hotel_id: str, number: str, change: StatusChange, by: str, seen: str | None = None) -> tuple[Room, Room]:
    """Change the status of a room; returns the room as it was read, and as it is then. Raises :class:`NotFound`.

    If the room has the status already, nothing is written, and both rooms are the same. Raises
    :class:`ChangedMeanwhile` if housekeeping is to change, and is not as ``seen`` any more. Without ``seen``, the last
    writer wins.
    """
    before = queries.room(hotel_id, number, consistent=True)
    if same(before, change.of(before)):
        return before, before
    on = ("housekeeping",) if seen and change.housekeeping else ()
    if on and before.housekeeping != seen:
        raise ChangedMeanwhile(stored=before)
    return before, ROOMS.by(Actor(by)).update(before, change.of, on=on)


def save_rooms(
    rooms: Sequence[Room],
    statuses: Mapping[tuple[str, str], StatusChange] | None = None,
    *,
    packs: bool = True,
    actor: Actor = IMPORT,
    save: Save = save_all,
) -> int:
    """Create or change many rooms of hotels that exist, from a file; returns how many were written.

    Rooms that are stored with the same values are not written, so repeating a batch writes nothing. The status of a
    stored room stays, except for the changes in ``statuses``, by hotel and number. Each number may occur once. The
    rooms of a transaction share the writes of their counts, so a large batch costs fewer writes. Whoever saves several
    batches without ``packs`` calls :func:`pack_hotels` after the last one.

    Raises :class:`ChangedMeanwhile` if another writer keeps changing the rooms, or if a hotel does not exist.
    """
    written = save(ROOMS.by(actor).without_packing(), lambda: changes_of(rooms, statuses or {}, actor))
    if packs and written:
        pack_hotels({room.hotel_id for room in rooms})
    return written


def pack_hotels(hotel_ids: Iterable[str]) -> None:
    """Pack the counts of hotels anew, after transactions whose counts nobody has packed."""
    for hotel_id in hotel_ids:
        ROOMS.pack(hotel_id=hotel_id)


def mend_attention(room: Room) -> None:
    """Set or remove ``attention_since`` of a room. Raises :class:`ChangedMeanwhile` if it is not as seen."""
    ROOMS.by(REPAIR).update(room, room)


def changes_of(
    rooms: Sequence[Room], statuses: Mapping[tuple[str, str], StatusChange], actor: Actor
) -> list[Change[Room]]:
    """What :func:`save_rooms` would write: the rooms that are new or different."""
    stored = queries.rooms_as_stored((room.hotel_id, room.number) for room in rooms)
    listed, changes = ROOMS.by(actor), list[Change[Room]]()
    for room in rooms:
        key = room.hotel_id, room.number
        before = stored.get(key)
        after = with_optional(room, before).with_status_of(before) if before else room
        changes += listed.change(before, statuses.get(key, StatusChange()).of(after))
    return changes
