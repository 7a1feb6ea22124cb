"""Writes of rooms. Each is one transaction, so that rooms, number guards, facet counts and hotels' totals agree."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from pynamodb.expressions.update import Action

from hotelapp.dynamodb.connection.errors import ChangedMeanwhile, Conflict, NotFound
from hotelapp.dynamodb.planning import counts
from hotelapp.dynamodb.schema.entities import same, stored_values
from hotelapp.dynamodb.writing import single_items
from hotelapp.dynamodb.writing.changes import Change, as_seen
from hotelapp.dynamodb.writing.transactions import Delete, Put, Update, Write
from hotelapp.history.commands import RecordedWriter, added
from hotelapp.history.entities import IMPORT, Actor
from hotels import commands as hotels
from hotels import queries as hotel_queries
from rooms import keys, queries
from rooms.entities import Room, plain_label
from rooms.keys import RoomFacets
from rooms.models import RoomCountModel, RoomModel, RoomNumberModel


class NumberTaken(Conflict):
    """Another room of the hotel has the number."""


class RoomWriter(RecordedWriter[Room]):
    """A room has an item and a guard for its number. Rooms share the counts and the total of their hotel."""

    kind = RoomModel.kind

    def ids(self, entity: Room) -> tuple[str, ...]:
        """The hotel, and the number in it."""
        return entity.hotel_id, entity.number

    def own_writes(self, change: Change[Room]) -> list[Write]:
        """The room under its six keys, and its guard. Keys cannot be updated: a changed key is a delete and a put.

        The key to delete is the one that was read. The keys of guards need no such care: they are ids and numbers.
        """
        before, after = change.before, change.after
        room_before = before if after and before and before.stored_key == after.stored_key else None
        guard_before = before if after and before and before.number == after.number else None
        writes: list[Write] = []
        if before and not room_before:
            writes.append(Delete(_room_key(before), as_seen(RoomModel, before)))
        if before and not guard_before:
            writes.append(Delete(_guard_key(before), as_seen(RoomNumberModel, before)))
        if after:
            writes.append(Put(_room_item(after), as_seen(RoomModel, room_before)))
            writes.append(Put(_guard_item(after), as_seen(RoomNumberModel, guard_before)))
        return writes

    def shared_writes(self, changes: Sequence[Change[Room]]) -> list[Write]:
        """The counts whose number or labels change, and the totals of the hotels whose number of rooms changes."""
        writes: list[Write] = []
        for hotel_id, group in groupby(sorted(changes, key=_hotel_id), key=_hotel_id):
            hotel_changes = list(group)
            writes += _count_updates(hotel_id, hotel_changes)
            added = sum((change.after is not None) - (change.before is not None) for change in hotel_changes)
            if added or any(change.before is None for change in hotel_changes):
                writes.append(hotels.rooms_added(hotel_id, added))
        return writes

    def group(self, change: Change[Room]) -> Any:
        """Rooms of the same hotel and facets share a count."""
        return change.entity.hotel_id, change.entity.facets


def create_room(room: Room, by: str) -> Room:
    """Add a room. If the same room was already added, return that room.

    Raises :class:`NumberTaken`, and :class:`NotFound` for an unknown hotel.
    """
    actor = Actor(by)
    created = _to_store(room, None, actor)
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
    """Change a room that its editor saw as ``before``; its number and facets may change, too.

    Raises :class:`ChangedMeanwhile`, and :class:`NumberTaken` if another room has the new number.
    """
    actor = Actor(by)
    edited = _to_store(replace(after, hotel_id=before.hotel_id), before, actor)
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


def save_rooms(rooms: Sequence[Room]) -> int:
    """Create or change many rooms of hotels that exist, from a file; returns how many were written.

    Rooms that are stored with the same values are not written, so repeating a batch writes nothing. Each number may
    occur once. The rooms of a transaction share the writes of their counts, so a large batch costs fewer writes.

    Raises :class:`ChangedMeanwhile` if another writer keeps changing the rooms, or if a hotel does not exist.
    """
    try:
        return RoomWriter(IMPORT).save(lambda: _changes(rooms))
    except Conflict as error:
        raise ChangedMeanwhile("Somebody else is changing the same rooms, or their hotel does not exist.") from error


def mend_count(hotel_id: str, facets: RoomFacets, seen: int | None, rooms: int) -> None:
    """Set a count, with the labels of one of its rooms if it is missing. Raises :class:`Conflict` if it is not as seen.

    ``seen`` is ``None`` for a missing count.
    """
    actions: list[Action] = [RoomCountModel.rooms.set(rooms)]
    if seen is None and (sample := queries.room_of(hotel_id, facets)):
        actions += _label_actions(facets, sample)
    is_as_seen = RoomCountModel.pk.does_not_exist() if seen is None else RoomCountModel.rooms == seen
    single_items.update(RoomCountModel(keys.counts(hotel_id), keys.count(facets)), actions, is_as_seen)


def mend_keys(room: Room) -> None:
    """Set the sort keys of a room's indexes. Raises :class:`Conflict` if the room is not as seen."""
    names = (keys.sort_key(index.name) for index in keys.INDEXES if index.name)
    single_items.mend(_room_item(room), names, as_seen(RoomModel, room))


