"""Reads of the lists that staff work from: unfinished orders, of the group or of a hotel, and a hotel's orders.

docs/access-patterns.md shows the request that each function sends, and what the indexes cost.
"""

from collections.abc import Collection, Iterable
from functools import partial

from hotelapp.dynamodb.planning.range_planner import PlannedRange
from hotelapp.dynamodb.planning.request_cost import items_paid
from hotelapp.dynamodb.reading.fetching import fetcher
from hotelapp.dynamodb.reading.lists import Listing
from hotelapp.dynamodb.reading.merging import Merged, Part
from hotelapp.dynamodb.reading.ranges import Ranges
from hotelapp.dynamodb.schema.entities import build
from orders import keys
from orders.entities import Order, OrderQuery
from orders.models import LISTED, OrderModel
from orders.queries.scopes import HotelIds, of_hotels, scope_text
from orders.statuses import OPEN, UNFINISHED, Status


def unfinished_orders(
    status: Status | None = None, hotel_ids: HotelIds = None, *, descending: bool = True
) -> Listing[Order]:
    """A7: orders that are PLACED, PROCESSING or SHIPPED, or in one of these statuses, by the time of placing.

    Without ``hotel_ids`` they are those of the group, merged from eight shards. Those of a few hotels are merged from a
    partition for each hotel and status. Those of many hotels are read from the shards, and a filter drops the others.
    """
    statuses = UNFINISHED if status is None else (status,)
    few = hotel_ids is not None and len(hotel_ids) * len(statuses) <= keys.SHARDS
    index, partitions = _hotel_partitions(statuses, hotel_ids or ()) if few else _group_partitions(status)
    keep = None if few else of_hotels(hotel_ids)
    read = partial(fetcher, OrderModel, build=partial(build, Order), attributes=LISTED, index=index, keep=keep)
    return Merged(
        name="unfinished orders",
        selected=repr((status, descending)) + scope_text(hotel_ids),
        index=index,
        descending=descending,
        parts=[Part(read(partition=partition)) for partition in partitions],
        span=keys.all_placed(),
        minimum=items_paid(keys.ENTRY_BYTES),
    )


def open_orders(*, descending: bool = True, hotel_ids: HotelIds = None) -> Listing[Order]:
    """A7: the orders of the group, or of some hotels, that nobody has started to process."""
    return unfinished_orders(OPEN, hotel_ids, descending=descending)


def hotel_orders(hotel_id: str, query: OrderQuery) -> Listing[Order]:
    """A10: a hotel's orders by day and status.

    Without a status, days and order are those of placing. With one, they are those of entering the status, as in a
    guest's orders.
    """
    index, span = keys.BY_HOTEL, keys.placed_on(query.first, query.before)
    if query.status:
        index, span = keys.BY_HOTEL_STATUS, keys.entered_on(query.status, query.first, query.before)
    return Ranges(
        name="hotel's orders",
        selected=repr((hotel_id, index, span, query.descending)),
        index=index,
        descending=query.descending,
        ranges=[PlannedRange(span)],
        fetch=fetcher(OrderModel, keys.hotel(hotel_id), partial(build, Order), attributes=LISTED, index=index),
    )


def _group_partitions(status: Status | None) -> tuple[str, list[str]]:
    if status is None:
        return keys.UNFINISHED, keys.unfinished_shards()
    return keys.OPEN_ORDERS, keys.status_shards(status)


def _hotel_partitions(statuses: Iterable[Status], hotel_ids: Collection[str]) -> tuple[str, list[str]]:
    wanted = [keys.unfinished_hotel(hotel_id, each) for hotel_id in sorted(set(hotel_ids)) for each in statuses]
    return keys.HOTEL_UNFINISHED, wanted
