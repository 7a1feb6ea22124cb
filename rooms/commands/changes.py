"""The writes of a change: rooms with their keys, number guards, facet counts and hotels' totals."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import groupby
from typing import Any

from django.utils import timezone
from pynamodb.expressions.update import Action

from hotelapp.dynamodb.planning.selection import deltas
from hotelapp.dynamodb.schema.entities import stored_values
from hotelapp.dynamodb.writing.changes import Change, as_seen
from hotelapp.dynamodb.writing.transactions import Delete, Put, Update, Write
from hotelapp.history.commands import RecordedWriter, added
from hotelapp.history.entities import Actor
from hotels import commands as hotels
from rooms import keys
from rooms.entities import Room, plain_label
from rooms.keys import RoomFacets
from rooms.models import RoomCountModel, RoomModel, RoomNumberModel


class RoomWriter(RecordedWriter[Room]):
    """A room has an item and a guard for its number. Rooms share the counts and the total of their hotel."""

    kind = RoomModel.kind

    def ids(self, entity: Room) -> tuple[str, ...]:
        return entity.hotel_id, entity.number

    def hotel_id(self, entity: Room) -> str:
        return entity.hotel_id

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
            writes.append(Put(room_item(after), as_seen(RoomModel, room_before)))
            writes.append(Put(guard_item(after), as_seen(RoomNumberModel, guard_before)))
        return writes

    def shared_writes(self, changes: Sequence[Change[Room]]) -> list[Write]:
        writes: list[Write] = []
        for hotel_id, group in groupby(sorted(changes, key=_hotel_id), key=_hotel_id):
            hotel_changes = list(group)
            writes += _count_updates(hotel_id, hotel_changes)
            more = sum((change.after is not None) - (change.before is not None) for change in hotel_changes)
            if more or any(change.before is None for change in hotel_changes):
                writes.append(hotels.rooms_added(hotel_id, more))
        return writes

    def group(self, change: Change[Room]) -> Any:
        return change.entity.hotel_id, change.entity.facets


def to_store(before: Room | None, after: Room, actor: Actor) -> Room:
    """The room as it is to be written, with the next revision and the key that its values give, whatever key it had.

    A room that begins to need attention gets the present time as ``attention_since``.
    """
    since = (before.attention_since if before else None) or now()
    return replace(
        after,
        revision=before.revision + 1 if before else 1,
        room_key=keys.room(after.facets, after.number),
        attention_since=since if after.needs_attention else None,
        **added(after, before, actor),
    )


def now() -> datetime:
    """The current time in UTC, to the second."""
    return timezone.now().replace(microsecond=0)


def _hotel_id(change: Change[Room]) -> str:
    return change.entity.hotel_id


def _count_updates(hotel_id: str, changes: Sequence[Change[Room]]) -> Iterator[Write]:
    """The updates of the counts. A count has the labels of the last room, even if only the words have changed."""
    labelled = {change.after.facets: change.after for change in changes if change.after}
    relabelled = {change.after.facets: 0 for change in changes if change.after and _relabels(change)}
    moved = deltas(
        (
            change.before.counted_facets if change.before else None,
            change.after.counted_facets if change.after else None,
        )
        for change in changes
    )
    numbers: dict[RoomFacets, int] = {**relabelled, **moved}
    for facets, number in numbers.items():
        actions: list[Action] = [RoomCountModel.rooms.add(number)]
        if room := labelled.get(facets):
            actions += label_actions(facets, room)
        yield Update(count_key(hotel_id, *facets), actions=actions)


def count_key(hotel_id: str, *facets: str) -> RoomCountModel:
    """The item of a combination's count with nothing but its key, for updates."""
    return RoomCountModel(keys.counts(hotel_id), keys.count(RoomFacets(*facets)))


def _relabels(change: Change[Room]) -> bool:
    """Whether the words of a facet change, even if their key parts stay the same."""
    before, after = change.before, change.after
    return bool(before and after) and any(getattr(before, name) != getattr(after, name) for name in keys.LABELLED)


def label_actions(facets: RoomFacets, room: Room) -> Iterator[Action]:
    """The labels to store in a count: only those that differ from the slug, because every page reads all counts."""
    for name in keys.LABELLED:
        attribute, label = RoomCountModel.attribute(name), getattr(room, name)
        plain = not label or label == plain_label(getattr(facets, name))
        yield attribute.remove() if plain else attribute.set(label)


def _room_key(room: Room) -> RoomModel:
    return RoomModel(keys.rooms(room.hotel_id), room.stored_key)


def _guard_key(room: Room) -> RoomNumberModel:
    return RoomNumberModel(keys.numbers(room.hotel_id), keys.guard(room.number))


def room_item(room: Room) -> RoomModel:
    """A room's item, with the keys of its indexes."""
    sort_keys: dict[str, Any] = {
        keys.sort_key(index.name): keys.room(room.facets, room.number, index.name) for index in keys.INDEXES
    }
    sort_keys["rate_key"] = keys.rate(room.currency, room.rate, room.number)
    if room.attention_since:
        sort_keys["attention_key"] = keys.attention(room.attention_since, room.number)
    return RoomModel(pk=keys.rooms(room.hotel_id), **sort_keys, **stored_values(room))


def guard_item(room: Room) -> RoomNumberModel:
    """The item of the guard of a room's number."""
    return RoomNumberModel(
        pk=keys.numbers(room.hotel_id),
        sk=keys.guard(room.number),
        room_key=room.stored_key,
        any_hotel=keys.any_hotel(room.number),
        **stored_values(room),
    )
