"""The one write path for entities: changes become transactions that keep counts and totals right.

A :class:`Writer` says which items an entity has. This module does the rest: it raises the revision, splits many changes
into transactions, and plans again if somebody else has changed an item first. A writer has four verbs: ``create``,
``update`` and ``delete`` for one entity that was read, and ``save`` for many changes. Each ``commit`` is one
transaction.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from operator import itemgetter
from time import time_ns
from typing import Any, Generic, Self, TypeVar

from pynamodb.expressions.condition import Condition

from dynamodb_lists.connection.errors import AlreadyExists, ChangedMeanwhile, Conflict, UnknownField
from dynamodb_lists.connection.scope import MOST_ATTEMPTS, wait
from dynamodb_lists.planning.selection import CombinationT
from dynamodb_lists.reading.fetching import in_parallel
from dynamodb_lists.schema import values
from dynamodb_lists.schema.entities import AddedRecord, field, fields, same
from dynamodb_lists.schema.keys import now
from dynamodb_lists.schema.models import ItemModel
from dynamodb_lists.writing.transactions import (
    MAX_BYTES,
    MAX_WRITES,
    Delete,
    Put,
    Update,
    Write,
    assigned,
    check_size,
    commit,
)

T = TypeVar("T")
ResultT = TypeVar("ResultT")


@dataclass(frozen=True, slots=True)
class Change(Generic[T]):
    """An entity before and after a change; ``None`` stands for no entity."""

    before: T | None
    after: T | None

    @property
    def entity(self) -> T:
        """The entity after the change; for a deletion, the entity before it."""
        entity = self.after if self.after is not None else self.before
        assert entity is not None, "a change of nothing"
        return entity


ALL = None
"""Says of :meth:`Writer.update` that everything must be as it was seen."""
Seen = Sequence[str] | Mapping[str, Any] | None
Function = Callable[[Sequence[Change[Any]], Any], Iterable[Write]]
Afterwards = Callable[[Sequence[Change[Any]], Any], None]
Derive = Callable[[T | None, T, Any], T]
"""Gives an entity to be written the values which follow from it, from the one before, if any, and from the actor."""


class Writer(Generic[T]):
    """Writes changes of one kind of entity: a subclass has its items, an instance what is written with them."""

    model: type[ItemModel]
    """The model of the entity's item."""
    ids: Sequence[str] = ()
    """The fields that identify an entity, the last one among those of an owner. If they change, its item moves."""
    word_items: Callable[[T], Sequence[ItemModel]] = staticmethod(lambda _: ())
    """Items that only repeat what the entity's items say, such as its words. Their writes have no condition."""
    actor: Any = None
    """Who makes the changes; see :meth:`by`."""
    derive: Derive[T] | None = None
    functions: tuple[Function, ...] = ()
    afterwards: tuple[Afterwards, ...] = ()

    def of(
        self,
        model: type[ItemModel],
        word_items: Callable[[T], Sequence[ItemModel]] | None,
        derive: Derive[T] | None = None,
    ) -> Self:
        """Return the same writer for the items of ``model``. By default, the fields in its key identify an entity."""
        names = dict.fromkeys(name for template in model.table_templates().values() for name in template.names)
        words = word_items or self.word_items
        return self._with(model=model, ids=self.ids or tuple(names), word_items=words, derive=derive)

    def by(self, actor: Any) -> Self:
        """Return the same writer for changes by ``actor``, whom its functions get."""
        return self._with(actor=actor)

    def with_writes(self, *functions: Function) -> Self:
        """As :meth:`List.with_writes <dynamodb_lists.List.with_writes>`."""
        return self._with(functions=(*self.functions, *functions))

    def after_writes(self, *functions: Afterwards) -> Self:
        """As :meth:`List.after_writes <dynamodb_lists.List.after_writes>`."""
        return self._with(afterwards=(*self.afterwards, *functions))

    def _with(self, **attributes: Any) -> Self:
        other = copy(self)
        vars(other).update(attributes)
        return other

    # --- What a subclass says -----------------------------------------------------------------------------------

    def items(self, entity: T) -> Sequence[ItemModel]:
        """Return the entity's items. Each stored item must have the revision that was read, or not exist yet."""
        return [self.model.item(entity)]

    def as_stored(self, before: T | None, after: Any) -> T:
        """Return the entity as it is to be written after ``before``, with the next revision.

        An :class:`AddedRecord` is added by the actor, if that is known, now or when it says itself.
        """
        seen: Any = before
        after = self.derive(before, after, self.actor) if self.derive else after
        last: Any = before or after  # what an undo adds goes on from the revision that it had
        more: dict[str, Any] = {"revision": last.revision + 1 if seen or last.revision else first_revision()}
        if self.actor is not None and isinstance(after, AddedRecord):
            more["added_at"] = seen.added_at if seen else after.added_at or now()
            more["added_by"] = seen.added_by if seen else str(self.actor)
        return replace(after, **more)  # type: ignore[no-any-return]

    def change(self, before: T | None, after: T) -> list[Change[T]]:
        """Return the changes that make ``after`` of ``before``: one, or none if both are equal."""
        after = values.stored(after)
        is_same = before is not None and same(before, after)
        return [] if is_same else [Change(before, self.made(before, after))]

    def made(self, before: T | None, after: T) -> T:
        """Return the entity to write after ``before``, with its next revision and with values as they are stored.
        Raises: :class:`WrongValue`.
        """
        made = self.as_stored(before, values.stored(after))
        return values.stored(made) if self.derive else made

    def checked(self, entity: T) -> T:
        """Return an entity with values as they are stored, after composing all its keys. Raises: ``WrongValue``."""
        entity = values.stored(entity)
        self.item_writes(Change(None, entity))
        return entity

    def stored(self, refusal: Conflict) -> T | None:
        """Return the stored entity that refused a write; ``None`` if another item did. Sends nothing."""
        return next(map(self.model.entity_of, filter(self.model.made, refusal.items)), None)

    def whole(self, seen: T) -> T | None:
        """Return the whole stored entity; ``seen`` may lack fields. ``None`` means that the entity is deleted."""
        return seen

    def taken(self, new: T, stored: T | None) -> Conflict:
        """Return the error for a new entity whose id is in use. ``stored`` is the entity that has the id, if known."""
        kind, name = self.model.kind, self.ids[-1]
        label = field(type(new), name).label.lower()  # type: ignore[arg-type]
        return AlreadyExists(f"There is already a {kind} {getattr(new, name)}. Choose another {label}.")

    def moved(self, stored: T | None, seen: Mapping[str, Any]) -> ChangedMeanwhile:
        """Return the error for a change of an entity that is not as ``seen``; ``stored`` is it now, if known."""
        return ChangedMeanwhile(stored=stored)

    def group(self, change: Change[T]) -> Any:
        """Return a sort key for many changes, by which they are put into transactions."""
        return ()

    # --- Transactions -------------------------------------------------------------------------------------------

    def item_writes(self, change: Change[T]) -> list[Write]:
        """Return the writes of the items. An item that keeps its key is updated. Raises: ``KeyPartError``."""
        pair = change.before, change.after
        old, new = [{Put(item).key: item for item in self.items(each)} if each else {} for each in pair]
        gone = (item for key, item in old.items() if key not in new)
        writes: list[Write] = [Delete(item, as_seen(type(item), change.before)) for item in gone]
        for key, item in new.items():
            check_size(item.attribute_values)
            if key not in old:
                writes.append(Put(item, as_seen(type(item), None)))
            elif names := self.changed(old[key], item):
                writes.append(Update(item, as_seen(type(item), change.before), assigned(item, names)))
        before, after = [self.word_items(each) if each else () for each in pair]
        if [word.attribute_values for word in before] == [word.attribute_values for word in after]:
            return writes
        puts = [*map(Put, after)]
        kept = {put.key for put in puts}
        return [*writes, *puts, *(delete for delete in map(Delete, before) if delete.key not in kept)]

    def changed(self, old: ItemModel, new: ItemModel) -> list[str]:
        """Return the names of the attributes in which an item has changed."""
        before, after = old.attribute_values, new.attribute_values
        return [name for name in {**before, **after} if before.get(name) != after.get(name)]

    def shared(self, changes: Sequence[Change[T]]) -> list[Write]:
        """Return the further writes of the transaction, as the functions of :meth:`with_writes` give them."""
        return [write for function in self.functions for write in function(changes, self.actor)]

    def commit(self, changes: Sequence[Change[T]], own: Sequence[Write] | None = None) -> None:
        """Write changes in one transaction. ``own``: their :meth:`item_writes`, if known. Raises: as :func:`commit`."""
        if own is None:
            own = [*chain.from_iterable(map(self.item_writes, changes))]
        commit([*own, *self.shared(changes)])
        for function in self.afterwards:
            function(changes, self.actor)

    def _found(self, before: T | None, stored: T) -> T:
        """Return the stored entity, which is as a change would make it, after the functions of :meth:`after_writes`."""
        for function in self.afterwards:
            function([Change(before, stored)], self.actor)
        return stored

    def create(self, new: T | Callable[[], T], *, done: Callable[[T], bool] | None = None) -> T:
        """As :meth:`List.create <dynamodb_lists.List.create>`. Raises: :meth:`taken`, or :class:`Conflict` if an item
        that the entity belongs to is missing.
        """
        for attempt in range(MOST_ATTEMPTS):
            made = self.made(None, new() if callable(new) else new)
            try:
                self.commit([Change(None, made)])
            except Conflict as error:
                found = self.stored(error)
                if found is not None and (done(found) if done else same(found, made)):
                    return self._found(None, found)
                if found is None and callable(new) and attempt < MOST_ATTEMPTS - 1:
                    wait(attempt)
                elif found is None and error.missing:
                    raise Conflict(f"What this {self.model.kind} belongs to does not exist.") from error
                else:
                    raise self.taken(made, found) from error
            else:
                return made
        raise AssertionError("unreachable: the last attempt returns or raises")

    def update(
        self, seen: T, to: T | Callable[[T], T], *, on: Seen = ALL, done: Callable[[T], bool] | None = None
    ) -> T:
        """As :meth:`List.update <dynamodb_lists.List.update>`. Raises :meth:`taken`, and :meth:`moved`."""
        make: Callable[[T], Any] = to if callable(to) else lambda _: to
        base, wanted, refusal, after = self.whole(seen), values_seen(seen, on), None, None
        for attempt in range(MOST_ATTEMPTS):
            if base is None:
                break
            made = self.made(base, make(base))
            has_moved = any(getattr(base, name) != value for name, value in wanted.items())
            if has_moved or not _is_same_revision(base, seen):  # others have written it, or an earlier attempt
                is_made = self._is_made(seen, base, after or made) if on is ALL else _equal(base, made)
                if is_made or (done and done(base)):
                    return self._found(seen, base)
                if has_moved or on is ALL:
                    break
            if attempt:
                wait(attempt - 1)
            try:
                self.commit([Change(base, made)])
            except Conflict as error:
                refusal, after, last, base = error, made, base, self.stored(error)
                if base is not None and self._id(base) != self._id(last):  # the place that it moves to
                    if error.missing and self._is_made(last, base, made):
                        return self._found(last, base)
                    raise self.taken(made, base) from error
                if base is not None and base.revision == last.revision:  # type: ignore[attr-defined]
                    break  # it is refused for another reason
            else:
                return made
        raise self.moved(base, wanted) from refusal

    def _id(self, entity: T) -> list[Any]:
        return [getattr(entity, name) for name in self.ids]

    @staticmethod
    def _is_made(seen: Any, stored: Any, made: Any) -> bool:
        """Return whether the stored entity is what the change makes of ``seen``."""
        return (stored.revision - seen.revision) % GENERATION == 1 and same(stored, made)

    def delete(self, seen: T) -> None:
        """Delete an entity that was read. Raises: :class:`ChangedMeanwhile`."""
        try:
            self.commit([Change(seen, None)])
        except Conflict as error:
            stored = self.stored(error)
            if stored is None or not _is_same_revision(stored, seen) or stored.revision == seen.revision:  # type: ignore[attr-defined]
                raise ChangedMeanwhile(stored=stored) from error
            self.delete(stored)

    def redact(self, entities: Iterable[T], **changed: Any) -> int:
        """As :meth:`List.redact <dynamodb_lists.List.redact>`. The fields must be in no key, count or word."""
        return sum(in_parallel([partial(self._redacted, entity, changed) for entity in entities]))

    def _redacted(self, entity: Any, changed: Mapping[str, Any]) -> bool:
        given = {name: value(entity) if callable(value) else value for name, value in changed.items()}
        found = {name: values.checked(field(entity.__class__, name), value) for name, value in given.items()}
        item, *_ = self.items(replace(entity, **found))
        exists: Any = self.model._hash_key_attribute()  # type: ignore[no-untyped-call]
        try:
            Update(item, exists.exists(), assigned(item, [self.model.renames.get(name, name) for name in found])).send()
        except Conflict:
            return False  # it was deleted
        return True

    def save(self, find_changes: Callable[[], Iterable[Change[T]]]) -> int:
        """Write all changes that ``find_changes`` returns, in as few transactions as possible, and return their number.

        If somebody else has changed an item meanwhile, ``find_changes`` is called again after a short wait.

        Raises: the errors of :func:`retried`.
        """
        written = 0

        def write() -> None:
            nonlocal written
            for batch, own in self.batches(find_changes()):
                self.commit(batch, own)
                written += len(batch)

        retried(write, f"Others keep changing the same {self.model.kind}s, or what one belongs to does not exist.")
        return written

    def batches(self, changes: Iterable[Change[T]]) -> Iterator[tuple[list[Change[T]], list[Write]]]:
        """Yield batches of changes, each as large as a transaction allows, with the :meth:`item_writes` of each."""
        batch: list[Change[T]] = []
        writes: list[Write] = []
        size = 0
        shared: set[Hashable] = set()
        planned = [(change, self.item_writes(change), self.shared([change])) for change in changes]
        # Changes that share an item come together, so that they share transactions.
        planned.sort(key=lambda each: (self.group(each[0]), [one.key for one in each[2][:1]]))
        for change, own, also in planned:
            own_size, keys = sum(write.size for write in (*own, *also)), {write.key for write in also}
            if batch and (len(writes) + len(own) + len(shared | keys) > MAX_WRITES or size + own_size > MAX_BYTES):
                yield batch, writes
                batch, writes, size, shared = [], [], 0, set()
            batch.append(change)
            writes += own
            size += own_size
            shared |= keys
        if batch:
            yield batch, writes


