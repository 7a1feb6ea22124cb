"""Reads of guests and orders. Each access pattern is a function."""

from orders.lists.orders import order_as_stored, stored_order
from orders.queries.guests import guest, guests_as_stored, guests_found, known_guest, namesakes, typed_guest
from orders.queries.numbers import guests_of, orders_by_end, orders_by_number
from orders.queries.orders import (
    big_of_hotels,
    big_orders,
    guest_orders,
    newest_of_room,
    order,
    orders_as_stored,
    orders_in,
    orders_of_hotels,
    orders_of_room,
    placed,
    sort_of,
)
