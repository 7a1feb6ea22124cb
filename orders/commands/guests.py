"""Writes of guests. Each is one transaction, which also writes the items of the guest's words; an erasure is more."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from dynamodb_lists.connection.errors import Conflict
from dynamodb_lists.schema.keys import now
from dynamodb_lists.writing import single_items
from dynamodb_lists.writing.changes import Change, as_seen
from orders import queries
from orders.entities import ERASED_NAME, Guest, Order
from orders.lists import GUESTS, ORDERS
from orders.models import GuestModel
from portal.history.commands import erase_values, has_values
from portal.history.entities import IMPORT, Actor
from portal.history.keys import thing


def add_missing_guests(guests: Sequence[Guest]) -> int:
    """Add the guests whose username does not exist yet, from a file; returns how many were added."""
    return _add_missing(guests, IMPORT)[0]


def guest_names(usernames: Iterable[str], actor: Actor) -> Mapping[str, str]:
    """The names of guests who had no profile when they were read, by username. Each gets the username as name.

    They are read again only if somebody else has added one of them meanwhile.
    """
    guests = [Guest(username, username) for username in dict.fromkeys(usernames)]
    return {guest.username: guest.name for guest in _add_missing(guests, actor, read=False)[1]}


def _add_missing(guests: Sequence[Guest], actor: Actor, *, read: bool = True) -> tuple[int, list[Guest]]:
    """Add the guests who do not exist yet; returns how many were added, and all guests as they are stored then."""
    listed = GUESTS.by(actor)
    created = [change for guest in guests for change in listed.change(None, guest)]
    stored: dict[str, Guest] = {}

    def missing() -> list[Change[Guest]]:
        nonlocal read
        if read:
            stored.update(queries.guests_as_stored(change.entity.username for change in created))
        read = True
        return [change for change in created if change.entity.username not in stored]

    written = listed.save(missing)
    return written, [stored.get(change.entity.username, change.entity) for change in created]


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
    if erased.erasing_by:
        done = [GuestModel.attribute("erasing_by").remove()]
        with suppress(Conflict):  # the guest was changed since, which finishes the erasure first
            single_items.update(GuestModel.keyed(username=erased.username), done, as_seen(GuestModel, erased))
    return replace(erased, erasing_by="")


def erasure_is_incomplete(erased: str) -> bool:
    """Whether history or orders of an erased guest still have what :func:`finish_erasure` removes."""
    orders = [*ORDERS.query(username=erased).consistently()]
    notes = has_values(map(_history_of, orders), ["note"])
    return notes or has_values([thing(GuestModel.kind, erased)]) or any(map(_has_some, orders))


def _history_of(order: Order) -> str:
    return thing(ORDERS.model.kind, order.order_id)


def _has_some(order: Order) -> bool:
    """Whether an order itself still has what an erasure removes."""
    return order.guest_name != ERASED_NAME or bool(order.note)
