"""Writes of the history. An entry is never written alone: it is a part of the transaction of the change."""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from typing import Any, ClassVar, TypeVar

from django.utils import timezone

from hotelapp.dynamodb.reading.items import read_partition
from hotelapp.dynamodb.schema.entities import stored_values
from hotelapp.dynamodb.schema.models import Values
from hotelapp.dynamodb.writing import single_items
from hotelapp.dynamodb.writing.changes import Change, ChangeWriter
from hotelapp.dynamodb.writing.transactions import Put, Write
from hotelapp.history import keys
from hotelapp.history.differences import differences
from hotelapp.history.entities import REPAIR, Actor, FieldChange, HistoryEntry, How, What
from hotelapp.history.models import HistoryModel

T = TypeVar("T")
DIGEST = 8
"""The hexadecimal digits of an entry's digest."""


class RecordedWriter(ChangeWriter[T]):
    """A :class:`ChangeWriter` whose changes are recorded. A subclass sets ``kind``, which its items' model has, too."""

    kind: ClassVar[str]

    def __init__(self, actor: Actor) -> None:
        self.actor = actor

    @abstractmethod
    def ids(self, entity: T) -> tuple[str, ...]:
        """The ids that identify the entity among those of its kind. They are a part of the page's address."""

    def hotel_id(self, entity: T) -> str:
        """The hotel that the entity belongs to; by default none, because it belongs to the whole group."""
        return ""

    def history(self, change: Change[T]) -> list[Write]:
        """The change's entry. If the entity's ids change, there is an entry under the old ones, too."""
        if self.actor == REPAIR or (change.before is None and self.actor.how is How.IMPORT):
            return []
        before, after = (
            keys.thing(self.kind, *self.ids(entity)) if entity is not None else ""
            for entity in (change.before, change.after)
        )
        entry = replace(_entry(after or before, change, self.actor), hotel_id=self.hotel_id(change.entity))
        if not before or not after or before == after:
            return [entry_put(entry)]
        return [
            entry_put(replace(entry, moved_from=before)),
            entry_put(replace(entry, thing=before, moved_to=after)),
        ]


def added(entity: Any, before: Any | None, actor: Actor) -> dict[str, Any]:
    """When and by whom an entity was added: the values for its fields ``added_at`` and ``added_by``.

    They stay what they were ``before``. A new entity is added by the actor, now or, as demo data, when it says itself.
    """
    if before is not None:
        return {"added_at": before.added_at, "added_by": before.added_by}
    return {"added_at": entity.added_at or timezone.now().replace(microsecond=0), "added_by": actor.username}


def entry_put(entry: HistoryEntry) -> Put:
    """The write of an entry. Nothing overwrites an entry."""
    digest = sha256(repr(entry).encode(errors="surrogatepass")).hexdigest()[:DIGEST]
    in_index = entry.how is not How.IMPORT and not entry.moved_to  # one change, one row in the list of its maker
    item = HistoryModel(
        entry.thing,
        keys.entry(entry.at, digest, entry.bulk),
        staff=entry.by if in_index else None,
        **stored_values(entry),
    )
    return Put(item, HistoryModel.pk.does_not_exist())


def erasure(actor: Actor, kind: str, *ids: str) -> Put:
    """The entry that says that a thing's values were erased, for the transaction that erases them. It has no values."""
    thing = keys.thing(kind, *ids)
    return entry_put(HistoryEntry(thing=thing, at=timezone.now(), by=actor.username, how=actor.how, what=What.ERASED))


def erase_values(kind: str, *ids: str) -> int:
    """Remove the values from the history of a person who asks to be forgotten; returns how many entries had some.

    Who changed which fields, and when, stays. It is safe to repeat.
    """
    erased = 0
    for values in list(_with_values(kind, *ids)):
        changes = [FieldChange(change.field, "", "") for change in values["changes"]]
        item = HistoryModel(values["pk"], values["sk"])
        single_items.update(item, [HistoryModel.attribute("changes").set(changes)], HistoryModel.pk.exists())
        erased += 1
    return erased


def has_values(kind: str, *ids: str) -> bool:
    """Whether the history of a thing has values, which :func:`erase_values` removes."""
    return any(_with_values(kind, *ids))


def _with_values(kind: str, *ids: str) -> Iterator[Values]:
    entries = read_partition(HistoryModel, keys.thing(kind, *ids), ("pk", "sk", "changes"), consistent=True)
    return (values for values in entries if any(change.before or change.after for change in values["changes"]))


def _entry(thing: str, change: Change[Any], actor: Actor) -> HistoryEntry:
    what = What.CHANGED
    if change.before is None or change.after is None:
        what = What.CREATED if change.before is None else What.DELETED
    changes = differences(change.before, change.after)
    by, how, bulk = actor.username, actor.how, actor.bulk
    return HistoryEntry(thing=thing, at=timezone.now(), by=by, how=how, what=what, changes=changes, bulk=bulk)
