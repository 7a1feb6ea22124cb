"""The life of an order: it is placed or comes from a file, may be corrected, and moves on step by step."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from dynamodb_lists.connection.errors import ChangedMeanwhile, Conflict, NotFound, UnknownValue
from dynamodb_lists.reading.items import refusing
from dynamodb_lists.schema.entities import differences, same, with_optional
from dynamodb_lists.schema.keys import now, time_part
from dynamodb_lists.writing.changes import OPEN_GATE, Change, Gate
from hotels import queries as hotels
from hotels.entities import Hotel
from orders import queries
from orders.commands.catalogue import collect_items, join_catalogue
from orders.commands.guests import guest_names
from orders.commands.writer import OrderWriter, unknown_rooms
from orders.entities import ERASED_NAME, Guest, HistoryStep, Order
from orders.models import GuestModel
from orders.statuses import OPEN, STEPS, Status, compatible, may_become, no_step
from portal.history.entities import IMPORT, Actor
from portal.people import ByAuthor

T = TypeVar("T")


class AlreadyPlaced(Conflict):
    """The id is in use by ``order``: the form was sent before, with other content. Another hotel's is not named."""

    def __init__(self, order: Order | None, hotel_id: str) -> None:
        known = order.order_id if order and order.hotel_id == hotel_id else ""
        which = f"order {known}" if known else "an order of another guest or hotel"
        super().__init__(f"This form has already placed {which}. Send it again to place another order.")


class WrongCurrency(Conflict):
    """The order is not in the currency of its hotel."""


class GuestErased(Conflict):
    """The personal data of the order's guest was erased."""


class StepNotAllowed(Conflict):
    """An order cannot take this step."""


class MovedOn(ByAuthor):
    """Somebody else took a step first. ``order`` is the order now; the message says who took the step."""

    def __init__(self, order: Order, by: str) -> None:
        last = order.history[-1]
        who, first = ("You have changed it before", "") if last.by == by else ("{} was first", last.by)
        super().__init__(f"{who}: the order is now {last.status.words.lower()}.", first)
        self.order = order


def place_order(order: Order, by: str) -> Order:
    """Place an order with its items. If the same order was already placed, return the stored one.

    A second click on the button is another transaction. It fails, because the order's id is in use, and returns the
    first order.
    Raises :class:`~dynamodb_lists.connection.errors.UnknownValue` for an unknown guest, hotel or room,
    :class:`WrongCurrency`, :class:`GuestErased`, and :class:`AlreadyPlaced` if the id belongs to another order.
    """
    hotel = _known(hotels.hotel, "hotel_id", order.hotel_id)
    guest = _known(partial(queries.guest, consistent=True), "username", order.username)
    for _, error in _objections(order, hotel, guest, unknown_rooms([order])):
        raise error
    name, at = guest.name, now()
    history = (HistoryStep(OPEN, at, by),)
    placed = replace(order, guest_name=name, status=OPEN, placed_at=at, status_at=at, history=history)
    placed = placed.placed_in(hotel.time_zone)
    writer = OrderWriter(Actor(by))
    try:
        writer.commit([Change(None, placed)])
    except Conflict as error:
        stored = writer.stored(error)
        if stored is None and any(refusing(GuestModel, error)):  # the guest was renamed meanwhile
            return place_order(order, by)
        if stored is None or not same(stored, placed):
            raise AlreadyPlaced(stored, order.hotel_id) from error
        placed = stored
    join_catalogue(placed)
    return placed


def take_step(order: Order, to: Status, by: str) -> Order:
    """Move an order on from the status that its reader saw.

    If the same person has already taken this step, return the stored order. Raises :class:`StepNotAllowed`, and
    :class:`MovedOn` if somebody else took a step first.
    """
    if to not in STEPS[order.status]:
        raise StepNotAllowed(no_step(order.status, to))
    if not order.history:  # lists leave it out, but it has the order's day in its hotel's zone
        as_stored = queries.order_as_stored(order.username, order.order_id)
        order = as_stored if as_stored.revision == order.revision else order
    at = max(now(), order.status_at)
    moved = order.with_step(HistoryStep(to, at, by))
    writer = OrderWriter(Actor(by))
    try:
        writer.commit([Change(order, moved)])
    except Conflict as error:
        stored = writer.stored(error)
        steps = len(stored.history) - len(order.history) if stored else 0
        if stored is None or stored.revision != order.revision + steps:  # the lines were corrected since
            stored = queries.order_as_stored(order.username, order.order_id)
        else:
            stored = replace(stored, items=order.items)
        if stored.history == order.history and stored.revision != order.revision:
            return take_step(replace(stored, status=order.status), to, by)
        if (stored.history[-1].status, stored.history[-1].by) == (to, by):
            return stored
        raise MovedOn(stored, by) from error
    return moved


