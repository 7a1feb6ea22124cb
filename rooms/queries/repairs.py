"""Repairs: what is out of order, by the day until when."""

from collections.abc import Callable
from datetime import date

from dynamodb_lists import at_most
from dynamodb_lists.reading.listing import Listing
from hotels.entities import ROOMS as TOTALS
from hotels.queries.of_hotels import HotelByHotel
from portal.scopes import HotelScope
from rooms import keys
from rooms.entities import Room
from rooms.lists import ROOMS
from rooms.statuses import Service


def repairs(hotel_id: str, last: date | None = None) -> Listing[Room]:
    """R10: the rooms that are out of order, by the day until when; those until a ``last`` day, or all of them."""
    query = ROOMS.query(hotel_id=hotel_id).only(keys.REPAIRS).showing("responsible", keys.SINCE)
    return (query.where(until=at_most(last)) if last else query).listing()


def repairs_of_hotels(scope: HotelScope, last: Callable[[str], date] | None = None) -> Listing[Room]:
    """R10 of several hotels, hotel by hotel. ``last`` gives the last day of each, whose days begin at other times."""
    return HotelByHotel(
        name="repairs by hotel",
        selected=f"{last is None} of {scope}",
        index=keys.REPAIRS,
        scope=scope,
        of=lambda hotel_id: repairs(hotel_id, last and last(hotel_id)),
        has_rows=(TOTALS, lambda numbers: numbers.get(Service.OUT_OF_ORDER, 0) > 0),
    )
