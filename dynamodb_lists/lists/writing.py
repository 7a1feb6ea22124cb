"""Writes of declared lists. An item, the counts of its facets and their revision are one transaction.

Every write raises the revision of its item, and is refused if the item does not have the one that was seen.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Self, TypeVar

from dynamodb_lists.connection.errors import WrongValue
from dynamodb_lists.declared.asked import Owner
from dynamodb_lists.declared.models import HEAD
from dynamodb_lists.lists.counting import Delta, ListCounts, count_deltas, label_actions, next_step, pack_counts
from dynamodb_lists.lists.reading import ListReader
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.entities import fields, listed
from dynamodb_lists.schema.models import ItemModel
from dynamodb_lists.writing.changes import Change, Derive, Writer
from dynamodb_lists.writing.transactions import Update, Write

T = TypeVar("T")


class ListWriter(Writer[T]):
    """Writes the items of a list. A commit that changes their counts is followed by packing these."""

    packs = True
    step = 1
    """What the present transaction adds to the revision of the counts. Never 0, so that batches have that write."""

    def __init__(self, reader: ListReader[T], derive: Derive[T] | None = None) -> None:
        self.derive = derive
        self.reader, self.declaration, self.models = reader, reader.declaration, reader.models
        self.model: Any = self.models.item
        if self.models.word is not None:
            self.word_items = self.models.word.of
        self.ids = (*self.declaration.owner, self.declaration.id_field)

    def changed(self, old: ItemModel, new: ItemModel) -> list[str]:
        """The keys of indexes, too, which a list that has changed may lack."""
        return [*dict.fromkeys((*super().changed(old, new), *self.model.index_keys()))]

    def whole(self, seen: T) -> T | None:
        """If it may be a row of a list, which lacks some fields, as it is stored. Such a row may have no revision."""
        declared: Any = self.declaration
        shown = listed(declared.entity)
        if len(shown) == len(fields(declared.entity)) or (seen.revision and "revision" not in shown):  # type: ignore[attr-defined]
            return seen
        key = self.declaration.identity(seen)
        return self.reader.items([key]).get(key)

    def shared(self, changes: Sequence[Change[T]]) -> list[Write]:
        return [*self._counts(changes), *super().shared(changes)]

    def _counts(self, changes: Sequence[Change[T]]) -> Iterator[Write]:
        """The updates of counts, and of their head: its revision, the number of all items, and that of moves."""
        counted, head = count_deltas(self.declaration, changes), self.models.head
        moved = Counter(self.declaration.owner_of(change.entity) for change in changes if self._has_moved(change))
        for owner in dict.fromkeys([*counted, *moved]):
            partition, deltas = self.declaration.counts_partition(owner), counted.get(owner, ())
            for combination, number, labels in deltas:
                item = self.models.count(partition, keys.compose(*combination))
                written = label_actions(self.models.count, labels) if number >= 0 else []
                yield Update(item, actions=[self.models.count.number.add(number), *written])
            added = [head.counts_revision.add(self.step), head.items.add(sum(number for _, number, _ in deltas))]
            actions = [*(added if deltas else ()), *([head.moves.add(1)] if moved[owner] else ())]
            if actions:
                yield Update(head(partition, HEAD), actions=actions)

    def _has_moved(self, change: Change[T]) -> bool:
        """Whether an item gets another place in a list whose moves are counted."""
        names = self.declaration.moves and (*self.declaration.moves, self.declaration.id_field)
        before, after = ([getattr(each, name, None) for name in names] for each in (change.before, change.after))
        return before != after

    def as_stored(self, before: T | None, after: Any) -> T:
        """With all values as they are stored. Raises :class:`~dynamodb_lists.connection.errors.WrongValue`."""
        return super().as_stored(before, self.declaration.as_stored(after))

    def save_all(self, entities: Iterable[T]) -> int:
        """Add or change many entities, as a file names them; returns how many were written.

        What is stored with the same values is not written, so it is safe to repeat this.
        """
        wanted: list[Any] = [self.declaration.as_stored(each) for each in entities]
        ids = [*map(self.declaration.identity, wanted)]
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
                self.pack(owner)

    # --- The packed counts ------------------------------------------------------------------------------------

    def without_packing(self) -> Self:
        """The same writer for whoever makes several commits, and packs after the last one."""
        return self._with(packs=False)

    def commit(self, changes: Sequence[Change[T]], own: Sequence[Write] | None = None) -> None:
        stepped = self._with(step=next_step())
        super(ListWriter, stepped).commit(changes, own)
        for owner, deltas in count_deltas(self.declaration, changes).items() if self.packs else ():
            if deltas:
                stepped.pack(owner, deltas)

    def pack(self, owner: Owner, deltas: Sequence[Delta] = ()) -> None:
        """Bring the packed copy of an owner's counts up to date, after commits that changed them, one by ``deltas``."""
        if deltas and (left := self.reader.few.get(owner, 0)) > 0:  # so few that nobody packs them
            self.reader.few[owner] = left - len(deltas)
            return
        if not deltas:
            self.reader.few.pop(owner, None)
        pack_counts(ListCounts(self.reader, owner), deltas, self.step)

    def repack(self, owner: Owner) -> None:
        """Outdate the packed copy of an owner's counts, and pack them anew."""
        ListCounts(self.reader, owner).outdate()
        self.pack(owner)
