"""The rows of lists of orders: an order has its guest's name, as an invoice does; hotels are read and cached."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType

from dynamodb_lists.reading.items import BATCH
from hotels import queries as hotels
from hotels.entities import Hotel
from orders.entities import ListedOrder, Order


def listed_orders(orders: Sequence[Order], seen: Mapping[str, Hotel] = MappingProxyType({})) -> list[ListedOrder]:
    """The orders with the names of guests and hotels. One request reads hotels that are neither ``seen`` nor cached."""
    found = {**seen, **hotels.known_hotels([order.hotel_id for order in orders if order.hotel_id not in seen])}
    guests = {(order.username, order.guest_name) for order in orders}
    times = Counter(name for _, name in guests)
    rows = []
    for order in orders:
        hotel = found.get(order.hotel_id, Hotel(order.hotel_id, order.hotel_id))
        rows.append(ListedOrder(order, order.guest_name, times[order.guest_name] > 1, hotel.name, hotel.time_zone))
    return rows


def streamed_orders(orders: Iterable[Order]) -> Iterator[ListedOrder]:
    """Orders of any number, with the names of guests and hotels, as exports have them; read a hundred at a time."""
    rest = iter(orders)
    while batch := list(islice(rest, BATCH)):
        yield from listed_orders(batch)
