"""The names of guests and hotels that lists show beside ids.

An order does not store them: a name may change, and is erased with its guest. They are read after the page of orders,
with one BatchGetItem for the guests and one for the hotels that are not cached, both at the same time.

Names change rarely, and staff look at the same guests again and again, so a process caches a name for a minute. A
change in the same process is seen at once.
"""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

from django.core.cache import cache

from hotelapp.dynamodb.connection import ledger
from hotelapp.dynamodb.reading.fetching import in_parallel
from hotelapp.dynamodb.reading.items import BATCH, exported, get_items
from hotels import queries as hotels
from hotels.entities import Hotel
from orders import keys
from orders.entities import ListedOrder, Order
from orders.models import GuestModel
from orders.queries.orders import orders_as_stored

CACHE_SECONDS = 60
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
    """Orders of any number, with the names of guests and hotels, as exports have them; read a hundred at a time."""
    rest = exported(orders, lambda order: (order.username, order.order_id), _by_key)
    names: dict[str, str] = {}
    while batch := list(islice(rest, BATCH)):
        rows = listed_orders(batch, names)
        yield from rows
        if len(names) > REMEMBERED:
            names.clear()
        names |= {row.order.username: row.guest_name for row in rows}


def _by_key(wanted: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Order]:
    return {(order.username, order.order_id): order for order in orders_as_stored(wanted).values()}


def forget_names(usernames: Iterable[str]) -> None:
    """Remove the names of guests from this process's cache."""
    cache.delete_many(map(_cache_key, usernames))


def _guest_names(usernames: Sequence[str]) -> dict[str, str]:
    """The names of the guests who have a profile, by username. A guest who is not cached costs half a read unit."""
    cached: dict[str, str] = cache.get_many(map(_cache_key, usernames))
    known = {username: cached[key] for username in usernames if (key := _cache_key(username)) in cached}
    wanted = ((keys.guest(username), keys.PROFILE) for username in usernames if username not in known)
    with ledger.purpose("guest"):
        profiles = get_items(GuestModel, wanted, consistent=False)
        read = {profile["username"]: profile["name"] for profile in profiles if profile.get("name")}
    cache.set_many({_cache_key(username): name for username, name in read.items()}, CACHE_SECONDS)
    return {**known, **read}


def _cache_key(username: str) -> str:
    return f"guest-name:{username}"


def _listed(order: Order, guest_name: str, shared: Container[str], found: Mapping[str, Hotel]) -> ListedOrder:
    hotel = found.get(order.hotel_id, Hotel(order.hotel_id, order.hotel_id))
    return ListedOrder(order, guest_name, guest_name in shared, hotel.name, hotel.time_zone)
