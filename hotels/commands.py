"""Writes of hotels. People add and edit them; imports save what their files say."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from hotelapp.dynamodb.connection.errors import ChangedMeanwhile, Conflict
from hotelapp.dynamodb.schema.entities import entered, same, stored_values
from hotelapp.dynamodb.writing import single_items
from hotelapp.dynamodb.writing.transactions import Update
from hotels import keys, queries
from hotels.entities import Hotel
from hotels.models import HotelModel

IMPORTED_ONCE = ("currency", "time_zone")
"""What an import sets only where it is missing. Staff may have entered it since."""


class HotelIdTaken(Conflict):
    """Another hotel has the id."""


def create_hotel(hotel: Hotel) -> Hotel:
    """Add a hotel. If the same hotel was already added, return that hotel. Raises :class:`HotelIdTaken`."""
    created = replace(hotel, rooms=0, revision=1)
    item = HotelModel(keys.HOTELS, keys.hotel(hotel.hotel_id), **stored_values(created))
    try:
        single_items.put(item, HotelModel.pk.does_not_exist())
    except Conflict as error:
        stored = queries.stored_hotel(hotel.hotel_id)
        if same(stored, created):
            return stored
        raise HotelIdTaken(f"There is already a hotel {hotel.hotel_id}. Choose another id.") from error
    queries.forget_hotel(hotel.hotel_id)
    return created


def edit_hotel(before: Hotel, after: Hotel) -> Hotel:
    """Change the fields of a hotel that people enter. ``before`` is the hotel that the editor saw.

    Sending the same change again has no effect.
    Raises :class:`ChangedMeanwhile`, and :class:`~hotelapp.dynamodb.connection.errors.NotFound` for a missing hotel.
    """
    edited = replace(after, hotel_id=before.hotel_id, rooms=before.rooms, revision=before.revision + 1)
    names = (*entered(Hotel), "revision")
    actions = [HotelModel.attribute(name).set(getattr(edited, name)) for name in names]
    try:
        single_items.update(_key(before.hotel_id), actions, _as_seen(before))
    except Conflict as error:
        stored = queries.stored_hotel(before.hotel_id)
        if not (same(stored, edited) and stored.revision == edited.revision):
            raise ChangedMeanwhile("Somebody else changed this hotel.") from error
    queries.forget_hotel(before.hotel_id)
    return edited


def save_hotels(hotels: Sequence[Hotel]) -> int:
    """Create or change many hotels; returns the number of hotels that were new or different.

    The currency and the time zone that a hotel already has stay.
    """
    stored = queries.hotels_as_stored(hotel.hotel_id for hotel in hotels)
    changed = [hotel for hotel in hotels if _differs(stored.get(hotel.hotel_id), hotel)]
    for hotel in changed:
        save_hotel(hotel)
    return len(changed)


def save_hotel(hotel: Hotel) -> None:
    """Create a hotel, or change its name and city. The number of its rooms does not change.

    The currency and the time zone that the hotel already has stay.
    """
    name, city, revision = (HotelModel.attribute(name) for name in ("name", "city", "revision"))
    _update(hotel, [name.set(hotel.name), city.set(hotel.city), revision.add(1), *_if_missing(hotel, IMPORTED_ONCE)])


def add_missing_hotel(hotel: Hotel) -> None:
    """Create a hotel unless there is one with its id. An existing hotel stays as it is."""
    _update(hotel, _if_missing(replace(hotel, revision=1), ("name", "city", "revision")))


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


def _differs(stored: Hotel | None, hotel: Hotel) -> bool:
    """Whether saving the hotel would change the stored one."""
    if stored is None:
        return True
    kept = {name: value for name in IMPORTED_ONCE if (value := getattr(stored, name))}
    return not same(stored, replace(hotel, **kept))


def _if_missing(hotel: Hotel, names: Iterable[str]) -> list[Action]:
    """Set attributes that the item does not have. Blank values are left out, so that a later import can set them."""
    attributes = [(HotelModel.attribute(name), getattr(hotel, name)) for name in names]
    return [attribute.set(attribute | value) for attribute, value in attributes if value not in {None, ""}]


def _as_seen(before: Hotel) -> Condition:
    """The condition that the hotel has the revision that its editor saw. Hotels of earlier releases have none."""
    revision = HotelModel.attribute("revision")
    condition: Condition = revision == before.revision
    return condition if before.revision else HotelModel.pk.exists() & revision.does_not_exist()


def _update(hotel: Hotel, actions: Sequence[Action]) -> None:
    common_actions = [
        HotelModel.attribute("hotel_id").set(hotel.hotel_id),
        HotelModel.attribute("rooms").add(0),
    ]
    single_items.update(_key(hotel.hotel_id), [*common_actions, *actions])
    queries.forget_hotel(hotel.hotel_id)


def _key(hotel_id: str) -> HotelModel:
    return HotelModel(keys.HOTELS, keys.hotel(hotel_id))
