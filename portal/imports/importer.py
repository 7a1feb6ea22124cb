"""Imports whose rows are checked by forms. Commands and uploads use them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar, TypeVar

from django.core.exceptions import ValidationError

from dynamodb_lists import Change, FileRow, List
from dynamodb_lists import Importer as FileImporter
from portal.forms.entity_forms import RowForm
from portal.imports import Save

T = TypeVar("T")
Planned = tuple[Sequence[Change[Any]], Mapping[Any, str]]
"""What a batch would change, and why other rows would be refused, by identity. Rows in neither are stored already."""

BATCH = 900


class Importer(FileImporter[T]):
    """An import. Subclasses name the form class, too.

    The ``id_fields`` of the form and of the entity identify a row, and the ``lane_field`` has the owner of an entity's
    counts. For uploads, a subclass also names the ``permission`` to add such things. ``actor`` makes the changes, as
    the history names it.
    """

    form_class: ClassVar[type[RowForm]]
    id_fields: ClassVar[Sequence[str]]
    lane_field: ClassVar[str] = "hotel_id"
    batch_size = BATCH
    permission: ClassVar[str]

    def __init__(self, actor: Any = None) -> None:
        self.actor = actor

    @cached_property
    def _form(self) -> RowForm:
        return self.form_class()

    def entity_of(self, form: Any) -> T:
        raise NotImplementedError

    def identity(self, entity: Any) -> str | tuple[str, ...]:
        """Return the identity of an entity, which must be unique in a file; blank without one."""
        ids = tuple(str(getattr(entity, name, "")) for name in self.id_fields)
        return ids if len(ids) > 1 else ids[0]

    def identity_in(self, data: Mapping[str, Any]) -> tuple[Any, ...]:
        """Return the identity in the data of a row; blank if a part of it is invalid."""
        try:
            return tuple(self.form_class.base_fields[name].clean(data.get(name)) for name in self.id_fields)
        except ValidationError:
            return ()

    def lane(self, entity: T) -> str:
        return str(getattr(entity, self.lane_field))

    def plan(self, batch: Sequence[T]) -> Planned:
        """Return what :meth:`save` would do, without writing."""
        raise NotImplementedError

    def save(self, batch: Sequence[T], save: Save = List.save) -> tuple[int, Mapping[Any, str]]:
        raise NotImplementedError

    def needs(self, change: Change[Any]) -> Mapping[str, str]:
        """Return the permissions for a change, beside the one to add things, and what each allows."""
        raise NotImplementedError

    def missing_hotels(self, hotel_ids: set[str]) -> set[str]:
        raise NotImplementedError

    def checked(self, row: FileRow) -> FileRow:
        """Return a row with its entity or problem. One thread at a time checks rows, because they share a form."""
        if row.problem:
            return row
        if self._form.check(row.data):
            return replace(row, entity=self.entity_of(self._form))
        texts = (f"{field}: {' '.join(map(str, texts))}" for field, texts in self._form.errors.items())
        return replace(row, problem="; ".join(texts))
