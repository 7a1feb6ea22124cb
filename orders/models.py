"""The items of the table ``users-and-orders``. Its keys are ``PK`` and ``SK``; :class:`OrderModel` declares indexes."""

from collections.abc import Sequence
from typing import Any

from django.db import models
from pynamodb.attributes import UnicodeAttribute

from dynamodb_lists.connection.errors import NotFound
from dynamodb_lists.reading.items import get_item
from dynamodb_lists.schema.attributes import DecimalAttribute, IntegerAttribute
from dynamodb_lists.schema.entities import build, listed, stored_fields
from dynamodb_lists.schema.indexes import global_index, local_index
from dynamodb_lists.schema.models import PortalModel, RawItem
from dynamodb_lists.schema.tables import register, table_name
from dynamodb_lists.schema.word_items import WordModel, with_terms
from dynamodb_lists.schema.words import parsed
from orders import keys
from orders.entities import CatalogueEntry, Guest, Order, OrderItem, OrderShards
from orders.statuses import UNFINISHED, Status

TABLE = table_name("users-and-orders")
LISTED = [name for name in listed(Order) if name not in {"order_id", "username"}]
"""What lists show of an order. Its id and its guest are in the table's key, which every index has.

Indexes project only these attributes, so they hold no copies of histories.
"""

LISTED_OF_HOTEL = [name for name in LISTED if name != "hotel_id"]
LISTED_OF_GUEST = [name for name in listed(Order) if name != "guest_name"]
"""What the local indexes project. Who lists a guest's orders has read the guest."""

WHOLE_ORDER = list(dict.fromkeys(field.name for entity in (Order, OrderItem) for field in stored_fields(entity)))
GUESTS = global_index(
    keys.GUESTS, "guest_shard", "username", projected=[name for name in listed(Guest) if name != "username"]
)
"""All guests by username, spread over partitions, without their counters."""


def with_guest_shard(profile: RawItem) -> RawItem:
    """A guest's profile with its partition in the list of guests, which profiles without a version do not have."""
    return {**profile, "guest_shard": {"S": keys.guest_shard(profile["username"]["S"])}}


UNFINISHED_KEYS = ("status_shard", "placed_id", "unfinished_hotel")
BIG_ORDER_KEYS = ("big_order_hotel", "big_order_total")

WHOLE_ORDERS = global_index(
    keys.BY_ID, "order_id", "PK", projected=[name for name in WHOLE_ORDER if name != "order_id"]
)
"""The inverted index: orders and their lines by the order's id. Other items have no such attribute."""


def unfinished_keys(hotel_id: str, status: str, placed_id: str, shard: int = 0) -> dict[str, str]:
    """The :data:`UNFINISHED_KEYS` of an order; none in its last status. A step does not change ``placed_id``."""
    if status not in UNFINISHED:
        return {}
    values = (keys.status_shard(status, shard), placed_id, keys.unfinished_hotel(hotel_id, status))
    return dict(zip(UNFINISHED_KEYS, values, strict=True))


def with_guest_name(order: RawItem) -> RawItem:
    """An order with its guest's name of today, and with the keys of the indexes of unfinished orders.

    Earlier versions had other keys, and no name. An erasure meanwhile names the order itself, so that this step is
    refused: no name comes back.
    """
    earlier = {*UNFINISHED_KEYS, "placed_shard", "unfinished_shard"}
    others = {name: value for name, value in order.items() if name not in earlier}
    try:
        name = get_item(GuestModel, order["PK"]["S"], keys.PROFILE, consistent=True)["name"]
    except NotFound:
        name = order["username"]["S"]
    facts = (order[fact]["S"] for fact in ("hotel_id", "status", "order_placed_date"))
    new = {"guest_name": name, **unfinished_keys(*facts)}
    return {**others, **{fact: {"S": value} for fact, value in new.items()}}


def number_keys(order_id: str) -> dict[str, Any]:
    """The keys of the index of orders by the ends of their numbers. The first line of an order has them."""
    return dict(zip(("number_end", "number_reversed"), keys.number_end(order_id) or (), strict=False))


def with_number_end(line: RawItem) -> RawItem:
    """The first line of an order with the keys by which the end of its number finds it; other lines as they are."""
    order_id, number = keys.parse_item(line["PK"]["S"])
    found = number_keys(order_id) if number == 1 else {}
    return {**line, **{name: {"S": value} for name, value in found.items()}}


def with_order_id(line: RawItem) -> RawItem:
    return {**line, "order_id": {"S": keys.parse_item(line["PK"]["S"])[0]}}


class OrdersItem(PortalModel):
    class Meta:
        table_name = TABLE

    pk = UnicodeAttribute(hash_key=True, attr_name="PK")
    sk = UnicodeAttribute(range_key=True, attr_name="SK")


