"""One write path for entities: changes become transactions that keep counts and totals in step.

An app describes in a :class:`ChangeWriter` the writes of a change of its entity. This module does the rest: it raises
the revision, splits many changes into transactions, and plans again if somebody else changed an item first.

There are four verbs: ``create``, ``update`` and ``delete`` one entity that somebody saw, and ``save`` many changes.
Each ``commit`` is one transaction.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from time import time_ns
from typing import Any, ClassVar, Generic, TypeVar

from pynamodb.expressions.condition import Condition

from dynamodb_lists.connection.errors import ChangedMeanwhile, Conflict
from dynamodb_lists.connection.retries import MOST_ATTEMPTS, wait
from dynamodb_lists.planning.selection import CombinationT
from dynamodb_lists.reading.items import refusing
from dynamodb_lists.schema.entities import same
from dynamodb_lists.schema.models import ItemModel
from dynamodb_lists.schema.word_items import WordModel
from dynamodb_lists.writing.transactions import MAX_BYTES, MAX_WRITES, Delete, Put, Update, Write, assigned, commit

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Change(Generic[T]):
    """An entity before and after a change; ``None`` stands for no entity."""

    before: T | None
    after: T | None

    @property
    def entity(self) -> T:
        """The entity after the change, or before it if the change deletes it."""
        entity = self.after if self.after is not None else self.before
        assert entity is not None, "a change of nothing"
        return entity


class Gate:
    """What the caller of :meth:`ChangeWriter.save` decides about the changes that it finds. This one lets all through.

    ``also`` gives writes for the transaction of some changes, at most :attr:`most_writes`, and ``written`` is called
    once they are made.
    """

    most_writes = 0

    def allowed(self, changes: Iterable[Change[Any]]) -> Iterable[Change[Any]]:
        """The changes that are to be written; asked again for each attempt."""
        return changes

    def also(self, changes: Sequence[Change[Any]]) -> list[Write]:
        """The writes that these changes share a transaction with."""
        return []

    def written(self, changes: Sequence[Change[Any]]) -> None:
        """These changes are in."""


OPEN_GATE = Gate()


class ChangeWriter(ABC, Generic[T]):
    """Writes changes of one kind of entity. Subclasses describe the writes; this class commits them."""

    model: type[ItemModel]
    """The model of the entity's item."""

    def stored(self, refusal: Conflict) -> T | None:
        """The entity as it was when its item refused a write; ``None`` if it did not. It sends no request."""
        return next(map(self.model.entity_of, refusing(self.model, refusal)), None)

    @abstractmethod
    def item_writes(self, change: Change[T]) -> list[Write]:
        """The writes of the entity's own items."""

    def counts_and_totals(self, changes: Sequence[Change[T]]) -> list[Write]:
        """The updates of counts and totals, one for each item, which the changes of a transaction share."""
        return []

    def history(self, change: Change[T]) -> list[Write]:
        """The writes that record who made the change; none by default."""
        return []

    def writes(self, change: Change[T]) -> list[Write]:
        """The writes that a change does not share with others."""
        return [*self.item_writes(change), *self.history(change)]

    def group(self, change: Change[T]) -> Any:
        """A sort key. Changes that share counts should be next to each other, so that they share transactions."""
        return ()

    def forget(self, entity: T) -> None:
        """Remove the outdated entity from this process's cache; by default, nothing is cached."""

    def as_stored(self, before: T | None, after: Any) -> T:
        """The entity as it is to be written after ``before``, with the next revision."""
        stored: T = replace(after, revision=next_revision(before, after))
        return stored

    def taken(self, new: T) -> Conflict:
        """The refusal of a new entity whose id is in use."""
        return Conflict("Somebody has added another one under the same id.")

    def commit(
        self, changes: Sequence[Change[T]], also: Sequence[Write] = (), own: Sequence[Write] | None = None
    ) -> None:
        """Write the changes, and the writes in ``also``, in one transaction. ``own`` are their :meth:`writes`.

        Raises the same errors as :func:`~dynamodb_lists.writing.transactions.commit`.
        """
        if own is None:
            own = [write for change in changes for write in self.writes(change)]
        try:
            commit([*own, *self.counts_and_totals(changes), *also])
        finally:  # after an error, too: if an answer is lost, the changes may be made
            for change in changes:
                self.forget(change.entity)

    def create(self, new: Any) -> T:
        """Add an entity; returns it as it is stored. If the same was added before, returns that.

        Raises :meth:`taken`.
        """
        new = self.as_stored(None, new)
        try:
            self.commit([Change(None, new)])
        except Conflict as error:
            found = self.stored(error)
            if found is None or not same(found, new):
                raise self.taken(new) from error
            new = found
        return new  # type: ignore[no-any-return]

    def update(self, seen: T, after: Any) -> T:
        """Change an entity that its editor saw; returns it as it is stored.

        To make the same change again has no effect. The ids of the entity must stay.
        Raises :class:`ChangedMeanwhile`, also if the entity was deleted meanwhile.
        """
        after = self.as_stored(seen, after)
        try:
            self.commit([Change(seen, after)])
        except Conflict as error:
            found: Any = self.stored(error)
            if found is None or not same(found, after) or found.revision != after.revision:
                raise ChangedMeanwhile from error
            after = found
        return after  # type: ignore[no-any-return]

    def delete(self, seen: T) -> None:
        """Delete an entity that its editor saw. Raises :class:`ChangedMeanwhile`."""
        try:
            self.commit([Change(seen, None)])
        except Conflict as error:
            raise ChangedMeanwhile from error

    def save(self, find_changes: Callable[[], Iterable[Change[T]]], gate: Gate = OPEN_GATE) -> int:
        """Write all changes that ``find_changes`` finds, in as few transactions as possible; returns how many.

        The ``gate`` may hold some back, and add a write to each transaction.

        If somebody else changed an item meanwhile, ``find_changes`` is called again after a short wait.
        Raises :class:`~dynamodb_lists.connection.errors.Conflict` after eight attempts.
        """
        written = 0
        for attempt in range(MOST_ATTEMPTS):
            try:
                for batch, own in self.batches(gate.allowed(find_changes()), MAX_WRITES - gate.most_writes):
                    self.commit(batch, gate.also(batch), own)
                    gate.written(batch)
                    written += len(batch)
            except Conflict:
                if attempt == MOST_ATTEMPTS - 1:
                    raise
                wait(attempt)
            else:
                break
        return written

    def batches(
        self, changes: Iterable[Change[T]], most_writes: int = MAX_WRITES
    ) -> Iterator[tuple[list[Change[T]], list[Write]]]:
        """The changes in batches, each as large as one transaction allows, and the :meth:`writes` of each batch."""
        batch: list[Change[T]] = []
        writes: list[Write] = []
        size = 0
        shared: set[Hashable] = set()
        for change in sorted(changes, key=self.group):
            own = self.writes(change)
            also = {write.key for write in self.counts_and_totals([change])}
            own_size = sum(write.size for write in own)
            if batch and (len(writes) + len(own) + len(shared | also) > most_writes or size + own_size > MAX_BYTES):
                yield batch, writes
                batch, writes, size, shared = [], [], 0, set()
            batch.append(change)
            writes += own
            size += own_size
            shared |= also
        if batch:
            yield batch, writes


