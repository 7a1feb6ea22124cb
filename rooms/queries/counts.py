"""R6: a hotel's counts, from their packed copy, or from the count items themselves. docs/keys.md explains both."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from hotelapp.dynamodb.connection import ledger
from hotelapp.dynamodb.connection.errors import NotFound
from hotelapp.dynamodb.reading.fetching import in_parallel
from hotelapp.dynamodb.reading.items import read_partition
from hotelapp.dynamodb.schema.models import Values
from hotels import queries as hotels
from hotels.apps import HOTEL_BAR, links
from hotels.entities import Hotel
from hotels.queries import StoredHotel
from rooms import keys
from rooms.entities import RoomCounts
from rooms.entities.counts import RoomCount, counts_of, unpacked_counts
from rooms.models import PackedCountsModel, RoomCountModel


def room_counts(hotel_id: str) -> RoomCounts:
    """R6: the number of rooms of each combination of facets; no counts for an unknown hotel."""
    try:
        return hotel_and_counts(hotel_id)[1]
    except NotFound:
        return counts_of(stored_counts(hotel_id))


def page_start(hotel_id: str, *others: Callable[[], object]) -> tuple[Hotel, RoomCounts]:
    """What a page of a hotel's rooms needs, in one wave: the hotel, its counts, what its bar shows, and ``others``.

    Raises :class:`NotFound`.
    """
    bar = [partial(link.read, hotel_id) for link in links(HOTEL_BAR)]
    calls: list[Callable[[], Any]] = [partial(hotel_and_counts, hotel_id), *bar, *others]
    start: tuple[Hotel, RoomCounts] = in_parallel(calls)[0]
    return start


def hotel_and_counts(hotel_id: str) -> tuple[Hotel, RoomCounts]:
    """R6 with the hotel, as both are stored now: one request, or one more if the packed copy is not up to date.

    Raises :class:`NotFound`.
    """
    with ledger.purpose("counts"):
        stored, copy = hotel_and_packed_counts(hotel_id)
    counts = None
    if copy.get("counts_revision") == stored.counts_revision:
        with suppress(ValueError):  # the copy is from a release that packs in another way
            counts = unpacked_counts(copy["packed"])
    counts = counts or counts_of(stored_counts(hotel_id))
    return stored.hotel, replace(counts, rooms=stored.hotel.rooms, rates_revision=stored.rates_revision)


def hotel_and_packed_counts(hotel_id: str, *, consistent: bool = False) -> tuple[StoredHotel, Values]:
    """A hotel, and the attributes of its packed counts, of which there may be none. Raises :class:`NotFound`."""
    stored, item = hotels.hotel_beside(hotel_id, keys.packed_counts(hotel_id), consistent=consistent)
    return stored, PackedCountsModel.decoded(item or {})


def stored_counts(hotel_id: str, *, consistent: bool = False) -> list[RoomCount]:
    """The counts of a hotel, one item for each, in the order of their keys."""
    attributes = ("sk", "rooms", *keys.LABELLED)
    with ledger.purpose("counts"):
        items = read_partition(RoomCountModel, keys.counts(hotel_id), attributes, consistent=consistent)
        return [room_count(item) for item in items]


def room_count(item: Values) -> RoomCount:
    """The count in the attributes of its item."""
    return RoomCount(keys.counted(item["sk"]), item["rooms"], tuple(map(item.get, keys.LABELLED)))
