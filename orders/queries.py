"""Reads, one function for each access pattern; docs/access-patterns.md shows the request that each one sends.

Those that give a list give a :class:`~hotelapp.dynamodb.reading.Listing`, which a page or an export is read from.
"""

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from functools import partial

from hotelapp.dynamodb import ledger
from hotelapp.dynamodb.errors import NotFound, translated
from hotelapp.dynamodb.facets import PlannedRange
from hotelapp.dynamodb.keys import KeyRange
from hotelapp.dynamodb.merging import Merged, Part
from hotelapp.dynamodb.models import RawItem
from hotelapp.dynamodb.ranges import Ranges
from hotelapp.dynamodb.reading import Listing, together
from hotelapp.dynamodb.reads import fetcher, find_item, get_item, read_partition
from orders import keys, models
from orders.values import Guest, Item, Order, OrderQuery, Status, Step, may_become

DAY = date.resolution
INDEX_WAITS = (0.05, 0.1, 0.25)  # seconds; an index is mostly up to date within a few hundredths of one
GUEST_ATTRIBUTES = ("username", "name", "email", *(f"orders_{status.lower()}" for status in Status))
ORDER_ATTRIBUTES = ("PK", *models.SUMMARY, "history", "sku", "name", "quantity", "unit_price")


# --- Guests ---------------------------------------------------------------------------------------------


def guest(username: str, *, consistent: bool = False) -> Guest:
    """A1: a guest's profile, with the number of orders of each status. Raises :class:`NotFound`."""
    if not keys.is_username(username):
        raise NotFound("That is no guest's username.")
    with ledger.purpose("guest"):
        return _guest(find_item(models.Guest, keys.guest(username), keys.PROFILE, consistent=consistent))


def guests(start: str = "", *, descending: bool = False) -> Listing[Guest]:
    """A9: the guests whose username begins with a text, by username."""
    fetch = fetcher(models.Order, keys.PROFILE, _guest, attributes=GUEST_ATTRIBUTES, index=keys.BY_ORDER)
    return Ranges(
        query=repr(("guests", start, descending)),
        index=keys.BY_ORDER,
        descending=descending,
        ranges=[PlannedRange(keys.usernames(start), ())],
        fetch=fetch,
    )


# --- A guest's orders -----------------------------------------------------------------------------------


def orders(
    guest: Guest, first: date | None = None, before: date | None = None, *, descending: bool = True
) -> Listing[Order]:
    """A2: a guest's orders by the time at which they were placed; all, or those of some days."""
    total = None if first or before else guest.total_orders
    return _orders(guest, keys.BY_PLACED, keys.placed_on(first, before), descending, total)


def orders_by_status(guest: Guest, status: Status, *, descending: bool = True) -> Listing[Order]:
    """A4: a guest's orders in a status, by the time at which they entered it."""
    total = guest.orders.get(status, 0)
    return _orders(guest, keys.BY_STATUS_DATE, keys.entered_on(status, None, None), descending, total)


def orders_before(guest: Guest, status: Status, day: date, *, descending: bool = True) -> Listing[Order]:
    """A5: a guest's orders that entered their status before a day: "shipped before"."""
    return _orders(guest, keys.BY_STATUS_DATE, keys.entered_on(status, None, day), descending)


def orders_between(
    guest: Guest, status: Status, first: date, last: date | None, *, descending: bool = True
) -> Listing[Order]:
    """A6: a guest's orders that entered their status between two days, both included, or from the first one on."""
    before = last + DAY if last else None
    return _orders(guest, keys.BY_STATUS_DATE, keys.entered_on(status, first, before), descending)


def guest_orders(guest: Guest, query: OrderQuery) -> Listing[Order]:
    """A2, A4, A5 or A6: whichever a question takes."""
    if query.status is None:
        return orders(guest, query.first, query.before, descending=query.descending)
    if query.first:
        last = query.before - DAY if query.before else None
        return orders_between(guest, query.status, query.first, last, descending=query.descending)
    if query.before:
        return orders_before(guest, query.status, query.before, descending=query.descending)
    return orders_by_status(guest, query.status, descending=query.descending)


# --- Orders of everyone ---------------------------------------------------------------------------------


def order(order_id: str) -> Order:
    """A3: an order with its items and its history, in one Query. Raises :class:`NotFound`.

    Eventually consistent, as every read of a global index: :func:`order_after` waits for a write.
    """
    if not keys.is_order_id(order_id):
        raise NotFound("That is no order's id.")
    header: RawItem | None = None
    items = []
    with ledger.purpose("list"):
        for item in read_partition(models.Order, keys.order(order_id), ORDER_ATTRIBUTES, index=keys.BY_ORDER):
            if not keys.is_item(item["PK"]["S"]):
                header = item
            elif item["quantity"]["N"] != "0":  # that is what holds the place of an order without items
                items.append(_item(item))
    if header is None:
        raise NotFound(f"There is no order {order_id}.")
    return _order(header, tuple(items))


def order_after(order_id: str, status: Status) -> Order:
    """A3 for somebody who has just written: the order once it has got this status, or a later one.

    Raises :class:`NotFound` if there is none after half a second, and gives what there is if it is still behind.
    """
    for wait in INDEX_WAITS:
        try:
            found = order(order_id)
        except NotFound:
            time.sleep(wait)
            continue
        if not may_become(found.status, status):
            return found
        time.sleep(wait)
    return order(order_id)


