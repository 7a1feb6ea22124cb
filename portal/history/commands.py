"""Writes of the history. An entry is always a part of the transaction of its change.

An entry says which fields differ, each with its value before and after, as short texts.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal
from functools import partial
from operator import attrgetter
from os.path import commonprefix
from typing import Any, TypeVar

from django.conf import settings
from django.utils import timezone

from dynamodb_lists import Change, List, Put, errors, in_parallel
from dynamodb_lists.schema import entities
from portal.forms.values import text_of
from portal.history import keys
from portal.history.entities import REPAIR, Actor, FieldChange, HistoryEntry, How, What
from portal.history.models import HistoryModel
from portal.history.queries import HISTORY

EntityT = TypeVar("EntityT")
LENGTH = 500
"""The most characters of a value in an entry of a bulk change or an import: a transaction has at most 4 MB.

Lists of changes show as many. The entry of a single change has whole texts, so that it can be undone.
"""

WHOLE = frozenset({How.PORTAL, How.UNDO})
"""How changes are made whose entries have whole texts."""

BEFORE_DIFFERENCE = 60
"""How many characters an excerpt has before the first difference."""


@dataclass
class Recorded:
    """How the changes of a list are recorded, and undone. An entity without a ``hotel_id`` belongs to the group."""

    of: List[Any]
    load: Callable[..., Any]
    """The entity with these ids as stored, read consistently. Raises ``NotFound``."""
    undoing: Mapping[str, str]
    """The permissions to undo a change: by what happened (``created``, ``changed``, ``deleted``), by a field's name,
    or by a field with one of its two values, as ``status=CANCELLED``. The last of these that exists counts. With
    ``own `` before it, it is for those who made the change. What is not named cannot be undone.
    """
    restored: Callable[[Any, Any, str], Any] = lambda before, after, by: after
    """What an undo by somebody writes after ``before`` so that it is as in ``after``; ``None`` is no entity.
    Raises :class:`Conflict` for what a form would refuse.
    """
    serial: Callable[[Any], int] = attrgetter("revision")
    """The number of the entity's newest change, which its entry in the history has, too."""

    def ids(self, entity: Any) -> tuple[str, ...]:
        """Return the values that identify an entity among those of its kind. The address of its page contains them."""
        return tuple(getattr(entity, name) for name in self.of.ids)

    def thing(self, entity: Any) -> str:
        return keys.thing(self.of.model.kind, *self.ids(entity))

    def undo(self, before: Any | None, after: Any | None, by: str) -> Any:
        """Write what an undo sets, and return the entity. ``None`` stands for no entity. Raises: :class:`Conflict`."""
        listed, after = self.of.by(Actor(by, How.UNDO)), self.restored(before, after, by)
        try:
            if after is None:
                listed.delete(before)
                return before
            return listed.update(before, after, on=("revision",)) if before else listed.create(after)
        except errors.UnknownValue as error:
            label = entities.field(self.of.model.entity, error.facet).label
            raise errors.Conflict(f"{label} {error.value} does not exist any more.") from error
        except errors.AlreadyExists as error:
            if before is not None:
                raise  # its former id is in use
            raise errors.Conflict("Somebody has added something else with the same number or name since.") from error

    def entries(self, changes: Sequence[Change[Any]], by: Actor) -> Iterator[Put]:
        """Yield the entry of each change. If the entity's ids change, there is an entry under the old ids, too."""
        for change in changes if by != REPAIR else ():
            before, after, thing = change.before, change.after, self.thing(change.entity)
            if before is None and by.how is How.IMPORT:
                continue
            what = What.CREATED if before is None else What.CHANGED if after else What.DELETED
            entry = HistoryEntry(thing=thing, at=timezone.now(), by=by.username, how=by.how, what=what, bulk=by.bulk)
            if before and getattr(after, "erased_at", None) and not before.erased_at:
                yield entry_put(replace(entry, what=What.ERASED))  # it has no values
                continue
            entry = replace(
                entry,
                changes=tuple(differences(before, after, whole=by.how in WHOLE)),
                hotel_id=getattr(change.entity, "hotel_id", ""),
                serial=self.serial(change.entity) + (after is None),
            )
            if before is None or (was := self.thing(before)) == thing:
                yield entry_put(entry)
            else:
                yield entry_put(replace(entry, moved_from=was))
                yield entry_put(replace(entry, thing=was, moved_to=thing))


