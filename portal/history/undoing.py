"""Undo: take back the newest change of a thing. One mechanism serves all things.

The history has both values of each field. An undo sets the earlier values by the thing's own writer, as a change with
an entry of its own, so that an undo can be undone, too. An undo is refused if the thing has changed since.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from dynamodb_lists import errors
from dynamodb_lists.schema import entities
from portal.forms.values import recorded_value, text_of
from portal.history import queries
from portal.history.commands import RECORDED
from portal.history.entities import IMPORT, HistoryEntry, How, What
from portal.history.subjects import Thing, subjects, thing_of
from portal.people import ByAuthor

SEARCHED = 10
"""How many of the newest entries may have the change that somebody wants to undo, so that a refusal can show it."""


class NotUndone(ByAuthor):
    """An undo was refused, and nothing was changed.

    ``since`` is the newest change, if that is the reason; ``wanted`` is the change that was to be undone, if it was
    found; ``stored`` is the thing now, ``None`` if it is gone.
    """

    def __init__(
        self,
        message: str,
        stored: Any | None = None,
        since: HistoryEntry | None = None,
        wanted: HistoryEntry | None = None,
    ) -> None:
        super().__init__(message, since.by if since else "")
        self.stored, self.since, self.wanted = stored, since, wanted


@dataclass(frozen=True)
class NewestChange:
    """The newest change of a thing, by its number, and the thing's entity; ``None`` if an undo has deleted it.

    ``again``: the change is an undo that the same person made before.
    """

    thing: Thing
    serial: int
    entity: Any | None
    again: bool = False


def newest_change(entity: Any) -> NewestChange:
    """Return the thing of an entity, with the number of its newest change."""
    kind, recorded = next(each for each in RECORDED.items() if each[1].of.model.entity is type(entity))
    return NewestChange(Thing(subjects()[kind], recorded.ids(entity)), recorded.serial(entity), entity)


def address_of(entity: Any) -> str:
    return newest_change(entity).thing.address


def may_undo(entry: HistoryEntry, username: str, may: Callable[[str], bool]) -> bool:
    """Return whether a user may undo a change: whether the user has the permissions for all changed fields."""
    thing = thing_of(entry.thing)
    recorded = RECORDED.get(thing.subject.kind) if thing else None
    if recorded is None:
        return False
    undoing = recorded.undoing
    if entry.what is not What.CHANGED:
        return entry.what in undoing and may(undoing[entry.what])
    for change in entry.changes:
        names = (f"{change.field}={change.before}", f"{change.field}={change.after}", change.field, entry.what)
        name = next((name for name in names if name in undoing), "")
        own = [f"own {name}"] if entry.by == username else []
        if not any(may(undoing[each]) for each in (name, *own) if each in undoing):  # one of them is enough
            return False
    return True


def can_be_undone(entry: HistoryEntry) -> bool:
    """Return whether an entry can be undone: it is no import and no erasure."""
    is_change = entry.how is not How.IMPORT and not entry.moved_to and entry.what is not What.ERASED
    return bool(entry.serial) and is_change


def undo(thing: Thing, serial: int, by: str, may: Callable[[str], bool], *, is_last: bool = False) -> NewestChange:
    """Undo the change of this number. Write nothing if the same person has just undone it.

    Raises :class:`NotUndone`, and :class:`PermissionDenied` if the user may not make such a change.
    """
    try:
        return _undone(thing, serial, by, may)
    except NotUndone:
        raise
    except errors.Conflict as error:  # somebody was quicker, perhaps the same form: the newest entry then says who
        if is_last:
            raise NotUndone(str(error)) from error
        return undo(thing, serial, by, may, is_last=True)


def _undone(thing: Thing, serial: int, by: str, may: Callable[[str], bool]) -> NewestChange:
    if thing.subject.kind not in RECORDED:
        raise NotUndone("This kind of change cannot be undone.")
    recorded, stored = RECORDED[thing.subject.kind], None
    with suppress(errors.NotFound):  # before the history, so that no change can come between
        stored = recorded.load(*thing.ids)
    entries = queries.history(thing.key).consistently().take(SEARCHED)
    newest = entries[0] if entries else None
    wanted = next((entry for entry in entries if entry.serial == serial), None)
    if newest and (newest.how, newest.by) == (How.UNDO, by) and wanted in entries[1:2]:
        return NewestChange(thing_of(newest.moved_to) or thing, newest.serial, stored, again=True)
    if newest is None or (wanted is None and (serial > newest.serial or len(entries) < SEARCHED)):
        raise NotUndone(f"This change is not in the history any more.{_kept()}", stored)
    if wanted is None or wanted is not newest:
        raise NotUndone(_since(newest, by), stored, newest, wanted)
    if not can_be_undone(wanted):
        raise NotUndone("This kind of change cannot be undone.", stored)
    if not may_undo(wanted, by, may):
        raise PermissionDenied
    before = taken_back(recorded.of.model.entity, stored, wanted)
    written = recorded.undo(stored, before, by)
    return NewestChange(thing, serial + 1, None) if before is None else newest_change(written)


def taken_back(entity: Any, stored: Any | None, entry: HistoryEntry) -> Any | None:
    """Return the entity as it was before a change; ``None`` if the change added it.

    Raises :class:`NotUndone` if it is not as the change has left it: a repair, or an import of what was deleted, has no
    entry.
    """
    described = {field.name: field for field in entities.fields(entity) if field.recorded}
    as_left = all(text_of(getattr(stored, change.field, None)) == change.after for change in entry.changes)
    if not as_left or (stored is None) != (entry.what is What.DELETED):
        raise NotUndone("This was changed again since then.", stored, wanted=entry)
    if entry.what is What.CREATED:
        return None
    try:
        values = {change.field: recorded_value(described[change.field], change.before) for change in entry.changes}
        if stored is not None:
            return replace(stored, **values)
        missing = {name: recorded_value(field, "") for name, field in described.items() if name not in values}
    except (LookupError, ValueError, ArithmeticError) as error:  # such as a field that is gone
        raise NotUndone("The values before this change cannot be read any more.", stored) from error
    return entity(**values, **missing, revision=entry.serial)


def before_bulk(stored: Any, change_id: str, asked_at: datetime) -> Any:
    """Return the entity as it was before a bulk change that has changed it. Raises: :class:`NotUndone`."""
    entries = queries.history(newest_change(stored).thing.key).consistently().take(SEARCHED)
    wanted = next((entry for entry in entries if entry.bulk == change_id), None)
    if settings.HISTORY_DAYS and asked_at + timedelta(settings.HISTORY_DAYS) < timezone.now():
        raise NotUndone(f"This change is not in the history any more.{_kept()}")
    if wanted is None and (len(entries) < SEARCHED or entries[-1].at < asked_at):
        return stored
    if wanted is None or wanted is not entries[0]:
        raise NotUndone(_since(entries[0], ""), since=entries[0])
    return taken_back(type(stored), stored, wanted)


def last_author(stored: Any) -> str:
    newest = queries.history(newest_change(stored).thing.key).consistently().first()
    return newest.by if newest else IMPORT.username


def _kept() -> str:
    """Return how long the history keeps a change, in words; blank for ever."""
    return f" Changes are kept for {settings.HISTORY_DAYS:,} days." if settings.HISTORY_DAYS else ""


def _since(newest: HistoryEntry, by: str) -> str:
    """Return what somebody did to a thing meanwhile, in words. Braces stand for the author's name."""
    who = "You have" if newest.by == by else "An import has" if newest.how is How.IMPORT else "{} has"
    return f"{who} {newest.what} this since."
