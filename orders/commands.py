"""Writes of guests and orders, one function for each event. Each is one transaction, or the write of one item.

A write that changes an order's status also moves it in the counts of its guest's profile, in the same transaction.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any, TypeVar

from dynamodb_lists import Change, List, Update, errors
from dynamodb_lists.schema import entities
from hotels import queries as hotels
from hotels.app_config import hotel_pages
from hotels.entities import Hotel
from orders import queries
from orders.entities import ERASED_NAME, Guest, HistoryStep, Order, OrderItem
from orders.lists import GUESTS, ORDERS, MovedOn, collect_items, unknown_rooms
from orders.models import GuestModel
from orders.statuses import CORRECTABLE, OPEN, STEPS, Status, may_become, no_step
from portal.history.commands import erase_values, with_values
from portal.history.entities import IMPORT, Actor
from portal.history.keys import thing
from portal.imports import Save
from portal.times import now

# --- Guests ---------------------------------------------------------------------------------------------


def add_missing_guests(guests: Sequence[Guest], actor: Actor = IMPORT, names: dict[str, str] | None = None) -> int:
    """Add the guests whose username does not exist yet, and return how many were added.

    With ``names``, the guests had no profile when they were read, so they are read again only if somebody else has
    added one of them meanwhile. The names that all of them have then are added to ``names``, by username.
    """
    listed = GUESTS.by(actor)
    created = [change for guest in guests for change in listed.change(None, guest)]
    attempts, stored = count(), dict[str, Guest]()

    def missing() -> list[Change[Guest]]:
        if names is None or next(attempts):
            stored.update(queries.guests_as_stored(change.entity.username for change in created))
        return [change for change in created if change.entity.username not in stored]

    written = listed.save(missing)
    if names is not None:
        names |= {guest.username: stored.get(guest.username, guest).name for guest in guests}
    return written


def edit_guest(before: Guest, after: Guest, by: str) -> Guest:
    """Change the fields of a guest that people enter. ``before`` is the guest that the editor saw.

    A guest who was erased is a guest like any other again. Sending the same change again has no effect.
    Raises :class:`~dynamodb_lists.connection.errors.ChangedMeanwhile`.
    """
    if before.erasing_by:
        before = finish_erasure(before)
    return GUESTS.by(Actor(by)).update(before, replace(before, **after.personal, erased_at=None))


def erase_guest(guest: Guest, by: str) -> Guest:
    """Erase a guest's personal data: what people entered, the words, the values in the history.

    In the guest's orders, the name and the note go, and what their history has of the note.

    The profile stays under its username, because the guest's orders have it in their keys. The transaction that erases
    the profile also writes down that history and orders still have values. So :func:`finish_erasure` can
    complete an interrupted erasure. ``guest`` is the guest that ``by`` saw. If it was erased before, its profile stays.
    Raises :class:`~dynamodb_lists.connection.errors.ChangedMeanwhile`.
    """
    if not guest.erased_at:
        blank = Guest(username=guest.username, name=ERASED_NAME).personal
        guest = GUESTS.by(Actor(by)).update(guest, replace(guest, **blank, erased_at=now(), erasing_by=by))
    return finish_erasure(guest)


def finish_erasure(erased: Guest) -> Guest:
    """Remove what history and orders have of a guest whose profile is erased, then the note that they still have it.

    Several processes may do so at the same time, and again. Orders that are placed from now on have the erased name:
    their transaction has the condition that it is the guest's name.
    """
    orders = [*ORDERS.query(username=erased.username).consistently()]
    # The orders first: from then on they take no note, so that none comes into their histories again.
    ORDERS.redact(filter(_has_some, orders), guest_name=ERASED_NAME, note="")
    erase_values([thing(GuestModel.kind, erased.username)])
    erase_values(map(_history_of, orders), ["note"])
    for app in hotel_pages():
        if app.forget_guest:
            app.forget_guest(erased.username)
    if erased.erasing_by:
        done, as_seen = GuestModel.attribute("erasing_by").remove(), GuestModel.attribute("revision") == erased.revision
        with suppress(errors.Conflict):  # the guest was changed since, which finishes the erasure first
            Update(GuestModel.keyed(username=erased.username), as_seen, [done]).send()
    return replace(erased, erasing_by="")


def erasure_is_incomplete(erased: str) -> bool:
    """Return whether history or orders of an erased guest still have what :func:`finish_erasure` removes."""
    orders = [*ORDERS.query(username=erased).consistently()]
    notes = any(with_values(map(_history_of, orders), ["note"]))
    return notes or any(with_values([thing(GuestModel.kind, erased)])) or any(map(_has_some, orders))


def _history_of(order: Order) -> str:
    return thing(ORDERS.model.kind, order.order_id)


def _has_some(order: Order) -> bool:
    """Return whether an order itself still has what an erasure removes."""
    return order.guest_name != ERASED_NAME or bool(order.note)


# --- The life of an order -------------------------------------------------------------------------------


T = TypeVar("T")


def place_order(order: Order, by: str) -> Order:
    """Place an order with its items. If the same order was already placed, return the stored one.

    A second click on the button is another transaction. It fails, because the order's id is in use, and returns the
    first order.
    Raises :class:`~dynamodb_lists.connection.errors.UnknownValue` for an unknown guest, hotel or room, and
    :class:`Conflict` for another currency than the hotel's, an erased guest, and an id of another order.
    """

    def placed() -> Order:  # again, if the guest was renamed meanwhile
        hotel = _known(hotels.hotel, "hotel_id", order.hotel_id)
        guest = _known(partial(queries.guest, consistent=True), "username", order.username)
        for _, error in _objections(order, hotel, guest, unknown_rooms([order])):
            raise error
        at = now()
        named = replace(order, guest_name=guest.name, status=OPEN, placed_at=at, status_at=at)
        return replace(named, history=(HistoryStep(OPEN, at, by),)).placed_in(hotel.time_zone)

    return ORDERS.by(Actor(by)).create(placed)


def take_step(order: Order, to: Status, by: str, seen: Status | None = None, reason: str = "") -> Order:
    """Move an order on from the status that somebody has ``seen``, by default that of ``order``.

    The ``reason`` of a cancellation becomes the remark, unless the guest was erased. If the same person has already
    taken this step, return the stored order. Raises :class:`Conflict` for a step that is not allowed, and
    :class:`MovedOn` if somebody else took a step first.
    """
    seen = seen or order.status
    if to not in STEPS[seen]:
        raise errors.Conflict(no_step(seen, to))
    becomes_note = to == Status.CANCELLED and order.guest_name != ERASED_NAME

    def is_taken(stored: Order) -> bool:
        return (stored.history[-1].status, stored.history[-1].by) == (to, by)

    def moved(stored: Order) -> Order:
        stored = replace(stored, note=reason) if reason and becomes_note else stored
        return stored.with_step(HistoryStep(to, max(now(), stored.status_at), by))

    return ORDERS.by(Actor(by)).update(order, moved, on={"status": seen}, done=is_taken)


def correct_order(
    order: Order, items: Sequence[OrderItem], by: str, room_number: str | None = None, **others: Any
) -> Order:
    """Replace the items of an order that its editor saw, its room and ``others``, and return the corrected order.

    Raises: :class:`MovedOn` if the order is on its way, or just took a step; ``UnknownValue`` for another room that
    the hotel does not have.
    """
    if order.status not in CORRECTABLE:
        raise MovedOn(order, by)
    room_number = order.room_number if room_number is None else room_number
    if room_number != order.room_number and unknown_rooms([replace(order, room_number=room_number)]):
        raise errors.UnknownValue("room_number", room_number)

    def corrected(stored: Order) -> Order:
        return replace(stored.with_items(items), room_number=room_number, **others)

    return ORDERS.by(Actor(by)).update(order, corrected, on=("status", "items", "room_number", *others))


def note_order(before: Order, after: Order, by: str) -> Order:
    """Set the note of an order that its editor saw as ``before``, whatever its status.

    Raises ``ChangedMeanwhile``, and :class:`Conflict` if the guest was erased: a note says something of the guest.
    """
    if before.guest_name == ERASED_NAME:
        raise errors.Conflict("The guest of this order was erased, so you cannot add a remark. Nothing was saved.")
    return ORDERS.by(Actor(by)).update(before, on=("note",), note=after.note)


def save_orders(
    orders: Sequence[Order], actor: Actor = IMPORT, save: Save = List.save
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
        new, names = {order.username: Guest(order.username, order.username) for order in nameless}, dict[str, str]()
        add_missing_guests([*new.values()], actor, names)
        named = {order.order_id: Change(None, replace(order, guest_name=names[order.username])) for order in nameless}
        return [named.get(change.entity.order_id, change) for change in found]

    written = save(ORDERS.by(actor), changes)
    collect_items(order for order in orders if order.order_id not in refused)
    return written, refused


def _known(read: Callable[[str], T], field: str, value: str) -> T:
    try:
        return read(value)
    except errors.NotFound as error:
        raise errors.UnknownValue(field, value) from error


def _objections(
    order: Order, hotel: Hotel | None, guest: Guest | None, no_rooms: Collection[tuple[str, str]]
) -> Iterator[tuple[str, Exception]]:
    """Return why a new order cannot be stored, with the name of the field. An imported hotel has no currency."""
    if guest and guest.erased_at:
        text = f"The guest {order.username} was erased, so no order can be placed for this guest. Choose another guest."
        yield "username", errors.Conflict(text)
    if hotel and hotel.currency not in {"", order.currency}:
        text = f"The prices of {hotel.name} are in {hotel.currency}, not in {order.currency}."
        yield "currency", errors.Conflict(text)
    if (order.hotel_id, order.room_number) in no_rooms:
        unknown = "room_number" if hotel else "hotel_id"
        yield unknown, errors.UnknownValue(unknown, getattr(order, unknown))


def planned_orders(orders: Sequence[Order], actor: Actor) -> tuple[list[Change[Order]], Mapping[str, str]]:
    """Return what :func:`save_orders` would write, and its refusals by id. New guests' orders have no name yet."""
    stored = queries.orders_as_stored((order.username, order.order_id) for order in orders)
    new = [order for order in orders if order.order_id not in stored]
    owners = queries.guests_of([order.order_id for order in new])
    guests = queries.guests_as_stored(order.username for order in new)
    known = hotels.known_hotels({order.hotel_id for order in new})
    no_rooms = unknown_rooms(new)
    listed, changes = ORDERS.by(actor), list[Change[Order]]()
    refused: dict[str, str] = {}
    for order in orders:
        before, guest = stored.get(order.order_id), guests.get(order.username)
        hotel = known.get(order.hotel_id)
        reason = _objection(order, before, owners.get(order.order_id))
        if before is None and not reason:
            reason = "; ".join(f"{field}: {error}" for field, error in _objections(order, hotel, guest, no_rooms))
        if reason:
            refused[order.order_id] = reason
        elif before is None:
            placed = order.placed_in(hotel.time_zone if hotel else "")
            changes += listed.change(None, replace(placed, guest_name=guest.name if guest else ""))
        elif may_become(before.status, order.status):
            changes += listed.change(before, before.with_step(replace(order.history[-1], at=order.status_at)))
    return changes, refused


def _objection(order: Order, stored: Order | None, owner: str | None) -> str:
    """Return the reason why an order from a file cannot be stored; blank if it can be, or already is."""
    if owner not in (None, order.username):  # if this guest's order was stored meanwhile, the next attempt sees it
        return f"order_id: {order.order_id} is an order of another guest"
    if stored is None:
        return ""
    fields = entities.differences(replace(stored, items=order.items), entities.with_optional(order, stored))
    others = [field.name for field in fields] + ["placed_at"] * (stored.placed_at != order.placed_at)
    if others:
        return f"it is stored with another {', another '.join(others)}; files only add orders and move them on"
    moves_on = may_become(stored.status, order.status)
    if order.status != stored.status and not moves_on and not may_become(order.status, stored.status):
        return f"status: it is stored as {stored.status}, which can neither precede nor follow {order.status}"
    if moves_on and order.status_at < stored.status_at:
        return f"status_at: this is before the order became {stored.status}, at {entities.text(stored.status_at)}"
    return ""