def open_orders(*, descending: bool = True) -> Listing[Order]:
    """A7: all orders that are PLACED, by the time at which they were placed: eight shards, merged."""
    read = partial(fetcher, models.Order, make=_order, attributes=models.SUMMARY, index=keys.OPEN_ORDERS)
    return Merged(
        query=repr(("open", descending)),
        index=keys.OPEN_ORDERS,
        descending=descending,
        parts=[Part(read(partition=shard)) for shard in keys.shards()],
        span=keys.all_placed(),
    )


def big_orders(hotel_id: str, *, descending: bool = True) -> Listing[Order]:
    """A8: a hotel's orders of a thousand or more, by their total."""
    partition = keys.big_order_hotel(hotel_id)
    return Ranges(
        query=repr(("big", hotel_id, descending)),
        index=keys.BIG_ORDERS,
        descending=descending,
        ranges=[PlannedRange(keys.big_totals(), ())],
        fetch=fetcher(models.Order, partition, _order, attributes=models.SUMMARY, index=keys.BIG_ORDERS),
    )


# --- For writers ----------------------------------------------------------------------------------------


def order_as_stored(username: str, order_id: str) -> Order:
    """A guest's order with its items, from the table itself: every write that was acknowledged is in it.

    Raises :class:`NotFound`.
    """
    header = _order(get_item(models.Order, keys.guest(username), keys.order(order_id), consistent=True))
    places = [(keys.item(order_id, place + 1), keys.order(order_id)) for place in range(header.item_count)]
    with translated():
        found = {item.pk: item for item in models.OrderItem.batch_get(places, consistent_read=True)}
    items = (found[pk] for pk, _ in places)
    lines = tuple(Item(item.sku, item.name, int(item.quantity), item.unit_price) for item in items)
    return replace(header, items=lines)


def orders_as_stored(wanted: Iterable[tuple[str, str]]) -> dict[str, Order]:
    """The orders, by id and without their items, that exist among pairs of username and order id."""
    pairs = [(keys.guest(username), keys.order(order_id)) for username, order_id in wanted]
    with translated():
        found = [_order(item.to_dynamodb_dict()) for item in models.Order.batch_get(pairs, consistent_read=True)]
    return {order.order_id: order for order in found}


def usernames_stored(wanted: Iterable[str]) -> set[str]:
    """The usernames among these that have a profile."""
    pairs = [(keys.guest(username), keys.PROFILE) for username in wanted]
    with translated():
        return {guest.username for guest in models.Guest.batch_get(pairs, consistent_read=True)}


def guests_of(order_ids: Sequence[str]) -> dict[str, str]:
    """The username of the guest of each order that exists; a Query for each id, many at the same time."""
    return {order_id: name for order_id, name in together([partial(_guest_of, one) for one in order_ids]) if name}


def _guest_of(order_id: str) -> tuple[str, str]:
    fetch = fetcher(models.Order, keys.order(order_id), _username, attributes=("username",), index=keys.BY_ORDER)
    rows = fetch(keys.usernames(""), None, True, 1).rows
    return order_id, rows[0][1] if rows else ""


# --- From items to values -------------------------------------------------------------------------------


def _orders(guest: Guest, index: str, span: KeyRange, descending: bool, total: int | None = None) -> Listing[Order]:
    fetch = fetcher(models.Order, keys.guest(guest.username), _order, attributes=models.SUMMARY, index=index)
    return Ranges(
        query=repr((guest.username, index, span, descending)),
        index=index,
        descending=descending,
        total=total,
        ranges=[PlannedRange(span, ())],
        fetch=fetch,
    )


def _username(item: RawItem) -> str:
    return str(item["username"]["S"])


def _guest(item: RawItem) -> Guest:
    found = models.Guest.from_raw_data(item)
    return Guest(
        username=found.username,
        name=found.name,
        email=found.email,
        phone=found.phone,
        added_at=_time(found.added_at) if found.added_at else None,
        orders={status: int(item.get(f"orders_{status.lower()}", {"N": "0"})["N"]) for status in Status},
        revision=int(item.get("revision", {"N": "0"})["N"]),
    )


def _order(item: RawItem, items: tuple[Item, ...] = ()) -> Order:
    return Order(
        order_id=item["order_id"]["S"],
        username=item["username"]["S"],
        hotel_id=item["hotel_id"]["S"],
        status=Status(item["status"]["S"]),
        placed_at=_time(item["placed_at"]["S"]),
        status_at=_time(item["status_at"]["S"]),
        currency=item["currency"]["S"],
        total=Decimal(item["total"]["N"]),
        item_count=int(item["item_count"]["N"]),
        items=items,
        history=tuple(_step(entry["M"]) for entry in item.get("history", {"L": []})["L"]),
    )


def _step(entry: RawItem) -> Step:
    return Step(Status(entry["status"]["S"]), _time(entry["at"]["S"]), entry["by"]["S"])


def _item(item: RawItem) -> Item:
    return Item(item["sku"]["S"], item["name"]["S"], int(item["quantity"]["N"]), Decimal(item["unit_price"]["N"]))


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)
