"""Reads of orders, one function for each access pattern; docs/access-patterns.md shows the request that each one sends.

A list is returned as a :class:`~dynamodb_lists.reading.listing.Listing`. Pages and exports read from it. ``hotel_ids``
restricts a list to the orders of some hotels, for staff who are bound to them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any

from dynamodb_lists import Query, at_least, on_days, on_days_of
from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.errors import NotFound
from dynamodb_lists.reading.items import get_items, read_partition
from dynamodb_lists.reading.listing import Listing
from dynamodb_lists.schema.entities import build
from dynamodb_lists.schema.keys import EVER, Days
from dynamodb_lists.schema.models import RawItem, Values
from hotels.queries.of_hotels import lists_of_hotels
from hotels.queries.stored import HotelIds, of_hotels
from orders import keys
from orders.entities import Guest, Order, OrderItem, OrderQuery
from orders.lists.orders import ORDERS, order_as_stored
from orders.models import WHOLE_ORDER, OrderItemModel, OrderModel
from orders.statuses import UNFINISHED, Status

Spans = Mapping[str, Days]
"""For each hotel, by its id, when the first day begins there, and when the day after the last one begins."""
EVERYTHING = OrderQuery()

# --- Lists of a guest, a hotel or the group -------------------------------------------------------------


def by_time(days: Days | Spans = EVER, *, entered: bool = False, descending: bool = True, **of: Any) -> Query[Order]:
    """The orders ``of`` a guest, a room, hotels or statuses by the time of placing, or of having ``entered`` theirs.

    The days are in UTC, or those of each hotel.
    """
    moment = "status_at" if entered else "placed_at"
    between = on_days_of("hotel_id", days) if isinstance(days, Mapping) else on_days(days)
    return ORDERS.query(**of, **{moment: between}).order_by(moment, "order_id", descending=descending)


def by_status(query: OrderQuery, days: Spans = MappingProxyType({}), **of: Any) -> Query[Order]:
    """The orders of a status by the time of entering it ("shipped before"); without a status, by that of placing."""
    status = {"status": query.status} if query.status else {}
    asked = days or (query.first, query.before)
    return by_time(asked, entered=bool(query.status), descending=query.descending, **status, **of)


def guest_orders(
    guest: Guest, query: OrderQuery = EVERYTHING, hotel_ids: HotelIds = None, days: Spans = MappingProxyType({})
) -> Listing[Order]:
    """A2, A4, A5 and A6: a guest's orders by day and status.

    Guests count their orders at all hotels only, so the list of some hotels has no total. The local indexes
    do not have the name in an order, so the rows have the guest's name of today.
    """
    total = guest.orders.get(query.status, 0) if query.status else guest.total_orders
    counted = not (query.first or query.before or days or hotel_ids is not None)
    found = of_hotels(by_status(query, days, username=guest.username), hotel_ids).knowing(guest_name=guest.name)
    listing = found.only(keys.BY_STATUS_DATE if query.status else keys.BY_PLACED).listing()
    return replace(listing, total=total if counted else None)


def hotel_orders(hotel_id: str, query: OrderQuery = EVERYTHING) -> Listing[Order]:
    """A10: a hotel's orders by day and status, as those of a guest."""
    return by_status(query, hotel_id=hotel_id).listing()


def room_orders(
    hotel_id: str, number: str, statuses: Iterable[Status] = Status, days: Days = EVER, *, descending: bool = True
) -> Listing[Order]:
    """A15: the orders for a room in some statuses, by the time of placing."""
    found = by_time(days, descending=descending, hotel_id=hotel_id, room_number=number, status={*statuses})
    return found.listing()


def unfinished_orders(
    status: Status | None = None, hotel_ids: HotelIds = None, days: Days | Spans = EVER, *, descending: bool = True
) -> Listing[Order]:
    """A7: orders that are PLACED, PROCESSING or SHIPPED, or in one of these statuses, by the time of placing.

    Those of a few hotels are merged from a partition for each hotel and status, and those of the group from the shards
    of the statuses. Those of many hotels are read from the shards, too, and others are dropped.
    """
    found = of_hotels(by_time(days, descending=descending, status={*UNFINISHED}), hotel_ids)
    return (found.where(status=status) if status else found).listing()


def big_orders(hotel_id: str, *, descending: bool = True) -> Listing[Order]:
    """A8: a hotel's orders of at least :data:`keys.BIG_TOTAL`, by their total."""
    big = ORDERS.query(hotel_id=hotel_id, total=at_least(keys.BIG_TOTAL))
    return big.order_by("total", descending=descending).listing()


def big_of_hotels(hotel_ids: HotelIds, *, descending: bool = True) -> Listing[Order]:
    """A14: the big orders of several hotels, hotel by hotel, of each as A8."""
    return lists_of_hotels(
        hotel_ids,
        partial(big_orders, descending=descending),
        name="big orders by hotel",
        selected=repr(descending),
        index=keys.HOTEL_BIG_ORDERS,
        descending=descending,
    )


# --- Single orders --------------------------------------------------------------------------------------


def order(order_id: str) -> Order:
    """A3: an order with its items and its history, in one Query. Raises :class:`NotFound`.

    Eventually consistent, as every read of a global index: after a write, use :func:`order_as_stored`. If the index has
    not every line, the order is read from the table.
    """
    if not keys.is_order_id(order_id):
        raise NotFound("That is not an order's id.")
    header: Values | None = None
    items = []
    with ledger.purpose("list"):
        for values in read_partition(OrderModel, order_id, WHOLE_ORDER, index=keys.BY_ID, decode=_order_or_item):
            if "sku" not in values:
                header = values
            elif values["quantity"]:  # 0 is the placeholder of an order without items
                items.append(build(OrderItem, values))
    if header is None:
        raise NotFound(f"There is no order {order_id}.")
    if len(items) != header["item_count"]:
        return order_as_stored(header["username"], order_id)
    return build(Order, header, items=tuple(items))


# --- For writers ----------------------------------------------------------------------------------------


def orders_as_stored(wanted: Iterable[tuple[str, str]]) -> dict[str, Order]:
    """The orders that exist among these pairs of username and order id, by id, without their items."""
    pairs = (OrderModel.place_of(username=username, order_id=order_id) for username, order_id in wanted)
    return {order.order_id: order for order in map(partial(build, Order), get_items(OrderModel, pairs))}


# --- How entities are read ------------------------------------------------------------------------------


def _order_or_item(item: RawItem) -> Values:
    return (OrderItemModel if "sku" in item else OrderModel).decoded(item)
