"""Writes of declared lists. An item, the counts of its facets and their revision are one transaction.

Every write raises the revision of its item, and is refused if the item does not have the one that was seen.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Self, TypeVar

from dynamodb_lists.connection.errors import WrongValue
from dynamodb_lists.declared.asked import Owner
from dynamodb_lists.declared.models import HEAD
from dynamodb_lists.lists import counting
from dynamodb_lists.lists.counting import ListCounts
from dynamodb_lists.lists.reading import ListReader
from dynamodb_lists.schema import keys, values
from dynamodb_lists.schema.entities import fields, listed, with_unread
from dynamodb_lists.schema.models import ItemModel
from dynamodb_lists.writing.changes import Change, Derive, Writer, generation_of, in_generation
from dynamodb_lists.writing.transactions import Update, Write

T = TypeVar("T")


class ListWriter(Writer[T]):
    """Writes the items of a list. After a commit that changes counts, it packs them."""

    packs = True
    step = 1
    """What the present transaction adds to the revision of the counts. Never 0, so that batches have that write."""

    def __init__(self, reader: ListReader[T], derive: Derive[T] | None = None) -> None:
        self.derive = derive
        self.reader, self.declaration, self.models = reader, reader.declaration, reader.models
        self.model: Any = self.models.item
        self.ids = (*self.declaration.owner, self.declaration.id_field)

    @property
    def generations(self) -> Iterator[ListReader[T]]:
        """The readers of the counts and words to write: of what pages read, and of what is being filled."""
        return filter(None, (self.reader.now, self.reader.filling))

    @staticmethod
    def is_in(reader: ListReader[T], entity: Any) -> bool:
        """Return whether an entity is counted, and has words, in a generation."""
        return not reader.is_filling or generation_of(entity.revision) == reader.declaration.generation

    def counted(self, reader: ListReader[T], changes: Sequence[Change[T]]) -> list[Change[T]]:
        """Return the changes of the entities that are counted in a generation."""

        def known(entity: T | None) -> T | None:
            return entity if entity and self.is_in(reader, entity) else None

        found = [Change(known(each.before), known(each.after)) for each in changes]
        return [each for each in found if each.before or each.after]

    def word_items(self, entity: T) -> Sequence[ItemModel]:
        """Return the word items of an entity in each generation that it is in."""
        models = [each.models.word for each in self.generations if each.models.word and self.is_in(each, entity)]
        return [word for model in models for word in model.of(entity)]

    def changed(self, old: ItemModel, new: ItemModel) -> list[str]:
        """Return the attributes that have changed, and index keys that the stored item lacks."""
        return [*dict.fromkeys((*super().changed(old, new), *self.model.index_keys()))]

    def whole(self, seen: T) -> T | None:
        """Return the stored entity if ``seen`` is a row of a list, which may lack fields; otherwise ``seen``."""
        declared: Any = self.declaration
        shown = listed(declared.entity)
        if len(shown) == len(fields(declared.entity)) or (seen.revision and "revision" not in shown):  # type: ignore[attr-defined]
            return seen
        key = self.declaration.identity(seen)
        return self.reader.items([key]).get(key)

    def shared(self, changes: Sequence[Change[T]]) -> list[Write]:
        return [*self._counts(changes), *super().shared(changes)]

    def _counts(self, changes: Sequence[Change[T]]) -> Iterator[Write]:
        """Return the updates of counts and of their head: its revision, and the numbers of items and of moves."""
        places = self.declaration.moves and (*self.declaration.moves, self.declaration.id_field)
        moved = list[Owner]()  # of items that get another position, in a list whose moves are counted
        for each in changes:
            if any(getattr(each.before, name, None) != getattr(each.after, name, None) for name in places):
                moved.append(self.declaration.owner_of(each.entity))
        for reader in () if self.declaration.expires else self.generations:
            within, models = self.counted(reader, changes), reader.models
            counted = counting.count_deltas(reader.declaration, within)
            head, of_values = models.head, counting.value_deltas(reader.declaration, within)
            for owner in dict.fromkeys([*counted, *moved, *of_values]):
                partition, deltas = reader.declaration.counts_partition(owner), counted.get(owner, ())
                for combination, number, labels in deltas:
                    item = models.count(partition, keys.compose(*combination))
                    written = counting.label_actions(models.count, labels) if number >= 0 else []
                    yield Update(item, actions=[models.count.number.add(number), *written])
                added = [head.counts_revision.add(self.step), head.items.add(sum(number for _, number, _ in deltas))]
                actions = [*(added if deltas else ()), *([head.moves.add(1)] if owner in moved else ())]
                if changed := of_values.get(owner):
                    actions += [head.attribute(name).add(number) for name, number in sorted(changed.items())]
                    actions.append(head.values_changed.add(1))
                if actions:
                    yield Update(head(partition, HEAD), actions=actions)

    def as_stored(self, before: T | None, after: Any) -> T:
        stored: Any = super().as_stored(before, after)
        self.reader.meet(before)
        filling = self.reader.filling  # if nobody has read it yet, the item is filled later
        if filling:
            stored = replace(stored, revision=in_generation(stored.revision, filling.declaration.generation))
        return stored  # type: ignore[no-any-return]

    def checked(self, entity: T) -> T:
        entity = super().checked(entity)
        [*self._counts([Change(None, entity)])]  # they have keys, too
        return entity

    def save_all(self, entities: Iterable[T]) -> int:
        """Add or change many entities, and return how many were written: those with other values than stored ones."""
        wanted: list[Any] = [values.stored(each) for each in entities]
        ids = [*map(self.declaration.identity, wanted)]
        if twice := [item_id for (_, item_id), times in Counter(ids).items() if times > 1]:
            raise WrongValue(f"Several {self.declaration.name} have the id {twice[0]}. Each may occur once.")

        def changes() -> Iterator[Change[T]]:
            stored = self.reader.items(ids)
            for entity, key in zip(wanted, ids, strict=True):
                before = stored.get(key)
                yield from self.change(before, with_unread(entity, before))

        try:
            return self.without_packing().save(changes)  # once, after the last transaction
        finally:
            for owner in dict.fromkeys(owner for owner, _ in ids):
                self.pack(owner)

    # --- The packed counts ------------------------------------------------------------------------------------

    def without_packing(self) -> Self:
        """Return the same writer for several commits. The caller packs the counts after the last commit."""
        return self._with(packs=False)

    def commit(self, changes: Sequence[Change[T]], own: Sequence[Write] | None = None) -> None:
        for change in changes:
            self.reader.meet(change.before)
        stepped = self._with(step=counting.next_step())
        super(ListWriter, stepped).commit(changes, own)
        for reader in self.generations if self.packs and not self.declaration.expires else ():
            for owner, deltas in counting.count_deltas(reader.declaration, self.counted(reader, changes)).items():
                if deltas:
                    stepped._pack(reader, owner, deltas)

    def pack(self, owner: Owner) -> None:
        """Update the packed copies of an owner's counts, after commits that changed them."""
        for reader in self.generations:
            self._pack(reader, owner, ())

    def _pack(self, reader: ListReader[T], owner: Owner, deltas: Sequence[counting.Delta]) -> None:
        if self.declaration.expires:  # it has no counts
            return
        if deltas and (left := reader.few.get(owner, 0)) > 0:  # so few that nobody packs them
            reader.few[owner] = left - len(deltas)
            return
        if not deltas:
            reader.few.pop(owner, None)
        counting.pack_counts(ListCounts(reader, owner), deltas, self.step)

    def repack(self, owner: Owner) -> None:
        """Outdate the packed copies of an owner's counts, and pack them anew."""
        for reader in self.generations:
            ListCounts(reader, owner).outdate()
        self.pack(owner)
