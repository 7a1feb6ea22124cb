"""Writes, one function for each thing that can happen. Each is one transaction, or the write of one item.

Whatever changes an order's status also moves it in the counts of its guest's profile, in the same transaction.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from uuid import NAMESPACE_OID, uuid5

from pynamodb.transactions import TransactWrite

from hotelapp.dynamodb import writes
from hotelapp.dynamodb.errors import Conflict, NotFound, UnknownValue
from hotelapp.dynamodb.keys import time_part
from hotelapp.dynamodb.transactions import commit, packed, write_all
from orders import models, queries
from orders.staging import Change, apply, guest_item, guest_key, now, stage_counts, stage_order
from orders.values import OPEN, STEPS, Guest, Order, Status, Step, may_become, on_one_way
from rooms import queries as rooms


class UsernameTaken(Conflict):
    """There is a guest with the username."""


class ChangedMeanwhile(Conflict):
    """Somebody changed the guest since it was read."""


class AlreadyPlaced(Conflict):
    """The order's id is used: the same form was sent before, with something else in it."""

    def __init__(self, order: Order | None) -> None:
        which = f"order {order.order_id}" if order else "an order of another guest"
        self.order = order
        super().__init__(f"This form has placed {which} already. Send it once more to place what it says now as well.")


class StepNotAllowed(Conflict):
    """An order's life does not have this step."""


class MovedOn(Conflict):
    """Another step was first: ``order`` is as it is now, and the message says who took it and when."""

    def __init__(self, order: Order, by: str) -> None:
        last = order.history[-1]
        who = "You were" if last.by == by else f"{last.by} was"
        super().__init__(f"{who} first: the order has been {last.status} since {last.at:%-d %B %Y, %H:%M} UTC.")
        self.order = order


# --- Guests ---------------------------------------------------------------------------------------------


def create_guest(guest: Guest) -> Guest:
    """Add a guest; sent again, it gives the guest who is there. Raises :class:`UsernameTaken`."""
    made = replace(guest, added_at=guest.added_at or now(), orders={}, revision=1)
    try:
        writes.put(guest_item(made), models.Guest.pk.does_not_exist())
    except Conflict as error:
        stored = queries.guest(made.username, consistent=True)
        if stored.same_person(made):
            return stored
        raise UsernameTaken(f"There is a guest {made.username} already. Choose another username.") from error
    return made


def add_missing_guests(guests: Sequence[Guest]) -> int:
    """Add many guests; those whose username is there already stay as they are. Gives how many were added."""

    at = now()
    made = [replace(guest, added_at=guest.added_at or at, revision=1) for guest in guests]

    def plan() -> Iterator[list[Guest]]:
        known = queries.usernames_stored(guest.username for guest in made)
        missing = (guest for guest in made if guest.username not in known)
        return packed(missing, lambda _: 1, lambda _: ())

    return write_all(plan, _add)


def edit_guest(before: Guest, after: Guest) -> Guest:
    """Change a guest's name, email and phone from what the editor saw; sent again, it changes nothing more.

    Raises :class:`ChangedMeanwhile`, and :class:`~hotelapp.dynamodb.errors.NotFound` for a guest who is not there.
    """
    made = replace(before, name=after.name, email=after.email, phone=after.phone, revision=before.revision + 1)
    names = ("name", "email", "phone", "revision")
    actions = [getattr(models.Guest, name).set(getattr(made, name)) for name in names]
    try:
        writes.update(guest_key(made.username), actions, models.Guest.revision == before.revision)
    except Conflict as error:
        stored = queries.guest(before.username, consistent=True)
        if stored.same_person(made) and stored.revision == made.revision:
            return stored
        raise ChangedMeanwhile(
            f"Somebody else changed this guest, who is now {stored.name}, email {stored.email or 'unspecified'}, phone "
            f"{stored.phone or 'unspecified'}. Save once more to write over that."
        ) from error
    return made


def _add(guests: Sequence[Guest]) -> None:
    def stage(transaction: TransactWrite) -> None:
        for guest in guests:
            transaction.save(guest_item(guest), condition=models.Guest.pk.does_not_exist())

    commit(models.Guest.connection().connection, stage)


# --- The life of an order -------------------------------------------------------------------------------


