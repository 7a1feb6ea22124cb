"""Orders by their numbers, or by the end of one. The first item of an order tells whose order it is."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from dynamodb_lists.connection import ledger
from dynamodb_lists.planning.range_plan import PlannedRange
from dynamodb_lists.reading.fetching import Ranges, fetcher, in_parallel
from dynamodb_lists.reading.items import get_items
from dynamodb_lists.schema.keys import text_range
from dynamodb_lists.schema.models import Values
from hotels.queries.stored import HotelIds, among
from orders import keys
from orders.entities import FoundOrder
from orders.models import OrderItemModel, OrderModel

FOUND = 8
"""The most orders that a part of a number finds."""


def orders_by_number(text: str, hotel_ids: HotelIds = None) -> list[FoundOrder]:
    """A11: the orders that match a typed number, or at least the last four characters of one; at most :data:`FOUND`.

    Their id is one of :func:`keys.order_ids`: one BatchGetItem reads their first items. What is not a whole number of
    this portal may be the end of one: a Query of an index beside it, which also finds an id in other capitals. For a
    whole number, that Query follows if nothing has the number. With ``hotel_ids``, only orders of these hotels.
    """
    wanted = keys.order_ids(text)
    reads: list[Callable[[], Iterable[FoundOrder]]] = [partial(_of_ids, wanted)]
    if not keys.is_number(text):
        reads.append(partial(orders_by_end, text, hotel_ids))
    with ledger.purpose("list"):
        hits = {hit.order_id: hit for hits in in_parallel(reads) for hit in hits}
        if len(reads) == 1 and not hits:
            hits = {hit.order_id: hit for hit in orders_by_end(text, hotel_ids)}
    return [*filter(among(hotel_ids), hits.values())][:FOUND]


def with_guest_names(found: Sequence[FoundOrder]) -> list[FoundOrder]:
    """Found orders with the names of their guests. One BatchGetItem reads the orders, for half a unit each."""
    places = [OrderModel.place_of(username=hit.username, order_id=hit.order_id) for hit in found]
    with ledger.purpose("list"):
        stored = get_items(OrderModel, places, consistent=False)
    names = {order["order_id"]: order.get("guest_name", "") for order in stored}
    return [replace(hit, guest_name=names.get(hit.order_id, "")) for hit in found]


def _of_ids(wanted: Sequence[str]) -> list[FoundOrder]:
    found = _first_items(wanted)
    return [found[order_id] for order_id in wanted if order_id in found]


def orders_by_end(text: str, hotel_ids: HotelIds = None) -> Sequence[FoundOrder]:
    """A11: the orders whose number ends with a text of at least four characters, in the order of what is before it."""
    end = keys.number_end(text.strip()) if keys.is_order_id(text.strip()) else None
    if end is None:
        return ()
    partition, backwards = end
    names = "PK", "username", "hotel_id"
    fetch = fetcher(OrderModel, partition, _found_order, attributes=names, index=keys.BY_END)
    span = PlannedRange(text_range(backwards))
    ends = Ranges(name="orders by end", index=keys.BY_END, ranges=[span], fetch=fetch, keep=among(hotel_ids))
    return [row.value for row in ends.take(FOUND, None, backward=False)]


def guests_of(order_ids: Sequence[str]) -> dict[str, str]:
    """The username of the guest of each order that exists, read from the orders' first items, a hundred at a time."""
    return {order_id: hit.username for order_id, hit in _first_items(order_ids).items()}


def _first_items(order_ids: Iterable[str]) -> dict[str, FoundOrder]:
    """What the first items of these orders say, by id, without the orders that do not exist."""
    wanted = (OrderItemModel.place_of(order_id=order_id, number=1) for order_id in order_ids)
    return {hit.order_id: hit for hit in map(_found_order, get_items(OrderItemModel, wanted))}


def _found_order(first_item: Values) -> FoundOrder:
    order_id = OrderItemModel.values_in(first_item["pk"])["order_id"]
    return FoundOrder(order_id, first_item["username"], first_item["hotel_id"])
