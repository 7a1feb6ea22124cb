"""Lists of orders of several hotels, whose days begin at different times.

``spans`` says for each hotel, by its id, when the first day begins, and when the day after the last one begins.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from itertools import islice
from operator import attrgetter

from dynamodb_lists.planning.wording import counted
from dynamodb_lists.reading.lists import Listing
from dynamodb_lists.schema.keys import EVER, Days
from orders.entities import Guest, Order, OrderQuery
from orders.queries.orders import OF_HOTEL, OF_HOTEL_BY_STATUS, HotelIds, guest_orders, span_of, unfinished_orders
from orders.statuses import Status

Spans = Mapping[str, Days]
MOST_READ = 5_000
"""The most unfinished orders of a hotel in which those of a room are looked for."""

WHY = "Each hotel has a partition, sorted by time. A page is merged from those that are chosen."
OF_HOTELS, OF_HOTELS_BY_STATUS = (
    replace(lists, name="orders of hotels", why=WHY) for lists in (OF_HOTEL, OF_HOTEL_BY_STATUS)
)


def orders_of_hotels(spans: Spans, query: OrderQuery) -> Listing[Order]:
    """A13: orders of several hotels by status and day, merged from a partition for each hotel."""
    lists = OF_HOTELS_BY_STATUS if query.status else OF_HOTELS
    parts = {
        hotel_id: span_of(replace(query, first=first, before=before)) for hotel_id, (first, before) in spans.items()
    }
    return lists.merged(parts, span_of(query), descending=query.descending)


def unfinished_of_room(hotel_id: str, number: str) -> tuple[list[Order], bool]:
    """The unfinished orders for a room among the newest :data:`MOST_READ`, and whether there may be more."""
    newest = list(islice(unfinished_orders(None, frozenset({hotel_id})).stream(), MOST_READ + 1))
    return [order for order in newest if order.room_number == number], len(newest) > MOST_READ


def orders_of_room(hotel_id: str, number: str) -> str:
    """How many unfinished orders are for a room, in words; blank if none is."""
    found, more = unfinished_of_room(hotel_id, number)
    if not found:
        return f"perhaps an unfinished order that is older than the newest {MOST_READ:,}" if more else ""
    return ("at least " if more else "") + counted(len(found), "unfinished order")


def unfinished_in_days(status: Status | None, hotel_ids: HotelIds, spans: Spans, *, descending: bool) -> Listing[Order]:
    """A7: unfinished orders that were placed on some days."""
    listing = unfinished_orders(status, hotel_ids, _widest(spans), descending=descending)
    return replace(listing, keep=_within(spans, attrgetter("placed_at"), listing.keep))


def guest_orders_in_days(guest: Guest, query: OrderQuery, spans: Spans, hotel_ids: HotelIds) -> Listing[Order]:
    """A4 to A6: a guest's orders by day."""
    first, before = _widest(spans)
    listing = guest_orders(guest, replace(query, first=first, before=before), hotel_ids)
    return replace(listing, keep=_within(spans, attrgetter("status_at" if query.status else "placed_at"), listing.keep))


def _widest(spans: Spans) -> Days:
    firsts, ends = zip(*spans.values(), strict=True) if spans else ((None,), (None,))
    return (None if None in firsts else min(firsts)), (None if None in ends else max(ends))


def _within(
    spans: Spans, moment: Callable[[Order], datetime], keep: Callable[[Order], bool]
) -> Callable[[Order], bool]:
    """Whether an order that a list may ``keep`` has its moment on the days of its hotel."""
    if len(set(spans.values())) <= 1:  # the range of keys says it
        return keep

    def within(order: Order) -> bool:
        first, before = spans.get(order.hotel_id, EVER)
        at = moment(order)
        return (first is None or first <= at) and (before is None or at < before) and keep(order)

    return within
