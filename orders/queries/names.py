"""The names of guests and hotels that lists show beside ids.

An order does not store them: a name may change, and is erased with its guest. They are read after the page of orders,
with one BatchGetItem for the guests and one for the hotels that are not cached, both at the same time.
"""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

from hotelapp.dynamodb.connection import ledger
from hotelapp.dynamodb.reading.items import BATCH, get_items
from hotelapp.dynamodb.reading.lists import in_parallel
from hotels import queries as hotels
from hotels.entities import Hotel
from orders import keys
from orders.entities import ListedOrder, Order
from orders.models import GuestModel

REMEMBERED = 10_000
"""The most names of guests that an export remembers, so that a guest of many orders is not read for each batch."""


def listed_orders(orders: Sequence[Order], guest_names: Mapping[str, str] | None = None) -> list[ListedOrder]:
    """The orders with the names of their guests and hotels. ``guest_names`` are known already, by username."""
    known = guest_names or {}
    unknown = {order.username for order in orders} - known.keys()
    reads: list[Callable[[], Mapping[str, Any]]] = [
        partial(_guest_names, sorted(unknown)),
        partial(hotels.known_hotels, [order.hotel_id for order in orders]),
    ]
    read, found = in_parallel(reads)
    names = {**{order.username: order.username for order in orders}, **known, **read}
    shared = {name for name, times in Counter(names[username] for username in set(names)).items() if times > 1}
    return [_listed(order, names[order.username], shared, found) for order in orders]


def streamed_orders(orders: Iterable[Order]) -> Iterator[ListedOrder]:
    """Orders of any number with the names of their guests and hotels, read a hundred orders at a time."""
    rest = iter(orders)
    names: dict[str, str] = {}
    while batch := list(islice(rest, BATCH)):
        rows = listed_orders(batch, names)
        yield from rows
        if len(names) > REMEMBERED:
            names.clear()
        names |= {row.order.username: row.guest_name for row in rows}


def _guest_names(usernames: Iterable[str]) -> dict[str, str]:
    """The names of the guests who have a profile, by username. A guest costs half a read unit."""
    wanted = ((keys.guest(username), keys.PROFILE) for username in usernames)
    with ledger.purpose("guest"):
        profiles = get_items(GuestModel, wanted, consistent=False)
        return {profile["username"]: profile["name"] for profile in profiles if profile.get("name")}


def _listed(order: Order, guest_name: str, shared: Container[str], found: Mapping[str, Hotel]) -> ListedOrder:
    hotel = found.get(order.hotel_id, Hotel(order.hotel_id, order.hotel_id))
    return ListedOrder(order, guest_name, guest_name in shared, hotel.name, hotel.time_zone)
