"""Reads of guests, one function for each access pattern; docs/access-patterns.md shows the request of each one."""

from collections.abc import Iterable
from functools import partial

from hotelapp.dynamodb.connection import ledger
from hotelapp.dynamodb.connection.errors import NotFound
from hotelapp.dynamodb.planning.request_cost import items_paid
from hotelapp.dynamodb.reading.fetching import fetcher
from hotelapp.dynamodb.reading.items import find_item, get_items
from hotelapp.dynamodb.reading.lists import Listing
from hotelapp.dynamodb.reading.merging import Merged, Part
from hotelapp.dynamodb.schema.entities import build, listed
from hotelapp.dynamodb.schema.models import Values
from orders import keys
from orders.entities import Guest
from orders.models import GuestModel, order_counter
from orders.statuses import Status


def guest(username: str, *, consistent: bool = False) -> Guest:
    """A1: a guest's profile, with the number of orders of each status. Raises :class:`NotFound`."""
    if not keys.is_username(username):
        raise NotFound("That is not a guest's username.")
    with ledger.purpose("guest"):
        return _guest(find_item(GuestModel, keys.guest(username), keys.PROFILE, consistent=consistent))


def guests(start: str = "", *, descending: bool = False) -> Listing[Guest]:
    """A9: the guests whose username begins with a text, by username: four shards, merged."""
    read = partial(fetcher, GuestModel, build=partial(build, Guest), attributes=listed(Guest), index=keys.GUESTS)
    return Merged(
        name="guests",
        selected=repr((start, descending)),
        index=keys.GUESTS,
        descending=descending,
        parts=[Part(read(partition=shard)) for shard in keys.guest_shards()],
        span=keys.usernames(start),
        minimum=items_paid(keys.GUEST_BYTES),
    )


def has_guest(username: str) -> bool:
    """Whether there is a guest of this username."""
    try:
        guest(username)
    except NotFound:
        return False
    return True


def usernames_stored(wanted: Iterable[str]) -> set[str]:
    """The usernames among these whose guest has a profile."""
    pairs = ((keys.guest(username), keys.PROFILE) for username in wanted)
    return {values["username"] for values in get_items(GuestModel, pairs)}


def _guest(values: Values) -> Guest:
    return build(Guest, values, orders={status: values.get(order_counter(status), 0) for status in Status})
