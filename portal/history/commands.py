"""Writes of the history. An entry is never written alone: it is a part of the transaction of the change.

It says which fields differ, each with its value before and after, as short texts.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, is_dataclass, replace
from datetime import datetime
from decimal import Decimal
from hashlib import sha256
from os.path import commonprefix
from typing import Any, ClassVar, TypeVar

from django.utils import timezone

from dynamodb_lists.connection.errors import Conflict
from dynamodb_lists.reading.items import read_partition
from dynamodb_lists.schema import entities
from dynamodb_lists.schema.keys import time_part
from dynamodb_lists.schema.models import Values
from dynamodb_lists.writing import single_items
from dynamodb_lists.writing.changes import Change, Writer
from dynamodb_lists.writing.transactions import Put, Write
from portal.history import keys
from portal.history.entities import REPAIR, Actor, FieldChange, HistoryEntry, How, What
from portal.history.models import HistoryModel

T = TypeVar("T")
DIGEST = 8
"""The hexadecimal digits of an entry's digest."""

LENGTH = 500
"""The most characters of a value in an entry of a bulk change or an import: a transaction has at most 4 MB.

Lists of changes show as many. The entry of a single change has whole texts, so that it can be undone.
"""

WHOLE = frozenset({How.PORTAL, How.UNDO})
"""How changes are made whose entries have whole texts."""

TAKEN = "Somebody has added another one in its place."

BEFORE_DIFFERENCE = 60
"""How many characters an excerpt has before the first difference."""


WRITERS: dict[str, "type[RecordedWriter[Any]]"] = {}
"""The writer of each kind of thing."""


class RecordedWriter(Writer[T]):
    """A :class:`Writer` whose changes are recorded. An entity without a ``hotel_id`` belongs to the group."""

    undoing: ClassVar[Mapping[str, str]] = {}
    """The permissions to undo a change: by what happened (``created``, ``changed``, ``deleted``), by a field's name,
    or by a field with one of its two values, as ``status=CANCELLED``. The last of these that exists counts. With
    ``own `` before it, it is for those who made the change. What is not named cannot be undone.
    """

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if hasattr(cls, "model"):
            WRITERS.setdefault(cls.model.kind, cls)

    def __init__(self, actor: Actor) -> None:
        self.actor = actor

    def load(self, *ids: str) -> T:
        """The entity as stored, read consistently, so that a change of it can be undone. Raises :class:`NotFound`."""
        raise NotImplementedError

    def as_stored(self, before: T | None, after: Any) -> T:
        """With when and by whom it was added, too, which stays what it was ``before``.

        A new entity is added by the actor, now or, as demo data, when it says itself.
        """
        seen: Any = before
        at = seen.added_at if seen else after.added_at or timezone.now().replace(microsecond=0)
        by = seen.added_by if seen else self.actor.username
        return super().as_stored(before, replace(after, added_at=at, added_by=by))

    def change_of_row(self, before: T | None, row: T) -> Change[T] | None:
        """The change to what a row of a file says; ``None`` if it changes nothing.

        What the file leaves out, and what the portal computes, stays as it is stored.
        """
        after: Any = row
        if before is not None:
            kept = {name: getattr(before, name) for name in entities.computed(type(before))}
            after = replace(entities.with_optional(after, before), **kept)
            if entities.same(before, after):
                return None
        return Change(before, self.as_stored(before, after))

    def undo(self, before: T | None, after: T | None) -> T:
        """Write what an undo sets; returns the entity. ``None`` stands for no entity. Raises :class:`Conflict`."""
        if after is None:
            assert before is not None, "an undo of nothing"
            self.delete(before)
            return before
        if before is not None:
            return self.update(before, after)
        try:
            return self.create(after)
        except Conflict as error:
            raise Conflict(TAKEN) from error

    @staticmethod
    def serial(entity: Any) -> int:
        """The number of the entity's newest change, which its entry in the history has, too."""
        return int(entity.revision)

    def thing(self, entity: T) -> str:
        """The key of the entity's history."""
        return keys.thing(self.model.kind, *(getattr(entity, name) for name in self.ids))

    def counts_and_totals(self, changes: Sequence[Change[T]]) -> list[Write]:
        """The updates of counts and totals, which the changes of a transaction share."""
        return []

    def shared(self, changes: Sequence[Change[T]]) -> list[Write]:
        return [*self.counts_and_totals(changes), *(write for each in changes for write in self.history(each))]

    def history(self, change: Change[T]) -> list[Write]:
        """The change's entry. If the entity's ids change, there is an entry under the old ones, too."""
        if self.actor == REPAIR or (change.before is None and self.actor.how is How.IMPORT):
            return []
        entry = HistoryEntry(
            thing=self.thing(change.entity),
            at=timezone.now(),
            by=self.actor.username,
            how=self.actor.how,
            what=What.CREATED if change.before is None else What.DELETED if change.after is None else What.CHANGED,
            changes=tuple(differences(change.before, change.after, whole=self.actor.how in WHOLE)),
            hotel_id=getattr(change.entity, "hotel_id", ""),
            bulk=self.actor.bulk,
            serial=self.serial(change.entity) + (change.after is None),
        )
        before = entry.thing if change.before is None else self.thing(change.before)
        if before == entry.thing:
            return [entry_put(entry)]
        moved_to = replace(entry, thing=before, moved_to=entry.thing)
        return [entry_put(replace(entry, moved_from=before)), entry_put(moved_to)]


