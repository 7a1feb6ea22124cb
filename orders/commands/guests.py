"""Writes of guests. Each is one transaction, which also writes the items of the guest's words; an erasure is more."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from hotelapp.dynamodb.connection.errors import ChangedMeanwhile, Conflict
from hotelapp.dynamodb.schema.entities import same
from hotelapp.dynamodb.schema.words import Term
from hotelapp.dynamodb.writing import single_items
from hotelapp.dynamodb.writing.changes import Change, as_seen
from hotelapp.history.commands import added, erase_values
from hotelapp.history.entities import IMPORT, REPAIR, Actor
from orders import queries
from orders.commands.changes import GuestWriter, guest_key, now, to_store
from orders.entities import ERASED_NAME, Guest
from orders.models import GuestModel


class UsernameTaken(Conflict):
    """Another guest has the username."""


def create_guest(guest: Guest, by: str) -> Guest:
    """Add a guest. If the same guest was already added, return that guest. Raises :class:`UsernameTaken`."""
    actor = Actor(by)
    created = to_store(guest, **added(guest, None, actor), orders={}, revision=1)
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
    created = [to_store(guest, **added(guest, None, IMPORT), revision=1) for guest in guests]

    def missing() -> list[Change[Guest]]:
        stored = queries.guests_as_stored(guest.username for guest in created)
        return [Change(None, guest) for guest in created if guest.username not in stored]

    return GuestWriter(IMPORT).save(missing)


def edit_guest(before: Guest, after: Guest, by: str) -> Guest:
    """Change the fields of a guest that people enter. ``before`` is the guest that the editor saw.

    A guest who was erased is a guest like any other again. Sending the same change again has no effect.
    Raises :class:`ChangedMeanwhile`, and :class:`~hotelapp.dynamodb.connection.errors.NotFound` for a missing guest.
    """
    if before.erasing_by:
        before = finish_erasure(before)
    edited = to_store(before, **after.personal, erased_at=None, revision=before.revision + 1)
    try:
        GuestWriter(Actor(by)).apply([Change(before, edited)])
    except Conflict as error:
        stored = queries.guest(before.username, consistent=True)
        if same(stored, edited) and stored.revision == edited.revision:
            return stored
        raise ChangedMeanwhile("Somebody else changed this guest.") from error
    return edited


def erase_guest(guest: Guest, by: str) -> Guest:
    """Erase what says who a guest is: what people entered (``personal``), its words, and its values in the history.

    The profile stays under its username, because the guest's orders have it in their keys. The transaction that erases
    the profile also writes down that the history still has values. So an erasure that is interrupted is gone on with,
    by :func:`finish_erasure`. ``guest`` is the guest that ``by`` saw. The profile of a guest who was erased already
    stays as it is.
    Raises :class:`ChangedMeanwhile`, and :class:`~hotelapp.dynamodb.connection.errors.NotFound` for a missing guest.
    """
    return finish_erasure(guest if guest.erased_at else _erase(guest, by))


def finish_erasure(erased: Guest) -> Guest:
    """Remove the values from the history of a guest whose profile is erased, then the note that they are still there.

    Several processes may do so at the same time, and again. An erasure of an earlier release has no note.
    """
    erase_values(GuestModel.kind, erased.username)
    if erased.erasing_by:
        done = [GuestModel.attribute("erasing_by").remove()]
        with suppress(Conflict):  # the guest was changed since, which finishes the erasure first
            single_items.update(guest_key(erased.username), done, as_seen(GuestModel, erased))
    return replace(erased, erasing_by="")


def _erase(guest: Guest, by: str) -> Guest:
    blank = Guest(username=guest.username, name=ERASED_NAME).personal
    erased = to_store(guest, **blank, erased_at=now(), erasing_by=by, revision=guest.revision + 1)
    try:
        GuestWriter(Actor(by)).apply([Change(guest, erased)])
    except Conflict as error:
        stored = queries.guest(guest.username, consistent=True)
        if stored.erased_at:
            return stored
        raise ChangedMeanwhile("Somebody else changed this guest.") from error
    return erased


def mend_words(username: str, surplus: Term | None = None) -> None:
    """Write a guest's words anew, and delete one that is surplus. Raises :class:`Conflict` if the guest changes."""
    guest = queries.guest(username, consistent=True)
    seen = replace(guest, terms=guest.terms | {surplus} if surplus else guest.terms, name="")
    GuestWriter(REPAIR).apply([Change(seen, to_store(guest))])
