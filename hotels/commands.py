"""Writes of hotels. People add and edit them; imports save what their files say."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from pynamodb.expressions.condition import Condition

from hotelapp.dynamodb.connection.errors import ChangedMeanwhile, Conflict
from hotelapp.dynamodb.schema.entities import entered, same, stored_values
from hotelapp.dynamodb.writing import single_items
from hotelapp.dynamodb.writing.changes import Change
from hotelapp.dynamodb.writing.transactions import Put, Update, Write
from hotelapp.history.commands import RecordedWriter, added
from hotelapp.history.entities import IMPORT, Actor
from hotels import keys, queries
from hotels.entities import Hotel
from hotels.models import HotelModel

IMPORTED_ONCE = ("currency", "time_zone")
"""What an import sets only where it is missing. Staff may have entered it since."""


class HotelIdTaken(Conflict):
    """Another hotel has the id."""


class HotelWriter(RecordedWriter[Hotel]):
    """A hotel is one item. Writes of its rooms change the number of rooms in it, so an edit leaves that alone."""

    kind = HotelModel.kind

    def ids(self, entity: Hotel) -> tuple[str, ...]:
        """The hotel's id."""
        return (entity.hotel_id,)

    def hotel_id(self, entity: Hotel) -> str:
        """The hotel itself."""
        return entity.hotel_id

    def own_writes(self, change: Change[Hotel]) -> list[Write]:
        """The hotel, if its id is free; or the fields that people enter, if the hotel is as seen."""
        hotel = change.entity
        if change.before is None:
            return [Put(_item(hotel), HotelModel.pk.does_not_exist())]
        names = (*entered(Hotel), "revision")
        actions = [HotelModel.attribute(name).set(getattr(hotel, name)) for name in names]
        return [Update(_key(hotel.hotel_id), _as_seen(change.before), actions)]

    def shared_writes(self, changes: Sequence[Change[Hotel]]) -> list[Write]:
        """None."""
        return []

    def apply(self, changes: Sequence[Change[Hotel]], token: str | None = None, also: Sequence[Write] = ()) -> None:
        """Write the changes, and remove the hotels from this process's cache."""
        super().apply(changes, token, also)
        for change in changes:
            queries.forget_hotel(change.entity.hotel_id)


def create_hotel(hotel: Hotel, by: str) -> Hotel:
    """Add a hotel. If the same hotel was already added, return that hotel. Raises :class:`HotelIdTaken`."""
    actor = Actor(by)
    created = _to_store(hotel, None, actor)
    try:
        HotelWriter(actor).apply([Change(None, created)])
    except Conflict as error:
        stored = queries.stored_hotel(hotel.hotel_id)
        if same(stored, created):
            return stored
        raise HotelIdTaken(f"There is already a hotel {hotel.hotel_id}. Choose another id.") from error
    return created


def edit_hotel(before: Hotel, after: Hotel, by: str) -> Hotel:
    """Change the fields of a hotel that people enter. ``before`` is the hotel that the editor saw.

    Sending the same change again has no effect.
    Raises :class:`ChangedMeanwhile`, and :class:`~hotelapp.dynamodb.connection.errors.NotFound` for a missing hotel.
    """
    actor = Actor(by)
    edited = _to_store(replace(after, hotel_id=before.hotel_id), before, actor)
    try:
        HotelWriter(actor).apply([Change(before, edited)])
    except Conflict as error:
        stored = queries.stored_hotel(before.hotel_id)
        if not (same(stored, edited) and stored.revision == edited.revision):
            raise ChangedMeanwhile("Somebody else changed this hotel.") from error
        queries.forget_hotel(before.hotel_id)
    return edited


def save_hotels(hotels: Sequence[Hotel]) -> int:
    """Create or change many hotels, from a file; returns the number of hotels that were new or different.

    The currency and the time zone that a hotel already has stay.
    """
    return HotelWriter(IMPORT).save(lambda: _changes(hotels))


def save_hotel(hotel: Hotel) -> None:
    """Create or change one hotel, as :func:`save_hotels` does."""
    save_hotels([hotel])


def add_missing_hotel(hotel: Hotel) -> None:
    """Create a hotel unless there is one with its id. An existing hotel stays as it is."""
    with suppress(Conflict):
        single_items.put(_item(_to_store(hotel, None, IMPORT)), HotelModel.pk.does_not_exist())
        queries.forget_hotel(hotel.hotel_id)


def rooms_added(hotel_id: str, count: int) -> Update:
    """The write that adds to the number of a hotel's rooms, for the transaction that adds the rooms.

    The condition is that the hotel exists.
    """
    rooms = HotelModel.attribute("rooms")
    return Update(_key(hotel_id), HotelModel.pk.exists(), [rooms.add(count)])


def mend_rooms(hotel_id: str, seen: int, rooms: int) -> None:
    """Set the number of a hotel's rooms. Raises :class:`~...Conflict` if it is not as seen."""
    total = HotelModel.attribute("rooms")
    single_items.update(_key(hotel_id), [total.set(rooms)], total == seen)
    queries.forget_hotel(hotel_id)


def _changes(hotels: Sequence[Hotel]) -> list[Change[Hotel]]:
    stored = queries.hotels_as_stored(hotel.hotel_id for hotel in hotels)
    changes = []
    for hotel in hotels:
        before = stored.get(hotel.hotel_id)
        kept: dict[str, Any] = {name: value for name in IMPORTED_ONCE if (value := getattr(before, name, ""))}
        after = _to_store(replace(hotel, **kept), before, IMPORT)
        if before is None or not same(before, after):
            changes.append(Change(before, after))
    return changes


def _to_store(hotel: Hotel, before: Hotel | None, actor: Actor) -> Hotel:
    """The hotel as it is to be written. The number of its rooms does not change."""
    rooms, revision = (before.rooms, before.revision + 1) if before else (0, 1)
    return replace(hotel, rooms=rooms, revision=revision, **added(hotel, before, actor))


def _as_seen(before: Hotel) -> Condition:
    """The condition that the hotel has the revision that its editor saw. Hotels of earlier releases have none."""
    revision = HotelModel.attribute("revision")
    condition: Condition = revision == before.revision
    return condition if before.revision else HotelModel.pk.exists() & revision.does_not_exist()


def _item(hotel: Hotel) -> HotelModel:
    return HotelModel(keys.HOTELS, keys.hotel(hotel.hotel_id), **stored_values(hotel))


def _key(hotel_id: str) -> HotelModel:
    return HotelModel(keys.HOTELS, keys.hotel(hotel_id))
