"""Writes. Each is one transaction that keeps rooms, number guards, facet counts and hotels' totals in step."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action
from pynamodb.transactions import TransactWrite

from hotelapp.dynamodb import counts, writes
from hotelapp.dynamodb.errors import Conflict, NotFound
from hotelapp.dynamodb.facets import Combination
from hotelapp.dynamodb.transactions import commit, packed, write_all
from rooms import keys, models, queries
from rooms.values import Hotel, Room, plain_label


class NumberTaken(Conflict):
    """Another room of the hotel has the number."""


class ChangedMeanwhile(Conflict):
    """Somebody changed or deleted the room since it was read, or its hotel is gone."""


@dataclass(frozen=True, slots=True)
class Change:
    """A room as it was and as it is to be; ``None`` for not there."""

    hotel_id: str
    before: Room | None
    after: Room | None

    @property
    def facets(self) -> tuple[Combination | None, Combination | None]:
        """The room's combination of facets before and after."""
        return self.before.facets if self.before else None, self.after.facets if self.after else None

    @property
    def number_stays(self) -> bool:
        """Whether the number's guard is the same item before and after."""
        return bool(self.before and self.after and self.before.number == self.after.number)

    @property
    def key_stays(self) -> bool:
        """Whether the room's keys, made of its facets and its number, are the same before and after."""
        return self.number_stays and self.facets[0] == self.facets[1]

    @property
    def relabels(self) -> bool:
        """Whether its view or type is written in other words, though they may be the same as key parts."""
        before, after = self.before, self.after
        return bool(before and after and (before.view, before.type) != (after.view, after.type))

    @property
    def writes(self) -> int:
        """The writes that its room and its guard take; what is moved is deleted and put."""
        if self.before is None or self.after is None:
            return 2
        return 4 - self.key_stays - self.number_stays

    @property
    def shared(self) -> set[object]:
        """The hotel and the counts, which are written once for all changes of a transaction."""
        return {self.hotel_id, *((self.hotel_id, facets) for facets in self.facets if facets)}


def save_hotel(hotel: Hotel) -> None:
    """Create a hotel, or change its name and city; the number of its rooms is kept by its rooms."""
    _update_hotel(hotel, [models.Hotel.name.set(hotel.name), models.Hotel.city.set(hotel.city)])


def add_missing_hotel(hotel: Hotel) -> None:
    """Create a hotel unless there is one with its id, whose name and city then stay."""
    name, city = models.Hotel.name, models.Hotel.city
    _update_hotel(hotel, [name.set(name | hotel.name), city.set(city | hotel.city)])


def create_room(room: Room) -> Room:
    """Add a room. Raises :class:`NumberTaken`, and :class:`NotFound` for an unknown hotel."""
    made = replace(room, revision=1)
    try:
        _apply([Change(room.hotel_id, None, made)])
    except Conflict as error:
        queries.hotel(room.hotel_id)  # says it, if that was the reason
        raise NumberTaken(f"There is a room {room.number} already. Choose another number.") from error
    return made


def edit_room(before: Room, after: Room) -> Room:
    """Change a room from what its editor saw, its number and facets included.

    Raises :class:`ChangedMeanwhile`, and :class:`NumberTaken` if the new number is in use.
    """
    made = replace(after, hotel_id=before.hotel_id, revision=before.revision + 1)
    try:
        _apply([Change(before.hotel_id, before, made)])
    except Conflict as error:
        if made.number != before.number and _is_unchanged(before):
            raise NumberTaken(f"There is a room {made.number} already. Choose another number.") from error
        raise ChangedMeanwhile(f"Room {before.number} was changed by somebody else. Load it again.") from error
    return made


def delete_room(room: Room) -> None:
    """Remove a room as its reader saw it. Raises :class:`ChangedMeanwhile`."""
    try:
        _apply([Change(room.hotel_id, room, None)])
    except Conflict as error:
        raise ChangedMeanwhile(f"Room {room.number} was changed by somebody else. Load it again.") from error


def save_rooms(rooms: Sequence[Room]) -> int:
    """Create or change many rooms of hotels that exist; gives how many were written.

    What is stored already is left alone, so repeating a batch writes nothing. A number may occur once. Rooms go in
    transactions of up to a hundred writes with their counts summed up, each all or nothing. The more rooms at once,
    the fewer counts have to be written with them.
    """
    try:
        return write_all(lambda: _batches(_changes(rooms)), _apply)
    except Conflict as error:
        raise ChangedMeanwhile("Somebody else is changing the same rooms, or their hotel does not exist.") from error


def _update_hotel(hotel: Hotel, actions: Sequence[Action]) -> None:
    same = [models.Hotel.hotel_id.set(hotel.hotel_id), models.Hotel.rooms.add(0)]
    writes.update(models.Hotel(keys.HOTELS, keys.hotel(hotel.hotel_id)), [*same, *actions])
    queries.forget_hotel(hotel.hotel_id)


