"""What an import is: the rows of a file, what each one says, and how they are written. Commands and uploads use it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

from django.core.exceptions import ValidationError

from dynamodb_lists.writing.changes import OPEN_GATE, Change, Gate
from portal.forms.row_forms import RowForm
from portal.imports.csv_rows import Csv
from portal.imports.file_rows import FileRow
from portal.imports.json_rows import JsonLines

T = TypeVar("T")
Saved = tuple[int, Mapping[Any, str]]
"""The result of a batch: how many rows were new or different, and why others were refused, by identity."""

Planned = tuple[Sequence[Change[Any]], Mapping[Any, str]]
"""What a batch would change, and why other rows would be refused, by identity. Rows in neither are stored already."""

BATCH = 900


def same_as(line: int, noun: str) -> str:
    """Why a row is refused whose identity an earlier one has."""
    return f"line {line} already has the same {noun}"


class Importer(Generic[T]):
    """An import. Subclasses name the file's format, form class and noun, and say what to do with each entity.

    The ``id_fields`` of the form and of the entity identify a row, and the ``lane_field`` has the owner of an entity's
    counts: entities of one lane are written one after another. For uploads, a subclass also names the ``permission`` to
    add such things. ``actor`` makes the changes, as the history names it.
    """

    format: ClassVar[Csv | JsonLines]
    form_class: ClassVar[type[RowForm]]
    noun: ClassVar[str]
    id_fields: ClassVar[Sequence[str]]
    lane_field: ClassVar[str] = "hotel_id"
    batch_size: ClassVar[int] = BATCH
    permission: ClassVar[str]

    def __init__(self, actor: Any = None) -> None:
        self.actor = actor

    @cached_property
    def _form(self) -> RowForm:
        return self.form_class()

    def entity_of(self, form: Any) -> T:
        raise NotImplementedError

    def identity(self, entity: Any) -> str | tuple[str, ...]:
        """The identity of an entity, which must be unique in a file; blank if there is none."""
        ids = tuple(str(getattr(entity, name, "")) for name in self.id_fields)
        return ids if len(ids) > 1 else ids[0]

    def identity_in(self, data: Mapping[str, Any]) -> tuple[Any, ...]:
        """The identity in the data of a row; blank if a part of it is not valid."""
        try:
            return tuple(self.form_class.base_fields[name].clean(data.get(name)) for name in self.id_fields)
        except ValidationError:
            return ()

    def lane(self, entity: T) -> str:
        return str(getattr(entity, self.lane_field))

    def prepare(self, batch: Sequence[T]) -> None:
        """Write the entities that these depend on. Called in the order of the file, before any of these is saved."""

    def plan(self, batch: Sequence[T]) -> Planned:
        """What :meth:`save` would do. It writes nothing."""
        raise NotImplementedError

    def save(self, batch: Sequence[T], gate: Gate = OPEN_GATE) -> Saved:
        """Write what the ``gate`` allows of a batch, in any thread; returns how many were new, and the refusals."""
        raise NotImplementedError

    def finish(self) -> None:
        """Called after the last batch, also if the import was stopped."""

    def needs(self, change: Change[Any]) -> Mapping[str, str]:
        """The permissions that pages ask for such a change, beside the one to add things, and what each allows."""
        raise NotImplementedError

    def missing_hotels(self, hotel_ids: set[str]) -> set[str]:
        raise NotImplementedError

    def checked(self, row: FileRow) -> tuple[FileRow, T | None]:
        """A row with its entity, or with its problem. One thread at a time checks rows: all share a form."""
        if row.problem:
            return row, None
        if self._form.check(row.data):
            return row, self.entity_of(self._form)
        texts = (f"{field}: {' '.join(map(str, texts))}" for field, texts in self._form.errors.items())
        return replace(row, problem="; ".join(texts)), None
