"""Orders by their numbers, or by the end of one. The first item of an order tells whose order it is."""

from collections.abc import Callable, Iterable
from functools import partial

from dynamodb_lists.connection import ledger
from dynamodb_lists.planning.range_plan import PlannedRange
from dynamodb_lists.reading.fetching import Ranges, fetcher, in_parallel
from dynamodb_lists.reading.items import get_items
from dynamodb_lists.schema.keys import text_range
from dynamodb_lists.schema.models import Values
from orders import keys
from orders.entities import Order
from orders.lists import ORDERS
from orders.models import OrderItemModel, OrderModel
from portal.scopes import EVERY_HOTEL, HotelScope

FOUND = 8
"""The most orders that a part of a number finds."""


def orders_by_number(text: str, scope: HotelScope = EVERY_HOTEL) -> list[Order]:
    """A11: the orders that match a typed number, or at least the last four characters of one; at most :data:`FOUND`.

    Their id is one of :func:`keys.order_ids`, which has a Query each, half a unit. What is not a whole number of
    this portal may be the end of one: a Query of an index beside it, which also finds an id in other capitals. For a
    whole number, that Query follows if nothing has the number.
    """
    wanted = keys.order_ids(text)
    reads: list[Callable[[], list[Order]]] = [
        partial(scope.of(ORDERS.query(order_id=each)).first, 1) for each in wanted
    ]
    if not keys.is_number(text):
        reads.append(partial(orders_by_end, text, scope))
    with ledger.purpose("list"):
        found = {order.order_id: order for orders in in_parallel(reads) for order in orders}
        if keys.is_number(text) and not found:
            return orders_by_end(text, scope)
    return [*{each: found[each] for each in (*wanted, *found) if each in found}.values()][:FOUND]


def orders_by_end(text: str, scope: HotelScope = EVERY_HOTEL) -> list[Order]:
    """A11: the orders whose number ends with a text of at least four characters, in the order of what is before it.

    The index has the keys of orders, which are read by them, for half a unit each.
    """
    end = keys.number_end(text.strip()) if keys.is_order_id(text.strip()) else None
    if end is None:
        return []
    partition, backwards = end
    fetch = fetcher(OrderModel, partition, _named, attributes=("PK", "username", "hotel_id"), index=keys.BY_END)
    ends = Ranges(
        name="orders by end",
        index=keys.BY_END,
        ranges=[PlannedRange(text_range(backwards))],
        fetch=fetch,
        keep=lambda named: scope.allows(named["hotel_id"]),
    )
    named = [row.value for row in ends.take(FOUND, None, backward=False)]
    return ORDERS.get_many({name: each[name] for name in ("username", "order_id")} for each in named)


def guests_of(order_ids: Iterable[str]) -> dict[str, str]:
    """The username of the guest of each order that exists, read from the orders' first items, a hundred at a time."""
    wanted = (OrderItemModel.place_of(order_id=order_id, number=1) for order_id in order_ids)
    return {each["order_id"]: each["username"] for each in map(_named, get_items(OrderItemModel, wanted))}


def _named(first_item: Values) -> Values:
    """What the first item of an order says of it, and its id."""
    return {**first_item, **OrderItemModel.values_in(first_item["pk"])}