def _is_unchanged(room: Room) -> bool:
    try:
        return queries.room(room.hotel_id, room.number, consistent=True).revision == room.revision
    except NotFound:
        return False


def _changes(rooms: Sequence[Room]) -> list[Change]:
    stored = queries.rooms_as_stored((room.hotel_id, room.number) for room in rooms)
    changes = []
    for room in rooms:
        before = stored.get((room.hotel_id, room.number))
        if before is None or not before.same_as(room):
            revision = before.revision + 1 if before else 1
            changes.append(Change(room.hotel_id, before, replace(room, revision=revision)))
    return changes


def _batches(changes: Sequence[Change]) -> Iterator[list[Change]]:
    """Cut the changes into transactions; rooms that share a count go together."""
    ordered = sorted(changes, key=lambda change: (change.hotel_id, change.facets[1] or change.facets[0] or ()))
    return packed(ordered, lambda change: change.writes, lambda change: change.shared)


# --- One transaction ------------------------------------------------------------------------------------


def _apply(changes: Sequence[Change]) -> None:
    """Write the changes, their counts and the hotels' totals, or nothing. Raises :class:`Conflict`."""

    by_hotel: dict[str, list[Change]] = {}
    for change in changes:
        by_hotel.setdefault(change.hotel_id, []).append(change)

    def stage(transaction: TransactWrite) -> None:
        for change in changes:
            _stage_room(transaction, change)
        for hotel_id, own in by_hotel.items():
            _stage_counts(transaction, hotel_id, own)
            added = sum((change.after is not None) - (change.before is not None) for change in own)
            _stage_hotel(transaction, hotel_id, added)

    commit(models.Room.connection().connection, stage)


def _stage_room(transaction: TransactWrite, change: Change) -> None:
    """The room under its six keys, and its guard. A changed key is a delete and a put: keys cannot be updated."""
    before, after = change.before, change.after
    if before and not change.key_stays:
        transaction.delete(_room_item(before), condition=_as_seen(models.Room, before))
    if before and not change.number_stays:
        transaction.delete(_guard_item(before), condition=_as_seen(models.RoomNumber, before))
    if after:
        room_before, guard_before = (
            (before if change.key_stays else None),
            (before if change.number_stays else None),
        )
        transaction.save(_room_item(after), condition=_as_seen(models.Room, room_before))
        transaction.save(_guard_item(after), condition=_as_seen(models.RoomNumber, guard_before))


def _as_seen(model: type[models.RoomFields], seen: Room | None) -> Condition:
    """The item is at the revision that was seen, or is not there if none was."""
    return model.revision == seen.revision if seen else model.pk.does_not_exist()


def _stage_counts(transaction: TransactWrite, hotel_id: str, changes: Sequence[Change]) -> None:
    """The counts whose number or labels change."""
    labelled = {change.after.facets: change.after for change in changes if change.after}
    relabelled = {change.after.facets: 0 for change in changes if change.after and change.relabels}
    for combination, n in {**relabelled, **counts.deltas(change.facets for change in changes)}.items():
        actions: list[Action] = [models.RoomCount.rooms.add(n)]
        if room := labelled.get(combination):
            actions += _labels(combination, room)
        transaction.update(models.RoomCount(keys.counts(hotel_id), keys.count(combination)), actions=actions)


def _labels(combination: Combination, room: Room) -> Iterator[Action]:
    """A room's labels for its count; only what the slug cannot give back, since every page reads all counts."""
    for attribute, label, part in (
        (models.RoomCount.view, room.view, combination[0]),
        (models.RoomCount.type, room.type, combination[2]),
    ):
        known = not label or label == plain_label(part)
        yield attribute.remove() if known else attribute.set(label)


def _stage_hotel(transaction: TransactWrite, hotel_id: str, added: int) -> None:
    """Add to the total of a hotel, which must exist."""
    transaction.update(
        models.Hotel(keys.HOTELS, keys.hotel(hotel_id)),
        actions=[models.Hotel.rooms.add(added)],
        condition=models.Hotel.pk.exists(),
    )


def _room_item(room: Room) -> models.Room:
    facets = room.facets
    sort_keys: dict[str, Any] = {
        attribute: keys.room(facets, room.number, index) for index, attribute in keys.SORT_KEYS.items()
    }
    return models.Room(pk=keys.rooms(room.hotel_id), **sort_keys, **_fields(room))


def _guard_item(room: Room) -> models.RoomNumber:
    return models.RoomNumber(pk=keys.numbers(room.hotel_id), sk=keys.guard(room.number), **_fields(room))


def _fields(room: Room) -> dict[str, Any]:
    names = ("number", "view", "size", "type", "rate", "currency", "revision")
    return {name: getattr(room, name) for name in names}
