"""Writes of a declared list with their history, each in one transaction."""

from collections.abc import Sequence
from typing import Any, ClassVar, TypeVar

from dynamodb_lists.connection.errors import WrongDeclaration
from dynamodb_lists.lists.lists import List
from dynamodb_lists.lists.writing import ListWriter
from dynamodb_lists.writing.changes import Change
from portal.history.commands import RecordedWriter
from portal.history.entities import Actor

T = TypeVar("T")


class ItemWriter(RecordedWriter[T], ListWriter[T]):
    """Adds, edits and deletes the items of a ``listed`` list on behalf of an actor. ``app`` has their permissions."""

    app: ClassVar[str]
    listed: ClassVar[List[Any]]

    def __init_subclass__(cls, **options: Any) -> None:
        declared, cls.model = cls.listed.declaration, cls.listed.models.item
        if declared.owner:
            raise WrongDeclaration(f"{declared.title} have an owner: pages of a section show one list for all.")
        cls.ids = (declared.id_field,)
        actions = {"created": "delete", "changed": "change", "deleted": "add"}
        cls.undoing = {what: f"{cls.app}.{action}_{declared.kind}" for what, action in actions.items()}
        super().__init_subclass__(**options)

    def __init__(self, actor: Actor) -> None:
        ListWriter.__init__(self, self.listed.reader)
        self.actor = actor

    def load(self, *ids: str) -> T:
        return self.reader.item((), *ids, consistent=True)

    def planned(self, rows: Sequence[T]) -> list[Change[T]]:
        """The rows of a file that are new or different."""
        stored = self.reader.items(((), self.declaration.item_id(row)) for row in rows)
        changes = (self.change_of_row(stored.get(((), self.declaration.item_id(row))), row) for row in rows)
        return [*filter(None, changes)]