class GuestModel(OrdersItem):
    """A guest's profile. It counts the orders in each status; every write of orders updates these counts.

    ``terms`` are those of the guest's word items. Edits delete the items of terms that were stored, and never compose
    the key of a stored word item from a name again: the rules for words may have changed since.
    """

    kind = "guest"
    version = 4
    entity = Guest
    upgrades = {0: with_guest_shard, **dict.fromkeys((1, 2, 3), lambda profile: with_terms(GuestModel, profile))}
    orders_placed = IntegerAttribute(default=0)
    orders_processing = IntegerAttribute(default=0)
    orders_shipped = IntegerAttribute(default=0)
    orders_delivered = IntegerAttribute(default=0)
    orders_cancelled = IntegerAttribute(default=0)
    guest_shard = UnicodeAttribute()
    terms = UnicodeAttribute(null=True)
    guests = GUESTS

    @classmethod
    def owns(cls, partition: str, sort_key: str) -> bool:
        return sort_key == keys.PROFILE

    @classmethod
    def entity_of(cls, item: RawItem, **others: Any) -> Any:
        values = cls.decoded(item)
        orders = {status: values.get(order_counter(status), 0) for status in Status}
        return super().entity_of(item, orders=orders, terms=parsed(values.get("terms", "")), **others)

    @classmethod
    def beside(cls, before: RawItem, after: RawItem) -> Sequence[PortalModel]:
        return () if before.get("terms") == after["terms"] else word_items(build(Guest, cls.decoded(after)))

    @classmethod
    def surplus(cls, before: RawItem, after: RawItem) -> Sequence[PortalModel]:
        gone, username = cls.entity_of(before).terms - cls.entity_of(after).terms, after["username"]["S"]
        return [GuestWordModel(*keys.WORDS.key(username, term)) for term in sorted(gone)]


class GuestWordModel(OrdersItem, WordModel):
    kind = "guest-word"
    word_keys = keys.WORDS
    guest_name = UnicodeAttribute()
    email = UnicodeAttribute()


def word_items(guest: Guest) -> list[GuestWordModel]:
    return GuestWordModel.of(guest.username, guest.words, guest_name=guest.name, email=guest.email)


def order_counter(status: Status) -> str:
    return f"orders_{status.lower()}"


@register
class OrderModel(OrdersItem):
    """An order without its items. The keys of sparse indexes are absent unless the order belongs in them."""

    kind = "order"
    version = 3
    entity = Order
    upgrades = dict.fromkeys((1, 2), with_guest_name)
    order_placed_date = UnicodeAttribute()
    order_status_date = UnicodeAttribute()
    status_shard = UnicodeAttribute(null=True)
    placed_id = UnicodeAttribute(null=True)
    unfinished_hotel = UnicodeAttribute(null=True)
    big_order_hotel = UnicodeAttribute(null=True)
    big_order_total = DecimalAttribute(null=True)
    number_end = UnicodeAttribute(null=True)
    number_reversed = UnicodeAttribute(null=True)
    by_placed = local_index(keys.BY_PLACED, "PK", "order_placed_date", projected=LISTED_OF_GUEST)
    by_status_date = local_index(keys.BY_STATUS_DATE, "PK", "order_status_date", projected=LISTED_OF_GUEST)
    whole_orders = WHOLE_ORDERS
    unfinished = global_index(keys.UNFINISHED, "status_shard", "placed_id", projected=LISTED)
    hotel_unfinished = global_index(keys.HOTEL_UNFINISHED, "unfinished_hotel", "placed_id", projected=LISTED)
    of_hotel = global_index(keys.HOTEL_ORDERS, "hotel_id", "order_placed_date", projected=LISTED_OF_HOTEL)
    of_hotel_by_status = global_index(
        keys.HOTEL_ORDERS_BY_STATUS, "hotel_id", "order_status_date", projected=LISTED_OF_HOTEL
    )
    guests = GUESTS
    big_orders = global_index(
        keys.HOTEL_BIG_ORDERS, "big_order_hotel", "big_order_total", projected=LISTED, numeric=True
    )

    by_end = global_index(keys.BY_END, "number_end", "number_reversed", projected=["username", "hotel_id"])

    @classmethod
    def owns(cls, partition: str, sort_key: str) -> bool:
        others = (keys.is_order, keys.is_catalogue, keys.WORDS.holds)
        return keys.is_order(sort_key) and not any(holds(partition) for holds in others)


class OrderItemModel(OrdersItem):
    """A line of an order. A line of quantity 0 takes the place of the first one in an order without items.

    The first line names the guest and the hotel, so that the key of an order's id alone tells whose order it is. Lines
    that older releases wrote have no ``username`` or no ``hotel_id``.
    """

    kind = "order-item"
    version = 3
    entity = OrderItem
    upgrades = {1: with_order_id, 2: with_number_end}
    order_id = UnicodeAttribute()
    number_end = UnicodeAttribute(null=True)
    number_reversed = UnicodeAttribute(null=True)
    username = UnicodeAttribute(null=True)
    hotel_id = UnicodeAttribute(null=True)

    @classmethod
    def owns(cls, partition: str, sort_key: str) -> bool:
        return keys.is_order(partition)


class OrderPermissions(models.Model):
    class Meta:
        managed = False
        default_permissions = ()
        permissions = [
            *((f"{action}_guest", f"Can {action} guest") for action in ("view", "add", "change", "erase")),
            ("view_order", "Can view order"),
            ("add_order", "Can place an order"),
            ("move_order", "Can move an order on"),
            ("cancel_order", "Can cancel an order"),
        ]


class CatalogueEntryModel(OrdersItem):
    """An item that a hotel has sold. It is written beside orders, not in their transactions."""

    kind = "catalogue-entry"
    entity = CatalogueEntry

    @classmethod
    def owns(cls, partition: str, sort_key: str) -> bool:
        return keys.is_catalogue(partition)

    @classmethod
    def entity_of(cls, item: RawItem, **others: Any) -> Any:
        return super().entity_of(item, hotel_id=keys.owner(item["PK"]["S"]), **others)


class OrderShardsModel(OrdersItem):
    """The item that says how many shards each status of unfinished orders has. Without it, there is one."""

    kind = "order-shards"
    entity = OrderShards

    @classmethod
    def owns(cls, partition: str, sort_key: str) -> bool:
        return partition == keys.SETTINGS
