"""The items of the table ``users-and-orders``. Its keys are ``PK`` and ``SK``; :class:`OrderModel` declares indexes."""

from decimal import Decimal
from functools import partial
from typing import Any, Self

from django.db import models
from pynamodb.attributes import UnicodeAttribute

from dynamodb_lists import (
    GIVEN,
    IntegerAttribute,
    ItemModel,
    KeyAttribute,
    RawItem,
    Values,
    WordModel,
    at_least,
    global_index,
    local_index,
    register,
    table_name,
)
from dynamodb_lists.schema import entities
from orders import keys
from orders.entities import CatalogueEntry, Guest, Order, OrderItem
from orders.statuses import UNFINISHED, Status
from portal.shards import Shards

TABLE = table_name("users-and-orders")
LISTED = [name for name in entities.listed(Order) if name not in {"order_id", "username"}]
"""What lists show of an order. Its id and its guest are in the table's key, which every index has.

Indexes project only these attributes, so they hold no copies of histories.
"""

LISTED_OF_HOTEL = [name for name in LISTED if name != "hotel_id"]
LISTED_OF_GUEST = [name for name in entities.listed(Order) if name != "guest_name"]
"""What the local indexes project. Who lists a guest's orders has read the guest."""

LISTED_OF_ROOM = [name for name in LISTED_OF_HOTEL if name not in {"room_number", "status", "revision"}]
"""What the index of a room's orders projects. Its partition names the hotel, the room and the status."""

GUESTS = global_index(
    keys.GUESTS,
    "guest_shard",
    "username",
    projected=[name for name in entities.listed(Guest) if name != "username"],
    words="all guests",
)
"""All guests by username, spread over partitions, without their counters."""

IS_UNFINISHED, IS_BIG = [{"status": {*UNFINISHED}}], [{"total": at_least(keys.BIG_TOTAL)}]
IS_WANTED = [{"status": {*UNFINISHED}, "wanted_at": GIVEN}]

_of_guest = partial(local_index, partition="PK", projected=LISTED_OF_GUEST)
_of_hotel = partial(global_index, partition="hotel_id", projected=LISTED_OF_HOTEL)
_of_all = partial(global_index, projected=["hotel_id"])
_unfinished = partial(global_index, sort="placed_id", projected=LISTED)


class OrdersItem(ItemModel):
    class Meta:
        table_name = TABLE

    pk = UnicodeAttribute(hash_key=True, attr_name="PK")
    sk = UnicodeAttribute(range_key=True, attr_name="SK")


class GuestModel(OrdersItem):
    """A guest's profile. It counts the orders in each status; every write of orders updates these counts."""

    kind = "guest"
    entity = Guest
    key_templates = "USER#{username}", "PROFILE"
    orders_placed = IntegerAttribute(default=0)
    orders_processing = IntegerAttribute(default=0)
    orders_shipped = IntegerAttribute(default=0)
    orders_delivered = IntegerAttribute(default=0)
    orders_cancelled = IntegerAttribute(default=0)
    guest_shard = KeyAttribute("GUEST#{username:of 4}")
    guests = GUESTS

    @classmethod
    def built(cls, values: Values, /, **others: Any) -> Any:
        orders = {status: values.get(order_counter(status), 0) for status in Status}
        return super().built(values, orders=orders, **others)


class GuestWordModel(OrdersItem, WordModel):
    kind = "guest-word"
    key_templates = "WORD#{initials}", "{text}#{id}"
    guest_name = UnicodeAttribute()
    email = UnicodeAttribute()
    note = UnicodeAttribute(null=True)

    @classmethod
    def of(cls, entity: Guest) -> list[Self]:
        note = {"note": entity.note} if entity.note else {}
        return cls.repeated(entity.username, entity.words, guest_name=entity.name, email=entity.email, **note)


def order_counter(status: Status) -> str:
    return f"orders_{status.lower()}"


