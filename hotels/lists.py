"""The list of hotels."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.core.cache import cache

from dynamodb_lists import Change, List, Update, Write, Writer, errors
from hotels import keys
from hotels.entities import Hotel
from hotels.models import HotelModel, HotelWordModel
from portal.history.commands import recorded
from portal.history.entities import Actor

ALL_CACHED = "hotels"
"""The key of the first hotels in the cache."""


class HotelWriter(Writer[Hotel]):
    """Writes hotels, without their number of rooms, which the writes of rooms change."""

    def as_stored(self, before: Hotel | None, after: Hotel) -> Hotel:
        """Return the hotel to write. Raises: :class:`Conflict` for another currency than that of its rooms' prices."""
        if before and before.rooms and before.currency not in {"", after.currency}:
            raise errors.Conflict(f"The prices of this hotel's rooms are in {before.currency}.")
        return super().as_stored(before, replace(after, rooms=before.rooms if before else 0))

    def commit(self, changes: Sequence[Change[Hotel]], own: Sequence[Write] | None = None) -> None:
        try:
            super().commit(changes, own)
        finally:  # after an error, too: if an answer is lost, the changes may be made
            for change in changes:
                forget_hotel(change.entity.hotel_id)


def _keep_currencies(changes: Sequence[Change[Hotel]], by: Actor) -> Iterator[Write]:
    """Yield the condition that no room was added meanwhile, if the currency changes."""
    for before, after in ((each.before, each.after) for each in changes):
        if before and after and before.currency not in {"", after.currency}:
            yield Update(HotelModel.keyed(hotel_id=after.hotel_id), HotelModel.attribute("rooms") == 0)


def cache_key(hotel_id: str) -> str:
    return f"hotel:{hotel_id}"


def forget_hotel(hotel_id: str) -> None:
    """Remove a hotel from this process's cache, and the cached list of all hotels."""
    cache.delete_many([cache_key(hotel_id), ALL_CACHED])


HOTELS = recorded(
    List(
        Hotel, table=HotelModel, name="hotels", words=HotelWordModel, entry_bytes=keys.HOTEL_BYTES, writer=HotelWriter()
    ).with_writes(_keep_currencies),
    {"changed": "hotels.change_hotel"},
)
