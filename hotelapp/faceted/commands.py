"""Writes of a faceted list with their history, each in one transaction."""

from collections.abc import Sequence
from typing import Any, ClassVar, TypeVar

from dynamodb_lists.connection.errors import Conflict
from dynamodb_lists.reading.faceted import FacetedReader
from dynamodb_lists.schema.entities import field
from dynamodb_lists.writing.changes import Change
from dynamodb_lists.writing.faceted import FacetedWriter
from hotelapp.history.commands import RecordedWriter

T = TypeVar("T")


class ItemWriter(FacetedWriter[T], RecordedWriter[T]):
    """Adds, edits and deletes the items of a ``model`` on behalf of an actor. ``app`` has their permissions."""

    app: ClassVar[str]

    def __init_subclass__(cls, **options: Any) -> None:
        cls.ids = (cls.model.keys.id_field,)
        actions = {"created": "delete", "changed": "change", "deleted": "add"}
        cls.undoing = {what: f"{cls.app}.{action}_{cls.model.kind}" for what, action in actions.items()}
        super().__init_subclass__(**options)

    @property
    def reader(self) -> FacetedReader[T]:
        """Reads the items."""
        return FacetedReader(self.model)

    def load(self, *ids: str) -> T:
        return self.reader.item(*ids, consistent=True)

    def add(self, entity: T) -> T:
        """Add an item; returns it. If the same item was added before, nothing is written.

        Raises :class:`Conflict` if another one has the id.
        """
        keys = self.model.keys
        label = field(self.model.entity, keys.id_field).label.lower()
        taken = f"There is already a {self.model.kind} {keys.item_id(entity)}. Choose another {label}."
        return self.create(self.to_store(None, entity), Conflict(taken))

    def edit(self, before: T, after: T) -> T:
        """Change an item that its editor saw as ``before``; returns it.

        Raises :class:`~dynamodb_lists.connection.errors.ChangedMeanwhile`.
        """
        return self.write(before, self.to_store(before, after))

    def planned(self, rows: Sequence[T]) -> list[Change[T]]:
        """The rows of a file that are new or different."""
        item_id = self.model.keys.item_id
        stored = self.reader.items(map(item_id, rows))
        return [*filter(None, (self.change_to(stored.get(item_id(row)), row) for row in rows))]
