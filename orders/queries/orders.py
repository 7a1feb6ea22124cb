"""Reads of orders, one function for each access pattern; docs/access-patterns.md shows the request that each one sends.

A list is returned as a :class:`~dynamodb_lists.reading.listing.Listing`. Pages and exports read from it. ``hotel_ids``
restricts a list to the orders of some hotels, for staff who are bound to them.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any

from pynamodb.expressions.condition import Condition

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.errors import NotFound
from dynamodb_lists.planning.wording import source_name
from dynamodb_lists.reading.fetching import Ranges
from dynamodb_lists.reading.items import get_item, get_items, read_partition
from dynamodb_lists.reading.listing import Candidate, Grounds, Listing
from dynamodb_lists.reading.merging import Merged
from dynamodb_lists.reading.partitions import KeptLists
from dynamodb_lists.schema.entities import build
from dynamodb_lists.schema.keys import EVER, HIGHEST, Days, KeyRange, day_part, on_days
from dynamodb_lists.schema.models import RawItem, Values
from hotels.queries.of_hotels import lists_of_hotels
from orders import keys
from orders.entities import ERASED_NAME, Guest, Order, OrderItem, OrderQuery
from orders.models import WHOLE_ORDER, OrderItemModel, OrderModel, OrderShardsModel
from orders.statuses import UNFINISHED, Status
from portal.shards import Sharding

SHARDS = Sharding("Each list of the orders of all hotels", OrderShardsModel, fewest=1, most=16)
"""At most 16, because a page of all unfinished orders sends three requests for each shard."""

MOST_OPERANDS = 100
"""The most operands of ``IN`` that DynamoDB takes."""

EVERYTHING = OrderQuery()
DROPS = "the orders of other hotels are read, too, and nobody counts how many these are"
HotelIds = Collection[str] | None
"""The hotels whose orders a list shows; ``None`` for every hotel."""

_lists = partial(KeptLists[Order], model=OrderModel, item_bytes=keys.ENTRY_BYTES)
BY_TIME = "The index by the time of placing has the order of the list, and days are a range of it."
OF_STATUS = "The sort key begins with the status, so a status and days are one range of the index."
OF_GUEST = _lists(name="guest's orders", index=keys.BY_PLACED, why=BY_TIME)
OF_GUEST_BY_STATUS = _lists(name="guest's orders", index=keys.BY_STATUS_DATE, why=OF_STATUS)
OF_HOTEL = _lists(name="hotel's orders", index=keys.HOTEL_ORDERS, why=BY_TIME)
OF_HOTEL_BY_STATUS = _lists(name="hotel's orders", index=keys.HOTEL_ORDERS_BY_STATUS, why=OF_STATUS)
BIG = _lists(
    name="big orders",
    index=keys.HOTEL_BIG_ORDERS,
    why="A sparse index holds the big orders of each hotel, sorted by their total.",
)
UNFINISHED_OF_ALL = _lists(
    name="unfinished orders",
    index=keys.UNFINISHED,
    why="Each status has shards, sorted by time. A page is merged from all of them.",
)
UNFINISHED_OF_HOTELS = replace(UNFINISHED_OF_ALL, index=keys.HOTEL_UNFINISHED)

# --- Lists of a guest, a hotel or the group -------------------------------------------------------------


def guest_orders(guest: Guest, query: OrderQuery = EVERYTHING, hotel_ids: HotelIds = None) -> Ranges[Order]:
    """A2, A4, A5 and A6: a guest's orders by day and status.

    Without a status, days and order are those of placing. With one, they are those of entering the status: "shipped
    before". Guests count their orders at all hotels only, so the list of some hotels has no total. The local indexes
    do not have the name in an order, so the rows have the guest's name of today.
    """
    total = guest.orders.get(query.status, 0) if query.status else guest.total_orders
    lists = OF_GUEST_BY_STATUS if query.status else OF_GUEST
    listing = replace(lists, build=partial(OrderModel.built, username=guest.username, guest_name=guest.name)).of(
        OrderModel.partition_of(username=guest.username),
        span_of(query),
        descending=query.descending,
        keep=of_hotels(hotel_ids),
        selected=scope_text(hotel_ids),
        total=None if query.first or query.before or hotel_ids is not None else total,
    )
    listing = replace(listing, keep=among(hotel_ids))
    return replace(listing, ranges=[]) if hotel_ids is not None and not hotel_ids else listing


def hotel_orders(hotel_id: str, query: OrderQuery = EVERYTHING) -> Listing[Order]:
    """A10: a hotel's orders by day and status, as those of a guest."""
    lists = OF_HOTEL_BY_STATUS if query.status else OF_HOTEL
    return lists.of(hotel_id, span_of(query), descending=query.descending)


def unfinished_orders(
    status: Status | None = None, hotel_ids: HotelIds = None, days: Days = EVER, *, descending: bool = True
) -> Merged[Order]:
    """A7: orders that are PLACED, PROCESSING or SHIPPED, or in one of these statuses, by the time of placing.

    Without ``hotel_ids`` they are those of the group, merged from the shards of the statuses. Those of a few hotels are
    merged from a partition for each hotel and status. Those of many hotels are read from the shards, and a filter drops
    the others. The newest orders may all have one status, so each status is asked for a whole page.
    """
    statuses = UNFINISHED if status is None else (status,)
    few = hotel_ids is not None and len(hotel_ids) * len(statuses) <= keys.MOST_PARTITIONS
    listing = partial(_unfinished, status, hotel_ids, days, descending)
    if hotel_ids is None or len(hotel_ids) > MOST_OPERANDS:
        return listing(by_hotel=False)
    return replace(listing(by_hotel=few), grounds=Grounds(candidates=partial(ways, listing, few, keys.MOST_PARTITIONS)))


