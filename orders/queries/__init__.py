"""Reads of guests and orders. Each access pattern is a function."""

from orders.queries.catalogue import CATALOGUE, catalogue_entries
from orders.queries.guests import GUESTS, guest, guests_as_stored, guests_found, known_guest, namesakes, typed_guest
from orders.queries.listed import listed_orders, streamed_orders
from orders.queries.numbers import guests_of, orders_by_end, orders_by_number, stored_order, with_guest_names
from orders.queries.of_hotels import all_known, newest_of_room, orders_of_hotels, orders_of_room
from orders.queries.orders import (
    SHARDS,
    big_of_hotels,
    big_orders,
    guest_orders,
    hotel_orders,
    order,
    order_as_stored,
    orders_as_stored,
    orders_to_erase,
    room_orders,
    unfinished_orders,
)
