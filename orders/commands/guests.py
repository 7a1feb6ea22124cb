"""Writes of guests."""

from collections.abc import Sequence
from dataclasses import replace

from hotelapp.dynamodb.connection.errors import ChangedMeanwhile, Conflict
from hotelapp.dynamodb.schema.entities import entered, same
from hotelapp.dynamodb.writing import single_items
from hotelapp.dynamodb.writing.changes import Change, as_seen
from orders import queries
from orders.commands.changes import GuestWriter, guest_item, guest_key, now
from orders.entities import Guest
from orders.models import GuestModel


class UsernameTaken(Conflict):
    """Another guest has the username."""


def create_guest(guest: Guest) -> Guest:
    """Add a guest. If the same guest was already added, return that guest. Raises :class:`UsernameTaken`."""
    created = replace(guest, added_at=guest.added_at or now(), orders={}, revision=1)
    try:
        single_items.put(guest_item(created), as_seen(GuestModel, None))
    except Conflict as error:
        stored = queries.guest(created.username, consistent=True)
        if same(stored, created):
            return stored
        raise UsernameTaken(f"There is already a guest {created.username}. Choose another username.") from error
    return created


def add_missing_guests(guests: Sequence[Guest]) -> int:
    """Add the guests whose username does not exist yet; returns how many were added."""
    added_at = now()
    created = [replace(guest, added_at=guest.added_at or added_at, revision=1) for guest in guests]

    def missing() -> list[Change[Guest]]:
        stored = queries.usernames_stored(guest.username for guest in created)
        return [Change(None, guest) for guest in created if guest.username not in stored]

    return GuestWriter().save(missing)


def edit_guest(before: Guest, after: Guest) -> Guest:
    """Change the fields of a guest that people enter. ``before`` is the guest that the editor saw.

    Sending the same change again has no effect.
    Raises :class:`ChangedMeanwhile`, and :class:`~hotelapp.dynamodb.connection.errors.NotFound` for a missing guest.
    """
    names = entered(Guest)
    edited = replace(before, **{name: getattr(after, name) for name in names}, revision=before.revision + 1)
    actions = [GuestModel.attribute(name).set(getattr(edited, name)) for name in (*names, "revision")]
    try:
        single_items.update(guest_key(edited.username), actions, as_seen(GuestModel, before))
    except Conflict as error:
        stored = queries.guest(before.username, consistent=True)
        if same(stored, edited) and stored.revision == edited.revision:
            return stored
        raise ChangedMeanwhile("Somebody else changed this guest.") from error
    return edited
