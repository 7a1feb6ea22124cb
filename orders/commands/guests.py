"""Writes of guests. Each is one transaction, which also writes the items of the guest's words; an erasure is more."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from hotelapp.dynamodb.connection.errors import Conflict
from hotelapp.dynamodb.schema.entities import same, stored_values
from hotelapp.dynamodb.schema.keys import now
from hotelapp.dynamodb.schema.words import Term, stored
from hotelapp.dynamodb.writing import single_items
from hotelapp.dynamodb.writing.changes import Change, as_seen
from hotelapp.dynamodb.writing.transactions import Delete, Put, Update, Write, assigned
from hotelapp.history.commands import RecordedWriter, added, erase_values, erasure
from hotelapp.history.entities import IMPORT, REPAIR, Actor
from orders import keys, queries
from orders.entities import ERASED_NAME, Guest
from orders.models import GuestModel, GuestWordModel, order_counter, word_items
from orders.statuses import Status


class UsernameTaken(Conflict):
    """Another guest has the username."""


class GuestWriter(RecordedWriter[Guest]):
    """Writes the profiles of guests with their word items. Guests share no item. It does not change the counts."""

    kind = GuestModel.kind
    ids = ("username",)

    def history(self, change: Change[Guest]) -> list[Write]:
        """The entry of the change. That of an erasure has no values."""
        before, guest = change.before, change.entity
        if guest.erased_at and before and not before.erased_at:
            return [erasure(self.actor, self.thing(guest))]
        return super().history(change)

    def own_writes(self, change: Change[Guest]) -> list[Write]:
        before, guest = change.before, change.entity
        profile = guest_item(guest)
        puts = [Put(word) for word in word_items(guest)]
        if before is None:
            return [Put(profile, GuestModel.pk.does_not_exist()), *puts]
        counters = {order_counter(status) for status in Status}
        names = (name for name in GuestModel.changing() if name not in counters)
        update = Update(guest_key(guest.username), as_seen(GuestModel, before), assigned(profile, names))
        if (before.terms, before.name, before.email) == (guest.terms, guest.name, guest.email):
            return [update]
        stale = sorted(before.terms - guest.terms)
        return [update, *puts, *(Delete(GuestWordModel(*keys.WORDS.key(guest.username, term))) for term in stale)]

    def forget(self, entity: Guest) -> None:
        queries.forget_names([entity.username])


def create_guest(guest: Guest, by: str) -> Guest:
    """Add a guest. If the same guest was already added, return that guest. Raises :class:`UsernameTaken`."""
    actor = Actor(by)
    created = _to_store(guest, **added(guest, None, actor), orders={}, revision=1)
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
    created = [_to_store(guest, **added(guest, None, IMPORT), revision=1) for guest in guests]

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
    edited = _to_store(before, **after.personal, erased_at=None, revision=before.revision + 1)
    return _write(before, edited, by)


def erase_guest(guest: Guest, by: str) -> Guest:
    """Erase a guest's personal data: the fields that people entered, the words, and the values in the history.

    The profile stays under its username, because the guest's orders have it in their keys. The transaction that erases
    the profile also writes down that the history still has values. So :func:`finish_erasure` can
    complete an interrupted erasure. ``guest`` is the guest that ``by`` saw. If it was erased before, its profile stays.
    Raises :class:`ChangedMeanwhile`, and :class:`~hotelapp.dynamodb.connection.errors.NotFound` for a missing guest.
    """
    if not guest.erased_at:
        blank = Guest(username=guest.username, name=ERASED_NAME).personal
        erased = _to_store(guest, **blank, erased_at=now(), erasing_by=by, revision=guest.revision + 1)
        guest = _write(guest, erased, by)
    return finish_erasure(guest)


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


def mend_words(username: str, surplus: Term | None = None) -> None:
    """Write a guest's words anew, and delete one that is surplus. Raises :class:`Conflict` if the guest changes."""
    guest = queries.guest(username, consistent=True)
    seen = replace(guest, terms=guest.terms | {surplus} if surplus else guest.terms, name="")
    GuestWriter(REPAIR).apply([Change(seen, _to_store(guest))])


def guest_item(guest: Guest) -> GuestModel:
    """A guest's item."""
    return GuestModel(
        pk=keys.guest(guest.username),
        sk=keys.PROFILE,
        guest_shard=keys.guest_shard(guest.username),
        terms=stored(guest.terms),
        **stored_values(guest),
    )


def guest_key(username: str) -> GuestModel:
    """A guest's item with nothing but its key, for updates."""
    return GuestModel(keys.guest(username), keys.PROFILE)


def _write(before: Guest, after: Guest, by: str) -> Guest:
    return GuestWriter(Actor(by)).write(before, after, lambda: queries.guest(before.username, consistent=True))


def _to_store(guest: Guest, **changes: Any) -> Guest:
    """The guest with these changes as it is to be written, with the terms that its values give."""
    changed = replace(guest, **changes)
    return replace(changed, terms=frozenset(changed.words.terms()))
