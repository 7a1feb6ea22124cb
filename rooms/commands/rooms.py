"""Writes of rooms. Each is one transaction, so that rooms, facet counts and hotels' totals agree."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from operator import attrgetter

from pynamodb.expressions.update import Action

from dynamodb_lists.connection.errors import AlreadyExists, ChangedMeanwhile, Conflict
from dynamodb_lists.declared.asked import Owner
from dynamodb_lists.lists.counting import CountedWriter, count_deltas
from dynamodb_lists.schema.entities import same, with_optional
from dynamodb_lists.schema.keys import now
from dynamodb_lists.writing.changes import Change
from dynamodb_lists.writing.transactions import Write
from hotels import commands as hotels
from hotels import queries as hotel_queries
from portal.history.commands import recorded
from portal.history.entities import IMPORT, REPAIR, Actor
from portal.imports.saving import Save, save_all
from rooms import queries
from rooms.commands.counts import RoomCountsStore, count_updates, label_actions, labels_of_room, pack_hotels
from rooms.entities import Room, StatusChange, currency_problem
from rooms.entities.rooms import STATUS_FIELDS
from rooms.models import RoomModel
from rooms.room_list import ROOMS
from rooms.statuses import Housekeeping

_hotel_id = attrgetter("entity.hotel_id")
_place_by_rate = attrgetter("currency", "rate", "number")
"""What decides the place of a room in the list by rate."""


class RoomWriter(CountedWriter[Room]):
    """Rooms share the counts and the numbers of their hotel."""

    declaration, model, ids = ROOMS, RoomModel, ("hotel_id", "number")

    def counts_of(self, owner: Owner) -> RoomCountsStore:
        return RoomCountsStore(*owner)

    def as_stored(self, before: Room | None, after: Room) -> Room:
        """With the time since when it needs attention, too.

        A room that begins to need attention, goes out of order or comes back into service gets the present time as
        ``attention_since``; a new one may have another time.
        """
        turned = before is not None and before.service != after.service
        since = None if turned else (before or after).attention_since
        since = (since or now()) if after.needs_attention else None
        return super().as_stored(before, replace(after, attention_since=since))

    def shared(self, changes: Sequence[Change[Room]]) -> list[Write]:
        writes, by_hotel = list[Write](), count_deltas(ROOMS, changes)
        for hotel_id, group in groupby(sorted(changes, key=_hotel_id), key=_hotel_id):
            hotel_changes = list(group)
            counts = count_updates(hotel_id, by_hotel.get((hotel_id,), ()))
            added = {
                "rooms": sum((change.after is not None) - (change.before is not None) for change in hotel_changes),
                "counts_revision": self.step if counts else 0,
                "rates_revision": int(any(map(_moves_by_rate, hotel_changes))),
            }
            writes += [*counts, *([hotels.rooms_changed(hotel_id, **added)] if any(added.values()) else [])]
        return [*writes, *super().shared(changes)]


def _restored(before: Room | None, after: Room | None, by: str) -> Room | None:
    """No room in a currency that the form would refuse."""
    if after and (before is None or before.currency != after.currency):
        hotel = hotel_queries.stored_hotel(after.hotel_id)
        if problem := currency_problem(hotel, after.currency):
            raise Conflict(problem)
    return after


WRITER = recorded(
    RoomWriter().with_writes(hotels.statistics_changed),
    {
        "created": "rooms.delete_room",
        "changed": "rooms.change_room",
        "deleted": "rooms.add_room",
        **dict.fromkeys(STATUS_FIELDS, "rooms.change_room_status"),
        "plan": "rooms.plan_room",
        f"housekeeping={Housekeeping.INSPECTED}": "rooms.inspect_room",
    },
    load=partial(queries.room, consistent=True),
    restored=_restored,
)


def create_room(room: Room, by: str) -> Room:
    """Add a room. If the same room was already added, return that room.

    Raises :class:`AlreadyExists`, and :class:`NotFound` for an unknown hotel.
    """
    try:
        return WRITER.by(Actor(by)).create(room)
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
    return before, WRITER.by(Actor(by)).update(before, change.of, on=on)


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
    written = save(WRITER.by(actor).without_packing(), lambda: changes_of(rooms, statuses or {}, actor))
    if packs and written:
        pack_hotels({room.hotel_id for room in rooms})
    return written


def mend_attention(room: Room) -> None:
    """Set or remove ``attention_since`` of a room. Raises :class:`ChangedMeanwhile` if it is not as seen."""
    WRITER.by(REPAIR).update(room, room)


def labels_of_a_room(hotel_id: str, *facets: str) -> list[Action]:
    """The actions that set the labels of a restored count, taken from one of its rooms."""
    sample = queries.room_of(hotel_id, *facets)
    return list(label_actions(labels_of_room(sample))) if sample else []


def changes_of(
    rooms: Sequence[Room], statuses: Mapping[tuple[str, str], StatusChange], actor: Actor
) -> list[Change[Room]]:
    """What :func:`save_rooms` would write: the rooms that are new or different."""
    stored = queries.rooms_as_stored((room.hotel_id, room.number) for room in rooms)
    writer, changes = WRITER.by(actor), list[Change[Room]]()
    for room in rooms:
        key = room.hotel_id, room.number
        before = stored.get(key)
        after = with_optional(room, before).with_status_of(before) if before else room
        changes += writer.change(before, statuses.get(key, StatusChange()).of(after))
    return changes


def _moves_by_rate(change: Change[Room]) -> bool:
    """Whether the room comes into the list by rate, leaves it, or gets another place in it."""
    before, after = change.before, change.after
    return before is None or after is None or _place_by_rate(before) != _place_by_rate(after)
