"""Reads of guests and orders. Each access pattern is a function."""

from orders.queries.catalogue import catalogue, catalogue_entries, with_items
from orders.queries.guests import exported_guests, guest, guests, guests_as_stored, guests_found, has_guest
from orders.queries.names import forget_names, listed_orders, streamed_orders
from orders.queries.orders import (
    big_orders,
    guest_orders,
    guests_of,
    order,
    order_as_stored,
    orders,
    orders_as_stored,
    orders_before,
    orders_between,
    orders_by_number,
    orders_by_status,
    stored_order,
    unused_order_id,
)
from orders.queries.work_lists import hotel_orders, open_orders, unfinished_orders

__all__ = [
    "big_orders",
    "catalogue",
    "catalogue_entries",
    "exported_guests",
    "forget_names",
    "guest",
    "guest_orders",
    "guests",
    "guests_as_stored",
    "guests_found",
    "guests_of",
    "has_guest",
    "hotel_orders",
    "listed_orders",
    "open_orders",
    "order",
    "order_as_stored",
    "orders",
    "orders_as_stored",
    "orders_before",
    "orders_between",
    "orders_by_number",
    "orders_by_status",
    "stored_order",
    "streamed_orders",
    "unfinished_orders",
    "unused_order_id",
    "with_items",
]
