"""Lists of orders of several hotels, whose days begin at different times.

``spans`` says for each hotel, by its id, when the first day begins, and when the day after the last one begins.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from dynamodb_lists.planning.sources import MOST_PARTS
from dynamodb_lists.planning.wording import counted
from dynamodb_lists.reading.fetching import in_parallel
from dynamodb_lists.reading.listing import Listing
from dynamodb_lists.reading.sources import SourceListing
from dynamodb_lists.schema.models import RawItem
from hotels import queries as hotels
from hotels.queries.stored import HotelIds, of_hotels
from orders import keys
from orders.entities import Order, OrderQuery
from orders.models import OrderModel
from orders.queries.orders import Spans, by_status, room_orders
from orders.statuses import UNFINISHED, Status

MOST_COUNTED, NEWEST = 50, 10
"""The most unfinished orders of a room that are counted, and how many orders of either state its page shows."""

MOST_UNITS = 90
"""The most read units of the entries of all hotels on a page of some hotels, before it ends: about 5,000 entries."""

DEAR = 0.5
"""What each of many hotels costs if they are merged. Entries of all hotels may take as many read units before that."""


def all_known(spans: Spans, hotel_ids: HotelIds) -> bool:
    """Whether ``spans`` has every hotel of a list, and not its first hundred alone."""
    return len(spans) < hotels.MOST_SEEN if hotel_ids is None else len(hotel_ids) <= hotels.MOST_SEEN


def orders_of_hotels(
    spans: Spans, query: OrderQuery, hotel_ids: HotelIds = None, *, whole: bool = False
) -> Listing[Order]:
    """A10g and A13: orders of these hotels, or of all of them, by status and day.

    Those of a few hotels are merged from the partition of each hotel; if the ``whole`` list is read, those of a
    hundred. All others are read from the index of all hotels, and what belongs to other hotels is dropped; once that
    has cost as much, the rest is merged. If ``spans`` does not have every hotel, the days are those of ``query``.
    """
    known = all_known(spans, hotel_ids)
    index = keys.HOTEL_ORDERS_BY_STATUS if query.status else keys.HOTEL_ORDERS
    merged = by_status(query, spans, hotel_id={*spans}).only(index).listing
    if known and (whole or len(spans) <= MOST_PARTS):
        return merged()
    asked = by_status(query, spans) if known else by_status(query)
    shards = of_hotels(asked, hotel_ids).listing()
    if not isinstance(shards, SourceListing):
        return shards
    return replace(
        shards,
        beside=partial(_read_names, spans),
        most=len(spans) * DEAR if known else MOST_UNITS,
        otherwise=merged if known else None,
    )


def _read_names(named: Spans, entries: Sequence[RawItem]) -> None:
    """Let the cache have the hotels of these entries, whose names the page shows."""
    hotels.known_hotels({OrderModel.decoded(entry)["hotel_id"] for entry in entries}.difference(named))


def newest_of_room(hotel_id: str, number: str) -> list[Order]:
    """The newest orders for a room, the unfinished ones first; at most :data:`NEWEST` of either."""
    states = UNFINISHED, [status for status in Status if status not in UNFINISHED]
    lists = [room_orders(hotel_id, number, statuses) for statuses in states]
    found = in_parallel([partial(each.take, NEWEST, None, backward=False) for each in lists])
    return [row.value for rows in found for row in rows]


def orders_of_room(hotel_id: str, number: str) -> str:
    """How many unfinished orders are for a room, in words; blank if none is."""
    found = len(room_orders(hotel_id, number, UNFINISHED).take(MOST_COUNTED + 1, None, backward=False))
    if not found:
        return ""
    return ("at least " if found > MOST_COUNTED else "") + counted(min(found, MOST_COUNTED), "unfinished order")
