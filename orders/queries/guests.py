"""Reads of guests, and of the names of guests and hotels that lists of orders show beside ids.

docs/access-patterns.md shows the request of each function. An order does not store names: they may change, and are
erased with its guest. They are read after the page of orders, with one BatchGetItem for the guests and one for the
hotels that are not cached, both at the same time.

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
from hotelapp.dynamodb.connection.errors import NotFound
from hotelapp.dynamodb.planning.request_cost import items_paid
from hotelapp.dynamodb.reading.fetching import fetcher, in_parallel
from hotelapp.dynamodb.reading.items import BATCH, exported, find_item, get_items
from hotelapp.dynamodb.reading.lists import Listing
from hotelapp.dynamodb.reading.merging import Merged, Part
from hotelapp.dynamodb.reading.word_lists import found
from hotelapp.dynamodb.schema.entities import build, listed
from hotelapp.dynamodb.schema.models import Values
from hotelapp.dynamodb.schema.words import WordQuery, parsed
from hotels import queries as hotels
from hotels.entities import Hotel
from orders import keys
from orders.entities import Guest, ListedOrder, Order
from orders.models import GuestModel, GuestWordModel, order_counter
from orders.queries.orders import orders_as_stored
from orders.statuses import Status

IN_WORDS = frozenset({"username", "name", "email"})
"""The fields of a guest that a word item repeats."""

CACHE_SECONDS = 60
REMEMBERED = 10_000
"""The most names of guests that an export remembers, so that a guest of many orders is not read for each batch."""


def guest(username: str, *, consistent: bool = False) -> Guest:
    """A1: a guest's profile, with the number of orders of each status. Raises :class:`NotFound`."""
    if not keys.is_username(username):
        raise NotFound("That is not a guest's username.")
    with ledger.purpose("guest"):
        return _guest(find_item(GuestModel, keys.guest(username), keys.PROFILE, consistent=consistent))


def guests(*, descending: bool = False) -> Listing[Guest]:
    """All guests by username: four shards, merged."""
    read = partial(fetcher, GuestModel, build=partial(build, Guest), attributes=listed(Guest), index=keys.GUESTS)
    return Merged(
        name="guests",
        selected=repr(descending),
        index=keys.GUESTS,
        descending=descending,
        parts=[Part(read(partition=shard)) for shard in keys.guest_shards()],
        span=keys.usernames(),
        minimum=items_paid(keys.GUEST_BYTES),
    )


def has_guest(username: str) -> bool:
    """Whether there is a guest of this username."""
    try:
        guest(username)
    except NotFound:
        return False
    return True


def guests_found(query: WordQuery, *, descending: bool = False) -> Merged[Guest]:
    """A9: the guests with a word of the name that begins as typed, or with such an e-mail address or username.

    They are sorted by the word that is found. Several typed words are looked up in the name. Read from word items,
    which have the fields ``IN_WORDS`` only; if lists show others, the guests take one more request a hundred.
    """
    return found(
        GuestWordModel,
        query,
        _found_guest,
        name="guests by words",
        descending=descending,
        refine=None if IN_WORDS.issuperset(listed(Guest)) else _whole,
    )


def exported_guests(listed_guests: Iterable[Guest]) -> Iterator[Guest]:
    """The guests of a list or a search with every column of an export."""
    return exported(listed_guests, lambda guest: guest.username, guests_as_stored)


def guests_as_stored(usernames: Iterable[str]) -> dict[str, Guest]:
    """The guests who exist among these usernames, by username, read a hundred at a time."""
    pairs = ((keys.guest(username), keys.PROFILE) for username in usernames)
    return {guest.username: guest for guest in map(_guest, get_items(GuestModel, pairs))}


# --- Names beside orders --------------------------------------------------------------------------------


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


def _guest(values: Values) -> Guest:
    orders = {status: values.get(order_counter(status), 0) for status in Status}
    return build(Guest, values, orders=orders, terms=parsed(values.get("terms", "")))


def _found_guest(values: Values) -> Guest:
    return Guest(username=keys.WORDS.entity_id(values["sk"]), name=values["guest_name"], email=values["email"])


def _whole(found: Sequence[Guest]) -> list[Guest | None]:
    stored = guests_as_stored(guest.username for guest in found)
    return [stored.get(guest.username) for guest in found]