def entry_put(entry: HistoryEntry) -> Put:
    """The write of an entry. Nothing overwrites an entry."""
    digest = sha256(repr(entry).encode(errors="surrogatepass")).hexdigest()[:DIGEST]
    return Put(HistoryModel.item(entry, digest=digest), HistoryModel.pk.does_not_exist())


def differences(before: Any | None, after: Any | None, *, whole: bool = False) -> tuple[FieldChange, ...]:
    """The recorded fields in which an entity differs before and after a change; ``None`` stands for no entity.

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


def erasure(actor: Actor, thing: str) -> Put:
    """The entry that says that a thing's values were erased, for the transaction that erases them. It has no values."""
    return entry_put(HistoryEntry(thing=thing, at=timezone.now(), by=actor.username, how=actor.how, what=What.ERASED))


def erase_values(kind: str, *ids: str, fields: Sequence[str] = ()) -> int:
    """Remove the values from a thing's history, as somebody asks to be forgotten; returns how many entries had some.

    If ``fields`` are named, only theirs go. Who changed which fields, and when, stays. It is safe to repeat.
    """
    erased = 0
    for values in list(_with_values(kind, ids, fields)):
        changes = [
            FieldChange(change.field, "", "") if change.field in fields or not fields else change
            for change in values["changes"]
        ]
        item = HistoryModel(values["pk"], values["sk"])
        single_items.update(item, [HistoryModel.attribute("changes").set(changes)], HistoryModel.pk.exists())
        erased += 1
    return erased


def has_values(kind: str, *ids: str, fields: Sequence[str] = ()) -> bool:
    """Whether the history of a thing has values, which :func:`erase_values` removes."""
    return any(_with_values(kind, ids, fields))


def _with_values(kind: str, ids: Sequence[str], fields: Sequence[str]) -> Iterator[Values]:
    for values in read_partition(HistoryModel, keys.thing(kind, *ids), ("pk", "sk", "changes"), consistent=True):
        changes: Sequence[FieldChange] = values["changes"]
        if any((each.before or each.after) and (each.field in fields or not fields) for each in changes):
            yield values


def text_of(value: Any) -> str:
    """A value as the history has it. A decimal has no zeros at its end, because DynamoDB does not keep them."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return time_part(value)
    if isinstance(value, tuple):
        rows = [[text_of(each) for each in astuple(element)] for element in value]
        return json.dumps(rows, ensure_ascii=False) if rows else ""
    if is_dataclass(value) and not isinstance(value, type):
        return json.dumps([*map(text_of, astuple(value))], ensure_ascii=False)
    return f"{value.normalize():f}" if isinstance(value, Decimal) else str(value)


def excerpts(before: str, after: str) -> tuple[str, str]:
    """Both texts, or excerpts that begin shortly before the first difference if one of them is too long."""
    if max(len(before), len(after)) <= LENGTH:
        return before, after
    start = max(len(commonprefix([before, after])) - BEFORE_DIFFERENCE, 0)
    return _excerpt(before, start), _excerpt(after, start)


def _excerpt(text: str, start: int) -> str:
    """At most :data:`LENGTH` characters of a text. Dots mark where it was cut, and its whole length follows."""
    end = start + LENGTH
    if not start and len(text) <= end:
        return text
    return f"{'… ' * bool(start)}{text[start:end]}{' …' * (len(text) > end)} (of {len(text)} characters)"
