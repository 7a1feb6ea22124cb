"""Writes of hotels. People add and edit them; imports save what their files say."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from hotelapp.dynamodb.connection.errors import Conflict
from hotelapp.dynamodb.schema.entities import entered, same, stored_values
from hotelapp.dynamodb.schema.words import Term, stored
from hotelapp.dynamodb.writing.changes import Change, as_seen
from hotelapp.dynamodb.writing.transactions import Delete, Put, Update, Write, assigned
from hotelapp.history.commands import RecordedWriter, added
from hotelapp.history.entities import IMPORT, REPAIR, Actor
from hotels import keys, queries
from hotels.entities import Hotel
from hotels.models import HotelModel, HotelWordModel, word_items

IMPORTED_ONCE = ("currency", "time_zone")
"""The fields that an import sets only where they are blank, because staff may have entered them since."""


class HotelIdTaken(Conflict):
    """Another hotel has the id."""


class HotelWriter(RecordedWriter[Hotel]):
    """Writes hotels with their word items. Hotels share no item. It does not change the number of rooms."""

    kind = HotelModel.kind
    ids = ("hotel_id",)

    def own_writes(self, change: Change[Hotel]) -> list[Write]:
        before, hotel = change.before, change.entity
        item = HotelModel(keys.HOTELS, keys.hotel(hotel.hotel_id), terms=stored(hotel.terms), **stored_values(hotel))
        puts = [Put(word) for word in word_items(hotel)]
        if before is None:
            return [Put(item, HotelModel.pk.does_not_exist()), *puts]
        names = (name for name in HotelModel.changing() if name != "rooms")
        update = Update(hotel_key(hotel.hotel_id), as_seen(HotelModel, before), assigned(item, names))
        if (before.terms, before.name, before.city) == (hotel.terms, hotel.name, hotel.city):
            return [update]
        stale = sorted(before.terms - hotel.terms)
        return [update, *puts, *(Delete(HotelWordModel(*keys.WORDS.key(hotel.hotel_id, term))) for term in stale)]

    def forget(self, entity: Hotel) -> None:
        queries.forget_hotel(entity.hotel_id)


def create_hotel(hotel: Hotel, by: str) -> Hotel:
    """Add a hotel. If the same hotel was already added, return that hotel. Raises :class:`HotelIdTaken`."""
    actor = Actor(by)
    created = _to_store(hotel, rooms=0, revision=1, **added(hotel, None, actor))
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
    Raises :class:`~hotelapp.dynamodb.connection.errors.ChangedMeanwhile`, and
    :class:`~hotelapp.dynamodb.connection.errors.NotFound` for a missing hotel.
    """
    values = {name: getattr(after, name) for name in entered(Hotel)}
    edited = _to_store(before, **values, revision=before.revision + 1)
    return HotelWriter(Actor(by)).write(before, edited, lambda: queries.stored_hotel(before.hotel_id))


def save_hotels(hotels: Sequence[Hotel]) -> int:
    """Create or change many hotels, from a file; returns the number of hotels that were new or different.

    The currency and the time zone that a hotel already has stay, and so does the number of its rooms.
    """
    return _save(hotels, _merged)


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
    HotelWriter(REPAIR).apply([Change(seen, _to_store(hotel))])


def _save(hotels: Sequence[Hotel], merge: Callable[[Hotel, Hotel], Hotel]) -> int:
    """Create the hotels that are missing, and change the others to ``merge(stored, new)``.

    Returns the number of hotels that were new or different.
    """
    wanted = {hotel.hotel_id: hotel for hotel in hotels}

    def changes() -> list[Change[Hotel]]:
        stored = queries.hotels_as_stored(wanted)
        missing = [hotel for hotel_id, hotel in wanted.items() if hotel_id not in stored]
        found = [Change(None, _to_store(new, rooms=0, revision=1, **added(new, None, IMPORT))) for new in missing]
        merged = [(before, merge(before, wanted[key])) for key, before in stored.items()]
        edits = ((before, after) for before, after in merged if not same(before, after))
        return [*found, *(Change(before, _to_store(after, revision=before.revision + 1)) for before, after in edits)]

    return HotelWriter(IMPORT).save(changes)


def _merged(stored: Hotel, hotel: Hotel) -> Hotel:
    """The stored hotel with a file's name and city, and with the currency and time zone that it does not have yet."""
    once = {name: getattr(stored, name) or getattr(hotel, name) for name in IMPORTED_ONCE}
    return replace(stored, name=hotel.name, city=hotel.city, **once)


def _to_store(hotel: Hotel, **changes: Any) -> Hotel:
    """The hotel with these changes as it is to be written, with the terms that its values give."""
    changed = replace(hotel, **changes)
    return replace(changed, terms=frozenset(changed.words.terms()))


def hotel_key(hotel_id: str) -> HotelModel:
    """A hotel's item with nothing but its key, for updates."""
    return HotelModel(keys.HOTELS, keys.hotel(hotel_id))