def retried(write: Callable[[], ResultT], refusal: str) -> ResultT:
    """Return the result of ``write``. If an item has changed since it was read, call it again after a short wait.

    Raises: :class:`ChangedMeanwhile` with the message ``refusal`` after eight attempts.
    """
    for attempt in range(MOST_ATTEMPTS):
        try:
            return write()
        except Conflict as error:
            if attempt == MOST_ATTEMPTS - 1:
                raise ChangedMeanwhile(refusal) from error
            wait(attempt)
    raise AssertionError("unreachable: the last attempt returns or raises")


def deltas(changes: Iterable[tuple[CombinationT | None, CombinationT | None]]) -> dict[CombinationT, int]:
    """Return the number to add to each count because of these changes; counts that stay the same are left out.

    A change is an item's combination before and after; ``None`` stands for no item.
    """
    added: Counter[CombinationT] = Counter()
    for before, after in changes:
        if before is not None:
            added[before] -= 1
        if after is not None:
            added[after] += 1
    return dict(sorted(filter(itemgetter(1), added.items())))


def values_seen(seen: Any, on: Seen) -> Mapping[str, Any]:
    """Return the fields that must still have the values in ``seen``; no field if the revision is compared instead.

    Raises: ``UnknownField`` for a name that no field has.
    """
    if unknown := {*(on or ())} - {each.name for each in fields(type(seen))}:  # type: ignore[arg-type]
        raise UnknownField(f"{type(seen).__name__} has no field {min(unknown)}, so on= cannot name it.")
    return on if isinstance(on, Mapping) else {name: getattr(seen, name) for name in on or ()}


