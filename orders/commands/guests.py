"""Writes of guests."""

from collections.abc import Sequence
from dataclasses import replace

from hotelapp.dynamodb.connection.errors import ChangedMeanwhile, Conflict
from hotelapp.dynamodb.schema.entities import entered, same
from hotelapp.dynamodb.writing.changes import Change
from hotelapp.history.commands import added
from hotelapp.history.entities import IMPORT, Actor
from orders import queries
from orders.commands.changes import GuestWriter
from orders.entities import Guest


class UsernameTaken(Conflict):
    """Another guest has the username."""


def create_guest(guest: Guest, by: str) -> Guest:
    """Add a guest. If the same guest was already added, return that guest. Raises :class:`UsernameTaken`."""
    actor = Actor(by)
    created = _to_add(replace(guest, orders={}), actor)
    try:
        GuestWriter(actor).apply([Change(None, created)])
    except Conflict as error:
        stored = queries.guest(created.username, consistent=True)
        if same(stored, created):
            return stored
        raise UsernameTaken(f"There is already a guest {created.username}. Choose another username.") from error
    return created


def add_missing_guests(guests: Sequence[Guest]) -> int:
    """Add the guests whose username does not exist yet, from a file; returns how many were added."""
    created = [_to_add(guest, IMPORT) for guest in guests]

    def missing() -> list[Change[Guest]]:
        stored = queries.usernames_stored(guest.username for guest in created)
        return [Change(None, guest) for guest in created if guest.username not in stored]

    return GuestWriter(IMPORT).save(missing)


def edit_guest(before: Guest, after: Guest, by: str) -> Guest:
    """Change the fields of a guest that people enter. ``before`` is the guest that the editor saw.

    Sending the same change again has no effect.
    Raises :class:`ChangedMeanwhile`, and :class:`~hotelapp.dynamodb.connection.errors.NotFound` for a missing guest.
    """
    values = {name: getattr(after, name) for name in entered(Guest)}
    edited = replace(before, **values, revision=before.revision + 1)
    try:
        GuestWriter(Actor(by)).apply([Change(before, edited)])
    except Conflict as error:
        stored = queries.guest(before.username, consistent=True)
        if same(stored, edited) and stored.revision == edited.revision:
            return stored
        raise ChangedMeanwhile("Somebody else changed this guest.") from error
    return edited


def _to_add(guest: Guest, actor: Actor) -> Guest:
    """A new guest as it is to be written."""
    return replace(guest, **added(guest, None, actor), revision=1)
