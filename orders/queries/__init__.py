"""Reads of guests and orders. Each access pattern is a function."""

from orders.queries.catalogue import catalogue, catalogue_entries, with_items
from orders.queries.guests import (
    exported_guests,
    forget_names,
    guest,
    guests,
    guests_as_stored,
    guests_found,
    has_guest,
    listed_orders,
    streamed_orders,
)
from orders.queries.orders import (
    big_orders,
    guest_orders,
    guests_of,
    hotel_orders,
    open_orders,
    order,
    order_as_stored,
    orders_as_stored,
    orders_by_number,
    stored_order,
    unfinished_orders,
    unused_order_id,
)
