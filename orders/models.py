"""The items of the table ``users-and-orders``. All three kinds share it; :class:`Order` declares keys and indexes.

DynamoDB's names of the keys are in capitals, ``PK`` and ``SK``, as the table has them.
"""

from typing import Any

from pynamodb.attributes import ListAttribute, MapAttribute, NumberAttribute, UnicodeAttribute
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex, IncludeProjection, LocalSecondaryIndex

from hotelapp.dynamodb.models import DecimalAttribute, PortalModel
from hotelapp.dynamodb.tables import register, table_name
from orders import keys

TABLE = table_name("users-and-orders")
SUMMARY = [
    "order_id",
    "username",
    "hotel_id",
    "status",
    "placed_at",
    "status_at",
    "currency",
    "total",
    "item_count",
]
"""What lists show of an order. Their indexes hold just this, so that histories are not stored five times."""


class Guest(PortalModel):
    """A guest's profile. The five counts say how many orders of each status there are; orders' writes keep them."""

    class Meta:
        table_name = TABLE

    pk = UnicodeAttribute(hash_key=True, attr_name="PK")
    sk = UnicodeAttribute(range_key=True, attr_name="SK")
    username = UnicodeAttribute()
    name = UnicodeAttribute()
    email = UnicodeAttribute(default="")
    phone = UnicodeAttribute(default="")
    added_at = UnicodeAttribute()
    revision = NumberAttribute(default=1)
    orders_placed = NumberAttribute(default=0)
    orders_processing = NumberAttribute(default=0)
    orders_shipped = NumberAttribute(default=0)
    orders_delivered = NumberAttribute(default=0)
    orders_cancelled = NumberAttribute(default=0)

    @classmethod
    def orders(cls, status: str) -> NumberAttribute:
        """The attribute that counts the orders of a status."""
        counter: NumberAttribute = getattr(cls, f"orders_{status.lower()}")
        return counter


class Step(MapAttribute[str, Any]):
    """An entry of an order's history."""

    status = UnicodeAttribute()
    at = UnicodeAttribute()
    by = UnicodeAttribute()


class ByOrder(GlobalSecondaryIndex[Any]):
    """The table turned round: an order with its items, and all guests in one partition."""

    class Meta:
        index_name = keys.BY_ORDER
        projection = AllProjection()

    sk = UnicodeAttribute(hash_key=True, attr_name="SK")
    pk = UnicodeAttribute(range_key=True, attr_name="PK")


class ByPlaced(LocalSecondaryIndex[Any]):
    """A guest's orders by the time at which they were placed."""

    class Meta:
        index_name = keys.BY_PLACED
        projection = IncludeProjection(SUMMARY)

    pk = UnicodeAttribute(hash_key=True, attr_name="PK")
    order_placed_date = UnicodeAttribute(range_key=True)


class ByStatusDate(LocalSecondaryIndex[Any]):
    """A guest's orders by status, and in each by the time at which they entered it."""

    class Meta:
        index_name = keys.BY_STATUS_DATE
        projection = IncludeProjection(SUMMARY)

    pk = UnicodeAttribute(hash_key=True, attr_name="PK")
    order_status_date = UnicodeAttribute(range_key=True)


class OpenOrders(GlobalSecondaryIndex[Any]):
    """Sparse: only orders that are PLACED have its keys."""

    class Meta:
        index_name = keys.OPEN_ORDERS
        projection = IncludeProjection(SUMMARY)

    placed_shard = UnicodeAttribute(hash_key=True)
    placed_id = UnicodeAttribute(range_key=True)


class BigOrders(GlobalSecondaryIndex[Any]):
    """Sparse: only orders of a thousand or more have its keys."""

    class Meta:
        index_name = keys.BIG_ORDERS
        projection = IncludeProjection(SUMMARY)

    big_order_hotel = UnicodeAttribute(hash_key=True)
    big_order_total = DecimalAttribute(range_key=True)


@register
class Order(PortalModel):
    """An order without its items. Times are UTC, ISO 8601; the total in major units of ``currency``."""

    class Meta:
        table_name = TABLE

    pk = UnicodeAttribute(hash_key=True, attr_name="PK")
    sk = UnicodeAttribute(range_key=True, attr_name="SK")
    order_id = UnicodeAttribute()
    username = UnicodeAttribute()
    hotel_id = UnicodeAttribute()
    status = UnicodeAttribute()
    placed_at = UnicodeAttribute()
    status_at = UnicodeAttribute()
    currency = UnicodeAttribute()
    total = DecimalAttribute()
    item_count = NumberAttribute()
    history = ListAttribute(of=Step)
    order_placed_date = UnicodeAttribute()
    order_status_date = UnicodeAttribute()
    placed_shard = UnicodeAttribute(null=True)
    placed_id = UnicodeAttribute(null=True)
    big_order_hotel = UnicodeAttribute(null=True)
    big_order_total = DecimalAttribute(null=True)
    by_order = ByOrder()
    by_placed = ByPlaced()
    by_status_date = ByStatusDate()
    open_orders = OpenOrders()
    big_orders = BigOrders()


class OrderItem(PortalModel):
    """A line of an order; the price in major units of the order's currency."""

    class Meta:
        table_name = TABLE

    pk = UnicodeAttribute(hash_key=True, attr_name="PK")
    sk = UnicodeAttribute(range_key=True, attr_name="SK")
    sku = UnicodeAttribute()
    name = UnicodeAttribute()
    quantity = NumberAttribute()
    unit_price = DecimalAttribute()