def _changed_meanwhile(room: Room) -> ChangedMeanwhile:
    return ChangedMeanwhile(f"Somebody else changed room {room.number}. Load it again.")


def _is_unchanged(room: Room) -> bool:
    try:
        return queries.room(room.hotel_id, room.number, consistent=True).revision == room.revision
    except NotFound:
        return False


def _changes(rooms: Sequence[Room]) -> list[Change[Room]]:
    stored = queries.rooms_as_stored((room.hotel_id, room.number) for room in rooms)
    changes = []
    for room in rooms:
        before = stored.get((room.hotel_id, room.number))
        if before is None or not same(before, room):
            changes.append(Change(before, _to_store(room, before, IMPORT)))
    return changes


# --- Items ----------------------------------------------------------------------------------------------


def _to_store(room: Room, before: Room | None, actor: Actor) -> Room:
    """The room as it is to be written, with the key that its values give, whatever key it had."""
    revision = before.revision + 1 if before else 1
    room_key = keys.room(room.facets, room.number)
    return replace(room, revision=revision, room_key=room_key, **added(room, before, actor))


def _hotel_id(change: Change[Room]) -> str:
    return change.entity.hotel_id


def _count_updates(hotel_id: str, changes: Sequence[Change[Room]]) -> Iterator[Write]:
    """The updates of the counts. A count has the labels of the last room, even if only the words have changed."""
    labelled = {change.after.facets: change.after for change in changes if change.after}
    relabelled = {change.after.facets: 0 for change in changes if change.after and _relabels(change)}
    added = counts.deltas(
        (
            change.before.counted_facets if change.before else None,
            change.after.counted_facets if change.after else None,
        )
        for change in changes
    )
    numbers: dict[RoomFacets, int] = {**relabelled, **added}
    for facets, number in numbers.items():
        actions: list[Action] = [RoomCountModel.rooms.add(number)]
        if room := labelled.get(facets):
            actions += _label_actions(facets, room)
        yield Update(RoomCountModel(keys.counts(hotel_id), keys.count(facets)), actions=actions)


def _relabels(change: Change[Room]) -> bool:
    """Whether the words of the view or type change, even if their key parts stay the same."""
    before, after = change.before, change.after
    return bool(before and after and (before.view, before.type) != (after.view, after.type))


def _label_actions(facets: RoomFacets, room: Room) -> Iterator[Action]:
    """The labels to store in a count: only those that differ from the slug, because every page reads all counts."""
    for attribute, label, part in (
        (RoomCountModel.view, room.view, facets.view),
        (RoomCountModel.type, room.type, facets.type),
    ):
        yield attribute.remove() if not label or label == plain_label(part) else attribute.set(label)


def _room_key(room: Room) -> RoomModel:
    return RoomModel(keys.rooms(room.hotel_id), room.stored_key)


def _guard_key(room: Room) -> RoomNumberModel:
    return RoomNumberModel(keys.numbers(room.hotel_id), keys.guard(room.number))


def _room_item(room: Room) -> RoomModel:
    sort_keys: dict[str, Any] = {
        keys.sort_key(index.name): keys.room(room.facets, room.number, index.name) for index in keys.INDEXES
    }
    return RoomModel(pk=keys.rooms(room.hotel_id), **sort_keys, **stored_values(room))


def _guard_item(room: Room) -> RoomNumberModel:
    return RoomNumberModel(
        pk=keys.numbers(room.hotel_id),
        sk=keys.guard(room.number),
        room_key=room.stored_key,
        **stored_values(room),
    )
