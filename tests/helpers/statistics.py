"""The stored statistics of hotels, as pages add them up."""

from collections.abc import Collection
from datetime import date
from itertools import chain

from hotels import queries
from hotels.entities import HotelStatistics


def together(hotel_ids: Collection[str], today: date) -> HotelStatistics:
    """Return the stored statistics of some hotels together."""
    return HotelStatistics.of(chain.from_iterable(queries.stored_statistics(hotel_ids, today).values()), today)