def note_order(before: Order, after: Order, by: str) -> Order:
    """Set the note of an order that its editor saw as ``before``, whatever its status.

    Raises ``ChangedMeanwhile``, and :class:`GuestErased`: a note says something of the guest.
    """
    if before.guest_name == ERASED_NAME:
        raise GuestErased("The guest of this order was erased, so the order takes no note. Nothing was saved.")
    noted = replace(before, note=after.note, revision=before.revision + 1)
    try:
        OrderWriter(Actor(by)).commit([Change(before, noted)])
    except Conflict as error:
        raise ChangedMeanwhile from error
    return noted


def save_orders(
    orders: Sequence[Order], actor: Actor = IMPORT, gate: Gate = OPEN_GATE
) -> tuple[int, Mapping[str, str]]:
    """Store orders with the status that the file gives them; returns how many were written, and the refusals by id.

    A stored order only moves on to a later status, so repeating a batch writes nothing. An order is refused, with the
    reason, if it is stored with another guest, hotel or total, or with a status that cannot precede or follow the new
    one. Each id may occur once. Guests without a profile get one first, with the username as name. Orders get the name
    that their guest has now. The items join the catalogues of their hotels.
    """
    refused: dict[str, str] = {}

    def changes() -> list[Change[Order]]:
        refused.clear()
        found, reasons = planned_orders(orders, actor)
        refused.update(reasons)
        nameless = [each.entity for each in found if each.before is None and not each.entity.guest_name]
        names = guest_names((order.username for order in nameless), actor)
        named = {order.order_id: Change(None, replace(order, guest_name=names[order.username])) for order in nameless}
        return [named.get(change.entity.order_id, change) for change in found]

    written = OrderWriter(actor).save(changes, gate)
    collect_items(order for order in orders if order.order_id not in refused)
    return written, refused


def _known(read: Callable[[str], T], field: str, value: str) -> T:
    try:
        return read(value)
    except NotFound as error:
        raise UnknownValue(field, value) from error


def _objections(
    order: Order, hotel: Hotel, guest: Guest | None, no_rooms: Collection[tuple[str, str]]
) -> Iterator[tuple[str, Exception]]:
    """Why a new order cannot be stored, with the name of the field. A hotel that an import created has no currency."""
    if guest and guest.erased_at:
        text = f"The guest {order.username} was erased, so nobody can order for this guest. Choose another guest."
        yield "username", GuestErased(text)
    if hotel.currency not in {"", order.currency}:
        text = f"The prices of {hotel.name} are in {hotel.currency}, not in {order.currency}."
        yield "currency", WrongCurrency(text)
    if (order.hotel_id, order.room_number) in no_rooms:
        yield "room_number", UnknownValue("room_number", order.room_number)


def planned_orders(orders: Sequence[Order], actor: Actor) -> tuple[list[Change[Order]], Mapping[str, str]]:
    """What :func:`save_orders` would write, and its refusals by id. New orders of new guests have no name yet."""
    stored = queries.orders_as_stored((order.username, order.order_id) for order in orders)
    new = [order for order in orders if order.order_id not in stored]
    owners = queries.guests_of([order.order_id for order in new])
    guests = queries.guests_as_stored(order.username for order in new)
    known = hotels.known_hotels({order.hotel_id for order in new})
    no_rooms = unknown_rooms(new)
    changes: list[Change[Order]] = []
    refused: dict[str, str] = {}
    for order in orders:
        before, guest = stored.get(order.order_id), guests.get(order.username)
        hotel = known.get(order.hotel_id, Hotel(order.hotel_id, order.hotel_id))
        reason = _objection(order, before, owners.get(order.order_id))
        if before is None and not reason:
            reason = "; ".join(f"{field}: {error}" for field, error in _objections(order, hotel, guest, no_rooms))
        if reason:
            refused[order.order_id] = reason
        elif before is None:
            placed = order.placed_in(hotel.time_zone)
            changes.append(Change(None, replace(placed, guest_name=guest.name if guest else "")))
        elif may_become(before.status, order.status):
            changes.append(Change(before, before.with_step(replace(order.history[-1], at=order.status_at))))
    return changes, refused


def _objection(order: Order, stored: Order | None, owner: str | None) -> str:
    """The reason why an order from a file cannot be stored; blank if it can be, or already is."""
    if owner not in (None, order.username):  # if this guest's order was stored meanwhile, the next attempt sees it
        return f"order_id: {order.order_id} is an order of another guest"
    if stored is None:
        return ""
    fields = differences(replace(stored, items=order.items), with_optional(order, stored))
    others = [field.name for field in fields] + ["placed_at"] * (stored.placed_at != order.placed_at)
    if others:
        return f"it is stored with another {', another '.join(others)}; files only add orders and move them on"
    if not compatible(stored.status, order.status):
        return f"status: it is stored as {stored.status}, which can neither precede nor follow {order.status}"
    if may_become(stored.status, order.status) and order.status_at < stored.status_at:
        return f"status_at: this is before the order became {stored.status}, at {time_part(stored.status_at)}"
    return ""
