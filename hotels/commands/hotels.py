"""Writes of hotels. People add and edit them; imports save what their files say."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from hotelapp.dynamodb.connection.errors import ChangedMeanwhile, Conflict
from hotelapp.dynamodb.schema.entities import entered, same
from hotelapp.dynamodb.schema.words import Term
from hotelapp.dynamodb.writing.changes import Change
from hotelapp.dynamodb.writing.transactions import Update
from hotelapp.history.commands import added
from hotelapp.history.entities import IMPORT, REPAIR, Actor
from hotels import queries
from hotels.commands.changes import HotelWriter, hotel_key, to_store
from hotels.entities import Hotel
from hotels.models import HotelModel

IMPORTED_ONCE = ("currency", "time_zone")
"""What an import sets only where it is missing. Staff may have entered it since."""


class HotelIdTaken(Conflict):
    """Another hotel has the id."""


def create_hotel(hotel: Hotel, by: str) -> Hotel:
    """Add a hotel. If the same hotel was already added, return that hotel. Raises :class:`HotelIdTaken`."""
    actor = Actor(by)
    created = to_store(hotel, rooms=0, revision=1, **added(hotel, None, actor))
    try:
        HotelWriter(actor).apply([Change(None, created)])
    except Conflict as error:
        found = queries.stored_hotel(hotel.hotel_id)
        if same(found, created):
            return found
        raise HotelIdTaken(f"There is already a hotel {hotel.hotel_id}. Choose another id.") from error
    return created


def edit_hotel(before: Hotel, after: Hotel, by: str) -> Hotel:
    """Change the fields of a hotel that people enter. ``before`` is the hotel that the editor saw.

    Sending the same change again has no effect.
    Raises :class:`ChangedMeanwhile`, and :class:`~hotelapp.dynamodb.connection.errors.NotFound` for a missing hotel.
    """
    values = {name: getattr(after, name) for name in entered(Hotel)}
    edited = to_store(before, **values, revision=before.revision + 1)
    try:
        HotelWriter(Actor(by)).apply([Change(before, edited)])
    except Conflict as error:
        found = queries.stored_hotel(before.hotel_id)
        if not (same(found, edited) and found.revision == edited.revision):
            raise ChangedMeanwhile("Somebody else changed this hotel.") from error
    return edited


def save_hotels(hotels: Sequence[Hotel]) -> int:
    """Create or change many hotels, from a file; returns the number of hotels that were new or different.

    The currency and the time zone that a hotel already has stay.
    """
    return _save(hotels, _merged)


def save_hotel(hotel: Hotel) -> None:
    """Create a hotel, or change its name and city. The number of its rooms does not change.

    The currency and the time zone that the hotel already has stay.
    """
    save_hotels([hotel])


def add_missing_hotel(hotel: Hotel) -> None:
    """Create a hotel unless there is one with its id. An existing hotel stays as it is."""
    _save([hotel], lambda stored, _: stored)


def rooms_added(hotel_id: str, count: int) -> Update:
    """The write that adds to the number of a hotel's rooms, for the transaction that adds the rooms.

    The condition is that the hotel exists.
    """
    rooms = HotelModel.attribute("rooms")
    return Update(hotel_key(hotel_id), HotelModel.pk.exists(), [rooms.add(count)])


def mend_words(hotel_id: str, surplus: Term | None = None) -> None:
    """Write a hotel's words anew, and delete one that is surplus. Raises :class:`Conflict` if the hotel changes."""
    hotel = queries.stored_hotel(hotel_id)
    seen = replace(hotel, terms=hotel.terms | {surplus} if surplus else hotel.terms, name="")
    HotelWriter(REPAIR).apply([Change(seen, to_store(hotel))])


def _save(hotels: Sequence[Hotel], merge: Callable[[Hotel, Hotel], Hotel]) -> int:
    """Create the hotels that are missing, and change the others to what ``merge`` makes of stored and new ones.

    Returns the number of hotels that were new or different.
    """
    wanted = {hotel.hotel_id: hotel for hotel in hotels}

    def changes() -> list[Change[Hotel]]:
        stored = queries.hotels_as_stored(wanted)
        missing = [hotel for hotel_id, hotel in wanted.items() if hotel_id not in stored]
        found = [Change(None, to_store(new, rooms=0, revision=1, **added(new, None, IMPORT))) for new in missing]
        merged = [(before, merge(before, wanted[key])) for key, before in stored.items()]
        edits = ((before, after) for before, after in merged if not same(before, after))
        return [*found, *(Change(before, to_store(after, revision=before.revision + 1)) for before, after in edits)]

    return HotelWriter(IMPORT).save(changes)


def _merged(stored: Hotel, hotel: Hotel) -> Hotel:
    """The stored hotel with a file's name and city, and with the currency and time zone that it does not have yet."""
    once = {name: getattr(stored, name) or getattr(hotel, name) for name in IMPORTED_ONCE}
    return replace(stored, name=hotel.name, city=hotel.city, **once)
