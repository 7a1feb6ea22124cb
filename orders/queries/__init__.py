"""Reads of guests and orders. Each access pattern is a function."""

from orders.queries.guests import guest, guests, has_guest, usernames_stored
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
    orders_by_status,
)

__all__ = [
    "big_orders",
    "guest",
    "guest_orders",
    "guests",
    "guests_of",
    "has_guest",
    "open_orders",
    "order",
    "order_as_stored",
    "orders",
    "orders_as_stored",
    "orders_before",
    "orders_between",
    "orders_by_status",
    "usernames_stored",
]
