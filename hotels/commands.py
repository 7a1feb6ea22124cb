"""Writes of hotels."""

from collections.abc import Sequence

from pynamodb.expressions.update import Action

from hotelapp.dynamodb.schema.entities import same
from hotelapp.dynamodb.writing import single_items
from hotelapp.dynamodb.writing.transactions import Update
from hotels import keys, queries
from hotels.entities import Hotel
from hotels.models import HotelModel


def save_hotel(hotel: Hotel) -> None:
    """Create a hotel, or change its name and city. The number of its rooms does not change."""
    name, city = HotelModel.attribute("name"), HotelModel.attribute("city")
    _update(hotel, [name.set(hotel.name), city.set(hotel.city)])


def save_hotels(hotels: Sequence[Hotel]) -> int:
    """Create or change many hotels; returns the number of hotels that were new or different."""
    stored = queries.hotels_as_stored(hotel.hotel_id for hotel in hotels)
    changed = [hotel for hotel in hotels if (before := stored.get(hotel.hotel_id)) is None or not same(before, hotel)]
    for hotel in changed:
        save_hotel(hotel)
    return len(changed)


def add_missing_hotel(hotel: Hotel) -> None:
    """Create a hotel unless there is one with its id. An existing hotel keeps its name and city."""
    name, city = HotelModel.attribute("name"), HotelModel.attribute("city")
    _update(hotel, [name.set(name | hotel.name), city.set(city | hotel.city)])


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


def _update(hotel: Hotel, actions: Sequence[Action]) -> None:
    common_actions = [
        HotelModel.attribute("hotel_id").set(hotel.hotel_id),
        HotelModel.attribute("rooms").add(0),
    ]
    single_items.update(_key(hotel.hotel_id), [*common_actions, *actions])
    queries.forget_hotel(hotel.hotel_id)


def _key(hotel_id: str) -> HotelModel:
    return HotelModel(keys.HOTELS, keys.hotel(hotel_id))
