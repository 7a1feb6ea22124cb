"""Writes of declared lists. An item, the counts of its facets and their revision are one transaction.

Every write raises the revision of its item, and is refused if the item does not have the one that was seen.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from pynamodb.expressions.update import Action

from dynamodb_lists.connection.errors import WrongValue
from dynamodb_lists.declared.asked import Owner
from dynamodb_lists.declared.counts import Counts
from dynamodb_lists.declared.models import HEAD, PACKED
from dynamodb_lists.lists.counting import CountedWriter, CountsStore, Delta, count_deltas, next_step, pack_counts
from dynamodb_lists.lists.reading import FEW_COUNTS, LOOK_AGAIN, ListReader
from dynamodb_lists.reading.listing import Fetch
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.models import ItemModel, Values
from dynamodb_lists.writing.changes import Change
from dynamodb_lists.writing.transactions import Update, Write, commit

T = TypeVar("T")


class ListWriter(CountedWriter[T]):
    """Writes the items of a list, in one thread."""

    def __init__(self, reader: ListReader[T]) -> None:
        self.reader, self.declaration, self.models = reader, reader.declaration, reader.models
        self.model: Any = self.models.item
        self.word_items = self.models.word.of
        self.ids = (*self.declaration.owner, self.declaration.id_field)

    def changed(self, old: ItemModel, new: ItemModel) -> list[str]:
        """The keys of indexes, too, which a list that has changed may lack."""
        return [*dict.fromkeys((*super().changed(old, new), *self.model.index_keys()))]

    def whole(self, seen: T) -> T | None:
        """If lists do not show all fields, as it is stored, for a row of a list lacks some."""
        if self.declaration.lists_all:
            return seen
        key = self.declaration.owner_of(seen), self.declaration.item_id(seen)
        return self.reader.items([key]).get(key)

    def shared(self, changes: Sequence[Change[T]]) -> list[Write]:
        return [*self._counts(changes), *super().shared(changes)]

    def _counts(self, changes: Sequence[Change[T]]) -> list[Write]:
        writes: list[Write] = []
        for owner, deltas in count_deltas(self.declaration, changes).items():
            partition = self.declaration.counts_partition(owner)
            for combination, number, labels in deltas:
                item = self.models.count(partition, keys.compose(*combination))
                writes.append(Update(item, actions=[*self._count_actions(number, labels)]))
            if deltas:
                head = self.models.head(partition, HEAD)
                added = sum(number for _, number, _ in deltas)
                revision, items = self.models.head.counts_revision, self.models.head.items
                writes.append(Update(head, actions=[revision.add(self.step), items.add(added)]))
        return writes

    def _count_actions(self, number: int, labels: tuple[str | None, ...]) -> Iterator[Action]:
        yield self.models.count.number.add(number)
        if number >= 0:
            stored = json.dumps(labels, ensure_ascii=False)
            yield self.models.count.labels.set(stored) if labels else self.models.count.labels.remove()

    def as_stored(self, before: T | None, after: Any) -> T:
        """With all values as they are stored. Raises :class:`~dynamodb_lists.connection.errors.WrongValue`."""
        return super().as_stored(before, self.declaration.as_stored(after))

    def save_all(self, entities: Iterable[T]) -> int:
        """Add or change many entities, as a file names them; returns how many were written.

        What is stored with the same values is not written, so it is safe to repeat this.
        """
        wanted: list[Any] = [self.declaration.as_stored(each) for each in entities]
        ids = [(self.declaration.owner_of(each), self.declaration.item_id(each)) for each in wanted]
        if twice := [item_id for (_, item_id), times in Counter(ids).items() if times > 1]:
            raise WrongValue(f"Several {self.declaration.name} have the id {twice[0]}. Each may occur once.")

        def changes() -> Iterator[Change[T]]:
            stored = self.reader.items(ids)
            for entity, key in zip(wanted, ids, strict=True):
                yield from self.change(stored.get(key), entity)

        try:
            return self.without_packing().save(changes)  # once, after the last transaction
        finally:
            for owner in dict.fromkeys(owner for owner, _ in ids):
                self.reader.few.pop(owner, None)
                self.pack(owner)

    # --- The packed counts ------------------------------------------------------------------------------------

    def counts_of(self, owner: Owner) -> "ListCounts[T]":
        return ListCounts(self.reader, owner)

    def pack(self, owner: Owner, deltas: Sequence[Delta] = ()) -> None:
        if (left := self.reader.few.get(owner, 0)) > 0:  # so few that nobody packs them
            self.reader.few[owner] = left - len(deltas)
        else:
            super().pack(owner, deltas)

    def repack(self, owner: Owner) -> None:
        """Outdate the packed copy of an owner's counts, and pack them anew."""
        store = self.counts_of(owner)
        store.outdate()
        self.reader.few.pop(owner, None)
        pack_counts(store)


class ListCounts(CountsStore[T]):
    """The counts of an owner in the table of a list. If they are few, nobody packs them."""

    def __init__(self, reader: ListReader[T], owner: Owner) -> None:
        self.reader, self.owner, self.declaration = reader, owner, reader.declaration
        self.item, self.model = reader.models.item, reader.models.head
        self.place = reader.declaration.counts_partition(owner), PACKED
        self.name = f"counts of {reader.declaration.name}"

    def heads(self) -> tuple[int, Values]:
        heads = self.reader.heads(self.owner, HEAD, PACKED, consistent=True)
        return heads.get(HEAD, {}).get("counts_revision", 0), heads.get(PACKED, {})

    def counts(self) -> Counts:
        return self.reader.stored_counts(self.owner, consistent=True)

    def outdate(self) -> None:
        head = self.model(self.place[0], HEAD)
        commit([Update(head, actions=[self.model.counts_revision.add(next_step())])])

    def needs_none(self, counts: Counts) -> bool:
        if len(counts) <= FEW_COUNTS:
            self.reader.few[self.owner] = LOOK_AGAIN
        return len(counts) <= FEW_COUNTS

    def fetch(self, index: str) -> Fetch[T]:
        return self.reader.fetch(self.owner, index)