@register
class OrderModel(OrdersItem):
    """An order without its items. The keys of sparse indexes are absent unless the order belongs in them."""

    kind = "order"
    entity = Order
    key_templates = "USER#{username}", "ORDER#{order_id}"
    time_shard = KeyAttribute("{shard}")
    order_placed_date = KeyAttribute("{placed_at:time}#{order_id}")
    order_status_date = KeyAttribute("{status}#{status_at:time}#{order_id}")
    status_shard = KeyAttribute("{status}#{shard}")
    placed_id = KeyAttribute("{placed_at:time}#{order_id}", when=IS_UNFINISHED)
    unfinished_hotel = KeyAttribute("{hotel_id}#{status}", when=IS_UNFINISHED)
    order_room = KeyAttribute("{hotel_id}#{room_number}#{status}", when=[{"room_number": GIVEN}])
    big_order_hotel = KeyAttribute("{hotel_id}", when=IS_BIG)
    big_order_total = KeyAttribute("{total}", number=True, when=IS_BIG)
    wanted_hotel = KeyAttribute("{hotel_id}", when=IS_WANTED)
    wanted_id = KeyAttribute("{wanted_at:time}#{order_id}", when=IS_WANTED)
    number_end = UnicodeAttribute(null=True)
    number_reversed = UnicodeAttribute(null=True)
    by_placed = _of_guest(keys.BY_PLACED, sort="order_placed_date", words="a guest's orders by time")
    by_status_date = _of_guest(
        keys.BY_STATUS_DATE, sort="order_status_date", words="a guest's orders by status and its time"
    )
    # The inverted index: whole orders and their lines by the order's id. Other items have no such attribute.
    whole_orders = global_index(keys.BY_ID, "order_id", "PK", words="an order with its items")
    unfinished = _unfinished(keys.UNFINISHED, "status_shard", words="unfinished orders")
    hotel_unfinished = _unfinished(keys.HOTEL_UNFINISHED, "unfinished_hotel", words="unfinished orders of a hotel")
    of_hotel = _of_hotel(keys.HOTEL_ORDERS, sort="order_placed_date", words="a hotel's orders by time")
    of_hotel_by_status = _of_hotel(
        keys.HOTEL_ORDERS_BY_STATUS, sort="order_status_date", words="a hotel's orders by status and its time"
    )
    of_room = global_index(
        keys.ROOM_ORDERS, "order_room", "order_placed_date", projected=LISTED_OF_ROOM, words="a room's orders by status"
    )
    # Whole items, because the indexes of a table may name 100 attributes; few orders are in it.
    wanted = global_index(
        keys.HOTEL_WANTED, "wanted_hotel", "wanted_id", words="a hotel's unfinished orders by the time wanted"
    )
    of_all = _of_all(keys.BY_TIME, "time_shard", "order_placed_date", words="all orders by time")
    of_all_by_status = _of_all(
        keys.BY_STATUS, "status_shard", "order_status_date", words="all orders by status and its time"
    )
    guests = GUESTS
    big_orders = global_index(
        keys.HOTEL_BIG_ORDERS,
        "big_order_hotel",
        "big_order_total",
        projected=LISTED,
        numeric=True,
        words="a hotel's big orders by total",
    )
    by_end = global_index(
        keys.BY_END,
        "number_end",
        "number_reversed",
        projected=["username", "hotel_id"],
        words="the end of a number: `XT`, `XTQ9M3K7`",
    )


NO_ITEM = OrderItem("", "", 0, Decimal(0))
"""The placeholder for the first line of an order without lines. It marks the order's id as used."""


class OrderItemModel(OrdersItem):
    """A line of an order. A line of quantity 0 takes the place of the first one in an order without items.

    The first line names the guest and the hotel, so that the key of an order's id alone tells whose order it is.
    """

    kind = "order-item"
    entity = OrderItem
    key_templates = "ORDER#{order_id}#ITEM#{number:3}", "ORDER#{order_id}"
    order_id = UnicodeAttribute()
    number_end = UnicodeAttribute(null=True)
    number_reversed = UnicodeAttribute(null=True)
    username = UnicodeAttribute(null=True)
    hotel_id = UnicodeAttribute(null=True)

    @classmethod
    def place_in(cls, item: RawItem) -> tuple[str, int]:
        """Return the order's id and the number of the line."""
        values = cls.values_in(cls.key_of(item)[0])
        return values["order_id"], values["number"]

    @classmethod
    def of(cls, order: Order) -> list[Self]:
        """Return the lines of an order. The first one has the keys by which the end of the order's number finds it."""
        lines = enumerate(order.items or [NO_ITEM], start=1)
        return [cls.line(line, order.order_id, number, order.username, order.hotel_id) for number, line in lines]

    @classmethod
    def line(cls, line: OrderItem, order_id: str, number: int, *owner: str) -> Self:
        """Return a line of an order. The first one also names the ``owner``: the guest and the hotel."""
        ends = zip(("number_end", "number_reversed"), keys.number_end(order_id) or (), strict=False)
        named = dict[str, Any]([*zip(("username", "hotel_id"), owner, strict=False), *ends])
        return cls.item(line, order_id=order_id, number=number, **(named if number == 1 else {}))


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
    key_templates = "CATALOGUE#{hotel_id}", "SKU#{sku:quoted}"


class OrderShardsModel(OrdersItem):
    """The item with the number of shards of each status of unfinished orders. Without the item, there is one shard."""

    kind = "order-shards"
    entity = Shards
    key_templates = "SETTINGS", "SHARDS"
