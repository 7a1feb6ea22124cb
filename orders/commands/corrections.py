"""The correction of an order that is only placed: other items, another room."""

from collections.abc import Sequence
from dataclasses import replace

from dynamodb_lists.connection.errors import ChangedMeanwhile, Conflict, UnknownValue
from dynamodb_lists.writing.changes import Change
from orders.commands.catalogue import join_catalogue
from orders.commands.orders import MovedOn
from orders.commands.writer import OrderWriter, unknown_rooms
from orders.entities import Order, OrderItem
from orders.statuses import OPEN
from portal.history.entities import Actor


def correct_order(order: Order, items: Sequence[OrderItem], by: str, room_number: str | None = None) -> Order:
    """Replace the items of an order that its editor saw, and its room; returns the order as it is then.

    Raises :class:`MovedOn` if the order is not placed any more,
    :class:`~dynamodb_lists.connection.errors.UnknownValue` for another room that the hotel does not have, and
    :class:`~dynamodb_lists.connection.errors.ChangedMeanwhile` if somebody else has corrected it first.
    """
    if order.status != OPEN:
        raise MovedOn(order, by)
    room_number = order.room_number if room_number is None else room_number
    corrected = replace(order.with_items(items), room_number=room_number, revision=order.revision + 1)
    if room_number != order.room_number and unknown_rooms([corrected]):
        raise UnknownValue("room_number", room_number)
    writer = OrderWriter(Actor(by))
    try:
        writer.commit([Change(order, corrected)])
    except Conflict as error:
        stored = writer.stored(error)
        if stored and stored.status != OPEN:
            raise MovedOn(stored, by) from error
        raise ChangedMeanwhile from error
    join_catalogue(corrected, order)
    return corrected
