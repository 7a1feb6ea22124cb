"""Undo: the newest change of a thing is taken back. It is one mechanism for all things.

The history has both values of each field. An undo sets those before the change again, as a change of its own: by the
thing's own writer, with an entry of its own, so that it can be undone, too. It is refused if anything of the thing has
been changed since.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from django.core.exceptions import PermissionDenied
from django.utils.module_loading import import_string

from hotelapp.dynamodb.connection.errors import Conflict, NotFound
from hotelapp.dynamodb.schema.entities import fields
from hotelapp.history import queries
from hotelapp.history.commands import RecordedWriter, text_of
from hotelapp.history.entities import Actor, FieldChange, HistoryEntry, How, What
from hotelapp.history.subjects import Thing, subjects, thing_of
from hotelapp.portal.forms.values import recorded_value

SEARCHED = 10
"""How many of the newest entries may have the change that somebody wants to undo, so that a refusal can show it."""

_EXCERPT = re.compile(r"\(of (\d+) characters\)\Z")


class NotUndone(Conflict):
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
        super().__init__(message)
        self.stored, self.since, self.wanted = stored, since, wanted


@dataclass(frozen=True)
class Undone:
    """A thing after an undo, with the number of its newest change. Without an ``entity``, the undo has deleted it.

    ``again`` says that the same person had undone the change before.
    """

    thing: Thing
    serial: int
    entity: Any | None
    again: bool = False


def writer_of(thing: Thing) -> type[RecordedWriter[Any]] | None:
    """The writer of a kind of thing; ``None`` if its changes cannot be undone."""
    name = thing.subject.writer
    return import_string(name) if name else None


def changed_thing(entity: Any) -> tuple[Thing, int]:
    """The thing that an entity is, and the number of its newest change."""
    for subject in subjects().values():
        writer = writer_of(Thing(subject, ()))
        if writer and writer.model.entity is type(entity):
            return Thing(subject, tuple(getattr(entity, name) for name in writer.ids)), writer.serial(entity)
    raise TypeError(f"Changes of {type(entity).__name__} cannot be undone.")


def can_be_undone(thing: Thing, entry: HistoryEntry) -> bool:
    """Whether an entry is of a kind that can be undone: no import, no erasure, and not of an earlier release."""
    is_kind = entry.how is not How.IMPORT and not entry.moved_to and entry.what in thing.subject.undoing
    return bool(entry.serial) and is_kind and not any(map(_is_cut, entry.changes))


def undo(thing: Thing, serial: int, by: str, may: Callable[[str], bool]) -> Undone:
    """Take back the change of this number; if the same person has just done so, nothing is written.

    Raises :class:`NotUndone`, and :class:`PermissionDenied` if the user may not make such a change.
    """
    for is_last in (False, True):
        try:
            return _undone(thing, serial, by, may)
        except NotUndone:
            raise
        except Conflict as error:  # somebody was quicker, perhaps the same form: the newest entry then says who
            if is_last:
                raise NotUndone(str(error)) from error
    raise AssertionError("unreachable: the last attempt returns or raises")


def _undone(thing: Thing, serial: int, by: str, may: Callable[[str], bool]) -> Undone:
    writer_class = writer_of(thing)
    if writer_class is None:
        raise NotFound("Changes of this cannot be undone.")
    writer = writer_class(Actor(by, How.UNDO))
    stored = _stored(writer, thing)  # before the history, so that no change can come between
    entries = queries.newest(thing.key, SEARCHED)
    newest = entries[0] if entries else None
    wanted = next((entry for entry in entries if entry.serial == serial), None)
    if newest and (newest.how, newest.by, newest.serial) == (How.UNDO, by, serial + 1):
        return Undone(thing_of(newest.moved_to) or thing, newest.serial, stored, again=True)
    if wanted is None or wanted is not newest:
        raise NotUndone(_since(newest, by), stored, newest, wanted)
    if not can_be_undone(thing, wanted):
        raise NotUndone("A change of this kind cannot be undone.", stored)
    if not thing.subject.may_undo(wanted, by, may):
        raise PermissionDenied
    before = taken_back(writer.model.entity, stored, wanted)
    written = writer.restore(stored, before)
    return Undone(thing, serial + 1, None) if before is None else Undone(*changed_thing(written), written)


def taken_back(entity: Any, stored: Any | None, entry: HistoryEntry) -> Any | None:
    """The entity as it was before a change; ``None`` if the change added it.

    Raises :class:`NotUndone` if it is not as the change has left it, which an import can do without an entry.
    """
    described = {field.name: field for field in fields(entity) if field.recorded}
    as_left = all(text_of(getattr(stored, change.field, None)) == change.after for change in entry.changes)
    if not as_left or (stored is None) != (entry.what is What.DELETED):
        raise NotUndone("This has been changed since.", stored, wanted=entry)
    if entry.what is What.CREATED:
        return None
    try:
        values = {change.field: recorded_value(described[change.field], change.before) for change in entry.changes}
        if stored is not None:
            return replace(stored, **values)
        missing = {name: recorded_value(field, "") for name, field in described.items() if name not in values}
    except (LookupError, ValueError, ArithmeticError) as error:  # an earlier release had other fields
        raise NotUndone("This release cannot read the former values.", stored) from error
    return entity(**values, **missing, revision=entry.serial)


def _stored(writer: RecordedWriter[Any], thing: Thing) -> Any | None:
    try:
        return writer.load(*thing.ids)
    except NotFound:
        return None


def _since(newest: HistoryEntry | None, by: str) -> str:
    """What somebody did to a thing meanwhile, in words."""
    if newest is None:
        return "This has been changed since."
    who = "You have" if newest.by == by else "An import has" if newest.how is How.IMPORT else f"{newest.by} has"
    return f"{who} {newest.what} this since."


def _is_cut(change: FieldChange) -> bool:
    """Whether a text is an excerpt, as earlier releases and bulk changes have it."""
    found = [(match, text) for text in (change.before, change.after) if (match := _EXCERPT.search(text))]
    return any(len(text) < int(match[1]) for match, text in found)