def ways(
    listing: Callable[..., Listing[Order]], few: bool, most: int, rows: int, *, drops: bool = True
) -> list[Candidate]:
    """The two ways to read the orders of some hotels, the chosen one first: from their partitions, or from shards.

    ``few`` hotels have at ``most`` so many partitions.
    """
    found = []
    for by_hotel in (few, not few):
        read = partial(listing, by_hotel=by_hotel)
        way, chosen = read(), by_hotel is few
        words = f"Merges shards of all hotels{', and drops other hotels' if drops else ''}."
        words = "Merges the partitions of the hotels." if by_hotel else words
        why = "" if chosen or (few and not drops) else DROPS if few else f"the hotels have more than {most} partitions"
        found.append(Candidate(source_name(way.index), words, way.expected(rows), read, chosen, why))
    return found


def _unfinished(
    status: Status | None, hotel_ids: HotelIds, days: Days, descending: bool, *, by_hotel: bool
) -> Merged[Order]:
    statuses = UNFINISHED if status is None else (status,)
    key_for, span = OrderModel.key_for, on_days(*days)
    if by_hotel and hotel_ids is not None:
        lists, keep, spread = UNFINISHED_OF_HOTELS, None, len(hotel_ids)
        pairs = [(hotel_id, each) for hotel_id in sorted(set(hotel_ids)) for each in statuses]
        partitions = [key_for("unfinished_hotel", hotel_id=hotel_id, status=each) for hotel_id, each in pairs]
    else:
        lists, keep, spread = UNFINISHED_OF_ALL, of_hotels(hotel_ids), SHARDS.numbers().read
        partitions = [key_for("status_shard", status=each, shard=n) for each in statuses for n in range(spread)]
    listing = lists.merged(dict.fromkeys(partitions, span), span, descending=descending, keep=keep, spread=spread)
    selected = repr((status, days, descending)) + scope_text(hotel_ids)
    return replace(listing, keep=among(hotel_ids), selected=selected)


def big_orders(hotel_id: str, *, descending: bool = True) -> Listing[Order]:
    """A8: a hotel's orders of at least :data:`keys.BIG_TOTAL`, by their total."""
    return BIG.of(hotel_id, keys.big_totals(), descending=descending)


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


def order_as_stored(username: str, order_id: str) -> Order:
    """A guest's order with its items, as the table has it now. Raises :class:`NotFound`."""
    with ledger.purpose("list"):
        place = OrderModel.place_of(username=username, order_id=order_id)
        header = build(Order, get_item(OrderModel, *place, consistent=True))
        line = partial(OrderItemModel.place_of, order_id=order_id)
        wanted = [line(number=number + 1) for number in range(header.item_count)]
        lines = {values["pk"]: build(OrderItem, values) for values in get_items(OrderItemModel, wanted)}
    return replace(header, items=tuple(lines[pk] for pk, _ in wanted))


def orders_as_stored(wanted: Iterable[tuple[str, str]]) -> dict[str, Order]:
    """The orders that exist among these pairs of username and order id, by id, without their items."""
    pairs = (OrderModel.place_of(username=username, order_id=order_id) for username, order_id in wanted)
    return {order.order_id: order for order in map(partial(build, Order), get_items(OrderModel, pairs))}


def orders_to_erase(username: str) -> dict[str, bool]:
    """The ids of a guest's orders, and whether an order itself still has what an erasure removes: its name and note."""
    names = ("order_id", "guest_name", "note")
    found = read_partition(OrderModel, OrderModel.partition_of(username=username), names, consistent=True)
    orders = (values for values in found if "order_id" in values)  # the profile is in the same partition
    return {each["order_id"]: each.get("guest_name") != ERASED_NAME or bool(each.get("note")) for each in orders}


# --- How lists and entities are read --------------------------------------------------------------------


def span_of(query: OrderQuery) -> KeyRange:
    """The range that serves a query: of the time of placing or, with a status, of that of entering it."""
    if query.status:
        return entered_on(query.status, query.first, query.before)
    return on_days(query.first, query.before)


def entered_on(status: str, first: date | None, before: date | None) -> KeyRange:
    """Orders that entered a status on or after the day ``first`` and before the day ``before``; ``None``: no limit.

    Both ends begin with the status. Without it at the lower end, "shipped before" would also return all CANCELLED,
    DELIVERED, PLACED and PROCESSING orders, because these sort before SHIPPED.
    """
    form = OrderModel.template_of("order_status_date")
    return form.span(day_part(first), day_part(before) or HIGHEST, status=status)


def of_hotels(hotel_ids: HotelIds) -> Condition | None:
    """The FilterExpression that keeps the orders of these hotels; ``None`` for every hotel, and for too many of them.

    It keeps nothing if there are none. DynamoDB reads and charges the orders that it drops, so it saves no unit:
    :func:`among` may drop them as well.
    """
    if hotel_ids is None or len(hotel_ids) > MOST_OPERANDS:
        return None
    return OrderModel.attribute("hotel_id").is_in(*(sorted(hotel_ids) or [""]))


def among(hotel_ids: HotelIds) -> Callable[[Any], bool]:
    """Whether an order, or what is found of one, belongs to one of these hotels."""
    return lambda found: hotel_ids is None or found.hotel_id in hotel_ids


def scope_text(hotel_ids: HotelIds) -> str:
    """The hotels as a part of a list's ``selected`` text, so that a cursor is valid for the same hotels only."""
    return "" if hotel_ids is None else f" of {sorted(hotel_ids)}"


def _order_or_item(item: RawItem) -> Values:
    return (OrderItemModel if "sku" in item else OrderModel).decoded(item)
