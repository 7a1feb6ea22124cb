"""What an import is: the rows of a file, what each one says, and how they are written. Commands and pages use it."""

from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from dynamodb_lists.lists.file_rows import FileRow

T = TypeVar("T")
Saved = tuple[int, Mapping[Any, str]]
"""The result of a batch: how many rows were new or different, and why others were refused, by identity."""


def same_as(line: int, noun: str) -> str:
    """Why a row is refused whose identity an earlier one has."""
    return f"line {line} already has the same {noun}"


class Importer(Generic[T]):
    """An import. Subclasses name the file's ``format`` and the ``noun`` of a row, and say what to do with each entity.

    A format is as :class:`~dynamodb_lists.lists.csv_rows.Csv`. A batch has at most ``batch_size`` entities.
    """

    format: Any
    noun: str
    batch_size: int

    def checked(self, row: FileRow) -> FileRow:
        """A row with its entity, or with its problem."""
        raise NotImplementedError

    def identity(self, entity: T) -> Any:
        """The identity of an entity, which must be unique in a file."""
        raise NotImplementedError

    def lane(self, entity: T) -> str:
        """The owner of the counts that an entity changes: entities of one lane are written one after another."""
        raise NotImplementedError

    def prepare(self, batch: Sequence[T]) -> None:
        """Write the entities that these depend on. Called in the order of the file, before any of these is saved."""

    def save(self, batch: Sequence[T]) -> Saved:
        """Write a batch, in any thread. To save the same again changes nothing."""
        raise NotImplementedError

    def finish(self) -> None:
        """Called after the last batch, also if the import was stopped."""