def _equal(stored: Any, made: Any) -> bool:
    return bool(replace(made, revision=stored.revision) == stored)


GENERATION = 10**14
"""A revision tells by its multiple of this in which counts and words its item is. The rest counts the changes."""


def in_generation(revision: int, generation: int) -> int:
    """Return the revision which says that its item is counted, and has words, in a generation of a list."""
    return generation * GENERATION + revision % GENERATION


def generation_of(revision: int) -> int:
    """Return the generation of counts and words in which the item of this revision is."""
    return revision // GENERATION


def _is_same_revision(one: Any, other: Any) -> bool:
    """Return whether nobody has changed an entity between two revisions, except by a new generation."""
    return bool((one.revision - other.revision) % GENERATION == 0)


def first_revision() -> int:
    """Return the revision of a new entity: the time in milliseconds. So a reused id never has an old revision."""
    return time_ns() // 1_000_000


def as_seen(model: type[ItemModel], seen: Any | None) -> Condition:
    """Return the condition that a stored item has the revision of ``seen``; for ``None``, that there is no item.

    An item without a revision has the revision 0. If the model has no revision, the item must exist.
    """
    partition: Any = model._hash_key_attribute()  # type: ignore[no-untyped-call]
    revision = model.get_attributes().get("revision")
    if seen is None:
        condition: Condition = partition.does_not_exist()
    elif revision is None:
        condition = partition.exists()
    elif seen.revision:
        condition = revision == seen.revision
    else:
        condition = partition.exists() & (revision.does_not_exist() | (revision == 0))
    return condition