def place_order(order: Order, by: str) -> Order:
    """Place an order with its items, once: sent again with the same id, it gives the order that is there.

    The idempotency token names this very request, so that DynamoDB runs it once however often it is sent; a second
    press of the button, which is another request, fails on the order's id and finds the order in its place.
    Raises :class:`~hotelapp.dynamodb.errors.UnknownValue` for an unknown guest or hotel, and :class:`AlreadyPlaced`
    if the id belongs to another order.
    """
    _require_hotel(order.hotel_id)
    at = now()
    placed = replace(order, status=OPEN, placed_at=at, status_at=at, history=(Step(OPEN, at, by),))

    def stage(transaction: TransactWrite) -> None:
        stage_order(transaction, Change(None, placed))
        stage_counts(transaction, placed.username, {OPEN: 1})

    try:
        commit(models.Order.connection().connection, stage, token=str(uuid5(NAMESPACE_OID, repr(placed))))
    except Conflict as error:
        return _placed_before(order, error)
    return placed


def take_step(order: Order, to: Status, by: str) -> Order:
    """Move an order on from the status that its reader saw.

    Sent again by the same person, it gives the order as it is. Raises :class:`StepNotAllowed`, and :class:`MovedOn`
    if somebody else was first.
    """
    if to not in STEPS[order.status]:
        raise StepNotAllowed(f"An order that is {order.status} cannot become {to}.")
    at = max(now(), order.status_at)
    moved = replace(order, status=to, status_at=at, history=(*order.history, Step(to, at, by)))

    def stage(transaction: TransactWrite) -> None:
        stage_order(transaction, Change(order, moved))
        stage_counts(transaction, order.username, {order.status: -1, to: 1})

    try:
        commit(models.Order.connection().connection, stage)
    except Conflict as error:
        found = queries.order_as_stored(order.username, order.order_id)
        if (found.history[-1].status, found.history[-1].by) == (to, by):
            return found
        raise MovedOn(found, by) from error
    return moved


def _placed_before(order: Order, refusal: Conflict) -> Order:
    """Why an order could not be placed: most often because it has been, and then all is well."""
    try:
        stored = queries.order_as_stored(order.username, order.order_id)
    except NotFound:
        try:
            queries.guest(order.username, consistent=True)
        except NotFound:
            raise UnknownValue("username", order.username) from refusal
        raise AlreadyPlaced(None) from refusal
    if stored.same_purchase(order) and stored.items == order.items:
        return stored
    raise AlreadyPlaced(stored) from refusal


def _require_hotel(hotel_id: str) -> None:
    try:
        rooms.hotel(hotel_id)
    except NotFound as error:
        raise UnknownValue("hotel_id", hotel_id) from error


# --- Many orders, from files ----------------------------------------------------------------------------


def save_orders(orders: Sequence[Order]) -> tuple[int, Mapping[str, str]]:
    """Store orders with the status that they have elsewhere; gives how many were written, and those refused by id.

    An order that is stored already only moves on: to a later status, never back, so repeating a batch writes nothing.
    One that is stored with another guest, hotel or total, or whose life went another way, is refused with the reason.
    An id may occur once. Guests without a profile get one.
    """
    refused: dict[str, str] = {}

    def plan() -> Iterator[list[Change]]:
        refused.clear()
        changes = _changes(orders, refused)
        return packed(changes, lambda change: change.writes, lambda change: {change.after.username})

    return write_all(plan, apply), refused


def _changes(orders: Sequence[Order], refused: dict[str, str]) -> Iterable[Change]:
    stored = queries.orders_as_stored((order.username, order.order_id) for order in orders)
    fresh = [order.order_id for order in orders if order.order_id not in stored]
    elsewhere = queries.guests_of(fresh)
    changes = []
    for order in orders:
        before = stored.get(order.order_id)
        if reason := _objection(order, before, elsewhere.get(order.order_id)):
            refused[order.order_id] = reason
        elif before is None:
            changes.append(Change(None, order))
        elif may_become(before.status, order.status):
            changes.append(Change(before, _moved_on(before, order)))
    return changes


def _objection(order: Order, stored: Order | None, owner: str | None) -> str:
    """Why an order from a file cannot be stored; blank if it can, or need not be."""
    if owner not in (None, order.username):  # their own has come in since, as the next plan sees
        return f"order_id: {order.order_id} is an order of {owner}"
    if stored is None:
        return ""
    if not stored.same_purchase(order) or stored.placed_at != order.placed_at:
        return "it is stored with another hotel, time, currency, total or number of items"
    if not on_one_way(stored.status, order.status):
        return f"status: it is stored as {stored.status}, which leads neither to nor from {order.status}"
    if may_become(stored.status, order.status) and order.status_at < stored.status_at:
        return f"status_at: before it was {stored.status}, which it is since {time_part(stored.status_at)}"
    return ""


def _moved_on(stored: Order, order: Order) -> Order:
    history = (*stored.history, order.history[-1])
    return replace(stored, status=order.status, status_at=order.status_at, history=history)
