"""Writes of guests and orders, one function for each event. Each is one transaction, or the write of one item.

A write that changes an order's status also moves it in the counts of its guest's profile, in the same transaction.
"""

from orders.commands.guests import (
    add_missing_guests,
    edit_guest,
    erase_guest,
    erasure_is_incomplete,
    finish_erasure,
)
from orders.commands.orders import (
    GuestErased,
    MovedOn,
    StepNotAllowed,
    WrongCurrency,
    correct_order,
    note_order,
    place_order,
    planned_orders,
    save_orders,
    take_step,
)
from orders.lists.catalogue import collect_items, join_catalogue
from orders.lists.orders import AlreadyPlaced