RECORDED: dict[str, Recorded] = {}
"""How the changes of each kind of thing are recorded."""


def recorded(
    of: List[EntityT], undoing: Mapping[str, str], *, load: Callable[..., Any] | None = None, **how: Any
) -> List[EntityT]:
    """Return the same list, which records its changes for history and undo. ``how``: arguments of ``Recorded``."""

    def stored(*ids: str) -> Any:
        return of.get(consistent=True, **dict(zip(of.ids, ids, strict=True)))

    found = RECORDED[of.model.kind] = Recorded(of, load or stored, undoing, **how)
    found.of = of.with_writes(found.entries)
    return found.of


def entry_put(entry: HistoryEntry) -> Put:
    """Return the write of an entry. It never overwrites: another entry of the same microsecond is a conflict."""
    expires = {"expires_at": entry.at + timedelta(settings.HISTORY_DAYS)} if settings.HISTORY_DAYS else {}
    return Put(HistoryModel.item(entry, **expires), HistoryModel.pk.does_not_exist())


def differences(before: Any | None, after: Any | None, *, whole: bool = False) -> tuple[FieldChange, ...]:
    """Return the recorded fields in which an entity differs before and after a change; ``None`` stands for no entity.

    Long texts are excerpts, unless ``whole``.
    """
    entity: Any = before if after is None else after
    found = []
    for field in entities.fields(entity.__class__):
        if not field.recorded:
            continue
        old, new = getattr(before, field.name, None), getattr(after, field.name, None)
        texts = text_of(old), text_of(new)
        if old != new and texts != ("", ""):
            has_amounts = field.hint is Decimal or isinstance(new or old, tuple)  # as the lines of an order
            currency = getattr(entity, "currency", "") if has_amounts else ""
            found.append(FieldChange(field.name, *(texts if whole else excerpts(*texts)), currency))
    return tuple(found)


def erase_values(things: Iterable[str], fields: Sequence[str] = ()) -> int:
    """Remove the values from the history of things, for an erasure, and return the number of changed entries.

    With ``fields``, only the values of these fields are removed. The author, the time and the names of fields stay. The
    call is safe to repeat.
    """

    def without(entry: HistoryEntry) -> tuple[FieldChange, ...]:
        return tuple(
            FieldChange(change.field, "", "") if change.field in fields or not fields else change
            for change in entry.changes
        )

    return HISTORY.redact(with_values(things, fields), changes=without)


def with_values(things: Iterable[str], fields: Sequence[str] = ()) -> Iterator[HistoryEntry]:
    """Return the entries in the history of things that still have values, which :func:`erase_values` removes."""
    queries = [HISTORY.query(thing=thing).consistently() for thing in things]
    for entries in in_parallel([partial(list[HistoryEntry], query) for query in queries]):
        for entry in entries:
            changes = (each for each in entry.changes if each.field in fields or not fields)
            if any(each.before or each.after for each in changes):
                yield entry


def excerpts(before: str, after: str) -> tuple[str, str]:
    """Return both texts; if one is too long, excerpts that begin shortly before the first difference."""
    if max(len(before), len(after)) <= LENGTH:
        return before, after
    start = max(len(commonprefix([before, after])) - BEFORE_DIFFERENCE, 0)
    return _excerpt(before, start), _excerpt(after, start)


def _excerpt(text: str, start: int) -> str:
    """Return at most :data:`LENGTH` characters of a text. Dots mark where it was cut, and its whole length follows."""
    end = start + LENGTH
    if not start and len(text) <= end:
        return text
    return f"{'… ' * bool(start)}{text[start:end]}{' …' * (len(text) > end)} (of {len(text)} characters)"
