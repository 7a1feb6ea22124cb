"""Reads of guests and orders. Each access pattern is a function."""

from orders.lists.orders import order_as_stored, stored_order
from orders.queries.guests import guest, guests_as_stored, guests_found, known_guest, namesakes, typed_guest
from orders.queries.listed import listed_orders, streamed_orders
from orders.queries.numbers import guests_of, orders_by_end, orders_by_number, with_guest_names
from orders.queries.of_hotels import all_known, newest_of_room, orders_of_hotels, orders_of_room
from orders.queries.orders import (
    big_of_hotels,
    big_orders,
    guest_orders,
    hotel_orders,
    order,
    orders_as_stored,
    room_orders,
    unfinished_orders,
)
