"""Writes of a faceted list: an item and the counts of its facets, in one transaction."""

from collections.abc import Sequence
from typing import Any, TypeVar

from dynamodb_lists.schema.faceted import FacetedModel
from dynamodb_lists.writing.changes import Change, ChangeWriter, as_seen, deltas
from dynamodb_lists.writing.transactions import Delete, Put, Update, Write

T = TypeVar("T")


class FacetedWriter(ChangeWriter[T]):
    """Writes the items of a model. The id of an item never changes; whatever else changes, its key stays."""

    model: type[FacetedModel]

    def own_writes(self, change: Change[T]) -> list[Write]:
        item, condition = self.model.item(change.entity), as_seen(self.model, change.before)
        return [Delete(item, condition) if change.after is None else Put(item, condition)]

    def counts_and_totals(self, changes: Sequence[Change[T]]) -> list[Write]:
        moves = ((self._combination(change.before), self._combination(change.after)) for change in changes)
        return [
            Update(self.model.count_item(*combination), actions=[self.model.counts.number.add(number)])
            for combination, number in deltas(moves).items()
        ]

    def group(self, change: Change[T]) -> Any:
        return self.model.keys.combination(change.entity)

    def _combination(self, entity: T | None) -> tuple[str, ...] | None:
        return None if entity is None else self.model.keys.combination(entity)
