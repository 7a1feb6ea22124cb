"""CSV files of a declared list: a column for each field."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import MISSING, replace
from enum import Enum
from io import StringIO
from typing import Any, TypeVar

from dynamodb_lists.connection.errors import Unavailable, WrongValue
from dynamodb_lists.declared.asked import Owner
from dynamodb_lists.lists.csv_rows import Csv, guarded, unguarded
from dynamodb_lists.lists.file_rows import FileRow, Importer, Saved
from dynamodb_lists.lists.list import List
from dynamodb_lists.schema.entities import Field, defaults, fields, read, text

T = TypeVar("T")
CHUNK = 64 * 1024
"""Characters of a file that are given at once."""

INCOMPLETE = "INCOMPLETE: a database did not answer. Download this file again."
"""The last line of a file that a database has cut."""


def cell(value: Any) -> str:
    """Return a value as a cell of a file. A text that a spreadsheet would run gets a quote in front."""
    written = text(value)
    return guarded(written) if isinstance(value, str) else written


def csv_lines(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    """Yield the lines of a CSV file, many at once.

    If a database does not answer, the last line says so before the error is raised, because the file is cut.
    """
    written = StringIO()
    writer = csv.writer(written)
    writer.writerow(columns)
    try:
        for row in rows:
            writer.writerow(map(cell, row))
            if written.tell() >= CHUNK:
                yield written.getvalue()
                written.seek(0)
                written.truncate()
    except Unavailable:
        writer.writerow([INCOMPLETE])
        yield written.getvalue()
        raise
    yield written.getvalue()


def value_of_cell(field: Field, written: str) -> Any:
    """Return the value of a field in a cell. Raises: ``WrongValue``."""
    written = unguarded(written)
    is_text = issubclass(field.type, str) and not issubclass(field.type, Enum)
    if written == "":
        if field.may_be_none or is_text:
            return None if field.may_be_none else ""
        raise WrongValue(f"{field.column} is blank.")
    try:
        return written if is_text else read(field.type, written.strip())
    except (ValueError, KeyError, ArithmeticError) as error:
        raise WrongValue(f"{field.column} cannot be {written[:40]!r}.") from error


class ListImport(Importer[T]):
    """The import of a CSV file into a list.

    A second import changes nothing. The header names fields. If it lacks a field with a default, the stored value
    stays.
    """

    batch_size = 500

    def __init__(self, listed: List[Any]) -> None:
        self.listed, self.declaration = listed, listed.declaration
        self.noun = self.declaration.kind
        self._fields = {field.column: field for field in fields(self.declaration.entity) if field.column}
        blank = defaults(self.declaration.entity)
        self.format = Csv([column for column, field in self._fields.items() if blank[field.name] is MISSING])
        self._kept: Sequence[str] = ()

    def checked(self, row: FileRow) -> FileRow:
        if row.problem:
            return row
        cells = {name: cell for name, cell in zip(row.header, row.content, strict=False) if name in self._fields}
        self._kept = [field.name for column, field in self._fields.items() if column not in cells]
        try:
            values = {self._fields[name].name: value_of_cell(self._fields[name], cells[name]) for name in cells}
            entity = self.listed.checked(self.declaration.entity(**values))
        except (WrongValue, TypeError) as error:
            return replace(row, problem=str(error))
        return replace(row, entity=entity)

    def identity(self, entity: T) -> tuple[Owner, str]:
        return self.declaration.identity(entity)

    def lane(self, entity: T) -> str:
        return repr(self.declaration.owner_of(entity))

    def save(self, batch: Sequence[T]) -> Saved:
        """Write a batch. Fields that the file lacks keep their stored values."""
        stored = self.listed.reader.items(map(self.identity, batch)) if self._kept else {}
        merged: list[Any] = []
        for entity in batch:
            before = stored.get(self.identity(entity))
            kept = {name: getattr(before, name) for name in self._kept} if before else {}
            merged.append(replace(entity, **kept))  # type: ignore[type-var]
        return self.listed.save(merged), {}
