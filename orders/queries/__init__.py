"""Reads of guests and orders. Each access pattern is a function."""

from orders.queries.guests import guest, guests, guests_found, usernames_stored
from orders.queries.orders import (
    big_orders,
    guest_orders,
    guests_of,
    open_orders,
    order,
    order_as_stored,
    orders,
    orders_as_stored,
    orders_before,
    orders_between,
    orders_by_number,
    orders_by_status,
    unused_order_id,
)

__all__ = [
    "big_orders",
    "guest",
    "guest_orders",
    "guests",
    "guests_found",
    "guests_of",
    "open_orders",
    "order",
    "order_as_stored",
    "orders",
    "orders_as_stored",
    "orders_before",
    "orders_between",
    "orders_by_number",
    "orders_by_status",
    "unused_order_id",
    "usernames_stored",
]
