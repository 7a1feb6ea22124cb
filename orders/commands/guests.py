"""Writes of guests. Each is one transaction, which also writes the items of the guest's words."""

from collections.abc import Sequence

from hotelapp.dynamodb.connection.errors import ChangedMeanwhile, Conflict
from hotelapp.dynamodb.schema.entities import entered, same
from hotelapp.dynamodb.writing.changes import Change
from orders import queries
from orders.commands.changes import GuestWriter, now, to_store
from orders.entities import ERASED_NAME, Guest


class UsernameTaken(Conflict):
    """Another guest has the username."""


def create_guest(guest: Guest) -> Guest:
    """Add a guest. If the same guest was already added, return that guest. Raises :class:`UsernameTaken`."""
    created = to_store(guest, added_at=guest.added_at or now(), orders={}, revision=1)
    try:
        GuestWriter().apply([Change(None, created)])
    except Conflict as error:
        stored = queries.guest(created.username, consistent=True)
        if same(stored, created):
            return stored
        raise UsernameTaken(f"There is already a guest {created.username}. Choose another username.") from error
    return created


def add_missing_guests(guests: Sequence[Guest]) -> int:
    """Add the guests whose username does not exist yet; returns how many were added."""
    added_at = now()
    created = [to_store(guest, added_at=guest.added_at or added_at, revision=1) for guest in guests]

    def missing() -> list[Change[Guest]]:
        stored = queries.usernames_stored(guest.username for guest in created)
        return [Change(None, guest) for guest in created if guest.username not in stored]

    return GuestWriter().save(missing)


def edit_guest(before: Guest, after: Guest) -> Guest:
    """Change the fields of a guest that people enter. ``before`` is the guest that the editor saw.

    A guest who was erased is a guest like any other again. Sending the same change again has no effect.
    Raises :class:`ChangedMeanwhile`, and :class:`~hotelapp.dynamodb.connection.errors.NotFound` for a missing guest.
    """
    values = {name: getattr(after, name) for name in entered(Guest)}
    edited = to_store(before, **values, erased_at=None, revision=before.revision + 1)
    try:
        GuestWriter().apply([Change(before, edited)])
    except Conflict as error:
        stored = queries.guest(before.username, consistent=True)
        if same(stored, edited) and stored.revision == edited.revision:
            return stored
        raise ChangedMeanwhile("Somebody else changed this guest.") from error
    return edited


def erase_guest(guest: Guest, by: str) -> Guest:
    """Erase what says who a guest is: the name, the e-mail address, the phone number, and the words of both.

    The profile stays under its username, because the guest's orders have it in their keys. ``guest`` is the guest that
    ``by`` saw. A guest who was erased already stays as it is.
    Raises :class:`ChangedMeanwhile`, and :class:`~hotelapp.dynamodb.connection.errors.NotFound` for a missing guest.
    """
    if guest.erased_at:
        return guest
    blank = dict.fromkeys(entered(Guest), "") | {"name": ERASED_NAME}
    erased = to_store(guest, **blank, erased_at=now(), revision=guest.revision + 1)
    try:
        GuestWriter().apply([Change(guest, erased)])
    except Conflict as error:
        stored = queries.guest(guest.username, consistent=True)
        if stored.erased_at:
            return stored
        raise ChangedMeanwhile("Somebody else changed this guest.") from error
    return erased
