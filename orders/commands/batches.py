"""Writes of many orders, from files."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hotelapp.dynamodb.schema.entities import same
from hotelapp.dynamodb.schema.keys import time_part
from hotelapp.dynamodb.writing.changes import Change
from hotelapp.history.entities import IMPORT
from orders import queries
from orders.commands.catalogue import collect_items
from orders.commands.changes import OrderWriter
from orders.commands.guests import add_missing_guests
from orders.entities import Guest, Order
from orders.statuses import compatible, may_become


def save_orders(orders: Sequence[Order]) -> tuple[int, Mapping[str, str]]:
    """Store orders with the status that the file gives them; returns how many were written, and the refusals by id.

    A stored order only moves on to a later status, so repeating a batch writes nothing. An order is refused, with the
    reason, if it is stored with another guest, hotel or total, or with a status that cannot precede or follow the new
    one. Each id may occur once. Guests without a profile get one first, with the username as name. The items join the
    catalogues of their hotels.
    """
    refused: dict[str, str] = {}

    def changes() -> list[Change[Order]]:
        refused.clear()
        found = _changes(orders, refused)
        usernames = dict.fromkeys(change.entity.username for change in found if change.before is None)
        add_missing_guests([Guest(username, username) for username in usernames])
        return found

    written = OrderWriter(IMPORT).save(changes)
    collect_items(order for order in orders if order.order_id not in refused)
    return written, refused


def _changes(orders: Sequence[Order], refused: dict[str, str]) -> list[Change[Order]]:
    stored = queries.orders_as_stored((order.username, order.order_id) for order in orders)
    owners = queries.guests_of([order.order_id for order in orders if order.order_id not in stored])
    changes = []
    for order in orders:
        before = stored.get(order.order_id)
        if reason := _objection(order, before, owners.get(order.order_id)):
            refused[order.order_id] = reason
        elif before is None:
            changes.append(Change(None, order))
        elif may_become(before.status, order.status):
            changes.append(Change(before, _moved_on(before, order)))
    return changes


def _objection(order: Order, stored: Order | None, owner: str | None) -> str:
    """The reason why an order from a file cannot be stored; blank if it can be, or already is."""
    if owner not in (None, order.username):  # if this guest's order was stored meanwhile, the next attempt sees it
        return f"order_id: {order.order_id} is an order of {owner}"
    if stored is None:
        return ""
    if not same(replace(stored, items=order.items), order) or stored.placed_at != order.placed_at:
        return "it is stored with another hotel, time, currency, total or number of items"
    if not compatible(stored.status, order.status):
        return f"status: it is stored as {stored.status}, which can neither precede nor follow {order.status}"
    if may_become(stored.status, order.status) and order.status_at < stored.status_at:
        return f"status_at: this is before the order became {stored.status}, at {time_part(stored.status_at)}"
    return ""


def _moved_on(stored: Order, order: Order) -> Order:
    history = (*stored.history, order.history[-1])
    return replace(stored, status=order.status, status_at=order.status_at, history=history)
