"""The search: one request for each kind of thing, all at the same time."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any

from hotelapp.dynamodb.connection import ledger
from hotelapp.dynamodb.reading.fetching import in_parallel
from hotelapp.dynamodb.reading.word_lists import first_hits
from hotelapp.dynamodb.schema.keys import is_part
from hotelapp.dynamodb.schema.words import WordQuery, typed
from hotels import queries as hotels
from orders import queries as orders
from rooms import queries as rooms

SHOWN = 8
"""The most hits of a kind."""

HotelIds = Collection[str] | None
Found = tuple[Sequence[Any], bool]
"""The hits, and whether there may be more."""

Finder = Callable[[str, WordQuery, HotelIds], Found]


def search(text: str, kinds: Collection[str], hotel_ids: HotelIds = None) -> dict[str, Found]:
    """The hits of a text, by kind (see :data:`FINDERS`); none for a text without a letter or digit.

    ``hotel_ids`` restricts hotels, rooms and orders to these hotels. Guests belong to no hotel.
    """
    if not (query := typed(text)):
        return {}
    chosen = {kind: find for kind, find in FINDERS.items() if kind in kinds}
    with ledger.purpose("list"):
        results = in_parallel([partial(find, text, query, hotel_ids) for find in chosen.values()])
    return dict(zip(chosen, results, strict=True))


def _hotels(text: str, query: WordQuery, hotel_ids: HotelIds) -> Found:
    return first_hits(hotels.hotels_found(query, hotel_ids), SHOWN)


def _rooms(text: str, query: WordQuery, hotel_ids: HotelIds) -> Found:
    found = rooms.rooms_anywhere(text, SHOWN + 1, hotel_ids) if is_part(text) else []
    return found[:SHOWN], len(found) > SHOWN


def _guests(text: str, query: WordQuery, hotel_ids: HotelIds) -> Found:
    return first_hits(orders.guests_found(query), SHOWN)


def _orders(text: str, query: WordQuery, hotel_ids: HotelIds) -> Found:
    return orders.orders_by_number(text, hotel_ids), False


FINDERS: Mapping[str, Finder] = {"hotels": _hotels, "rooms": _rooms, "guests": _guests, "orders": _orders}
"""The finder of each kind of thing, in the order in which the kinds are shown."""