def deltas(changes: Iterable[tuple[CombinationT | None, CombinationT | None]]) -> dict[CombinationT, int]:
    """The number to add to each count because of these changes. Counts that stay the same are left out.

    A change is an item's combination before and after; ``None`` stands for no item.
    """
    added: Counter[CombinationT] = Counter()
    for before, after in changes:
        if before is not None:
            added[before] -= 1
        if after is not None:
            added[after] += 1
    return dict(sorted(filter(itemgetter(1), added.items())))


class WordsWriter(ChangeWriter[T]):
    """Writes entities with their word items."""

    word_items: Callable[[T], Sequence[WordModel]]
    """The word items that an entity should have."""
    counters: ClassVar[Sequence[str]]
    """The attributes that an edit leaves as they are, because other writes count in them."""

    def item_writes(self, change: Change[T]) -> list[Write]:
        before, item, words = change.before, self.model.item(change.entity), self.word_items(change.entity)
        condition = as_seen(self.model, before)
        if before is None:
            return [Put(item, condition), *map(Put, words)]
        names = (name for name in self.model.changing() if name not in self.counters)
        return [Update(item, condition, assigned(item, names)), *word_writes(self.word_items(before), words)]


def word_writes(before: Sequence[ItemModel], after: Sequence[ItemModel]) -> list[Write]:
    """The writes of the word items of an entity that has changed; none if they stay as they are."""
    if [word.to_dynamodb_dict() for word in before] == [word.to_dynamodb_dict() for word in after]:
        return []
    puts = [*map(Put, after)]
    kept = {put.key for put in puts}
    return [*puts, *(delete for delete in map(Delete, before) if delete.key not in kept)]


def next_revision(before: Any | None, after: Any) -> int:
    """The revision that a write gives an entity. What an undo adds goes on from the revision that it had."""
    seen = before or after
    return int(seen.revision) + 1 if before or seen.revision else first_revision()


def first_revision() -> int:
    """The revision of a new entity: the time in milliseconds.

    So if an id is used again, no revision comes back, and nobody takes the entity for the deleted one.
    """
    return time_ns() // 1_000_000


def as_seen(model: type[ItemModel], seen: Any | None) -> Condition:
    """The condition that an item has the revision of the entity that was seen, or is missing if none was seen.

    An item without a revision has the revision 0.
    """
    partition: Any = model._hash_key_attribute()  # type: ignore[no-untyped-call]
    revision = model.attribute("revision")
    if seen is None:
        condition: Condition = partition.does_not_exist()
    elif seen.revision:
        condition = revision == seen.revision
    else:
        condition = partition.exists() & (revision.does_not_exist() | (revision == 0))
    return condition
