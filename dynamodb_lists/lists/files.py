"""CSV files: read record by record, written many lines at once, and imported into a list, with a column for each field.

A record that cannot be read is returned with its problem.
"""

import csv
import re
import unicodedata
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, replace
from enum import Enum
from io import StringIO
from itertools import chain
from typing import Any, ClassVar, TypeVar

from dynamodb_lists.connection.errors import Unavailable, WrongValue
from dynamodb_lists.declared.asked import Owner
from dynamodb_lists.lists import file_rows
from dynamodb_lists.lists.file_rows import REJECT_NAMES, FileRow, Importer, Saved, check_is_text
from dynamodb_lists.lists.list import List
from dynamodb_lists.schema.entities import Field, defaults, fields, read, text

T = TypeVar("T")
DELIMITERS = ",;\t"  # Excel writes semicolons where decimals have commas, and tabs into its "Unicode text"
_SEPARATOR_LINE = re.compile(f'"?sep=([{DELIMITERS}])"?[,;\\s]*', re.IGNORECASE)
MAX_COLUMNS, MAX_HEADER = 100, 2000
"""The most columns of a file, and the most characters of their names."""

MAX_LINES = 1000  # of one record: a quote that is not closed must not swallow the rest of the file


# Cells that a spreadsheet does not run as formulas (see OWASP, "CSV Injection"). A formula may stand at the start of a
# cell, and after a semicolon or a line end in it: where decimals have commas, a spreadsheet divides a row there.
GUARD = "'"
FORMULA_SIGNS = "=+\\-@\uff1d\uff0b\uff0d\uff20"
"""Signs that begin a formula, also in the full width of East Asian scripts."""

_FORMULA = rf"(?:[\s{GUARD}]*[{FORMULA_SIGNS}]|{GUARD}*[\t\r])"
_PLACE = r"(?:^|(?<=[;\n\r]))"
_UNGUARDED = re.compile(f"{_PLACE}(?={_FORMULA})")
_GUARDED = re.compile(f"{_PLACE}{GUARD}(?={_FORMULA})")


@dataclass(frozen=True)
class Csv:
    """CSV with a header that names these columns, and perhaps others."""

    columns: Sequence[str]
    newline: ClassVar[str] = ""
    suffix: ClassVar[str] = ".csv"

    @property
    def help(self) -> str:
        """The format of the file, for the command's help."""
        return f"CSV with the columns {', '.join(self.columns)}"

    def read(self, lines: Iterable[str], name: str) -> Iterator[FileRow]:
        """Yield every row of a file that has the columns. Raises :class:`WrongValue`, which calls the file by its name.

        The first line tells what separates the cells. Excel may say so in a line before it: ``sep=;``.
        """
        lines, before = iter(lines), 0
        first = next(lines, "")
        delimiter = max(DELIMITERS, key=first.count)
        if said := _SEPARATOR_LINE.fullmatch(first):
            first, delimiter, before = next(lines, ""), said[1], 1
        dialect = {"delimiter": delimiter, "skipinitialspace": f"{delimiter} " in first}
        records = _records(chain([first], lines), dialect, before + 1)
        # The names of the columns have no invisible characters. Blank ones at the end are left out.
        kept = ([char for char in name if unicodedata.category(char) != "Cf"] for name in next(records, (0, [], ""))[1])
        header = ["".join(name).strip() for name in kept]
        header = header[: max((place for place, name in enumerate(header, start=1) if name), default=0)]
        skip = len(REJECT_NAMES) if tuple(header[:2]) == REJECT_NAMES else 0  # what follows may have a "reason", too
        if not {*self.columns} <= {*header}:
            check_is_text(first + next(lines, ""), name, "Save it as “CSV UTF-8” in Excel, and choose that file.")
        _check_header(name, header[skip:], self.columns)
        for line, record, problem in records:
            yield self.row(line, problem, record if problem else record[skip:], header[skip:])

    def row(self, line: int, problem: str, content: Any, header: Sequence[str]) -> FileRow:
        """Return a row from its content: its cells as they are in the file."""
        cells = (unguarded(cell).strip() for cell in content)
        return FileRow(line, dict(zip(header, cells, strict=False)), problem, content, header)

    def heading(self, row: FileRow) -> str:
        """Return the first line of a file of rejected rows."""
        return _line([*REJECT_NAMES, *row.header])

    def rejected(self, row: FileRow, reason: str) -> str:
        """Return a row after its line and the reason, so that it can be corrected and imported again."""
        return _line([str(row.line), reason, *row.content])


def _records(lines: Iterator[str], dialect: Mapping[str, Any], number: int) -> Iterator[tuple[int, list[str], str]]:
    """Yield each record's first line, its cells, and its problem if it cannot be read. Blank records are left out.

    Each record must have as many cells as the first one. A bad record of several lines is most likely a stray quote:
    its first line is rejected, and the other lines are read again.
    """
    width, again = 0, deque[str]()
    while True:
        record: list[str] = []
        try:
            cells = next(csv.reader(_kept(again, lines, record), strict=True, **dialect))
            problem = "" if all(map(file_rows.is_unicode, cells)) else "not UTF-8"
            if cells and width and len(cells) != width:
                problem = f"{len(cells)} cells, the header has {width}"
        except StopIteration:
            return
        except csv.Error as error:
            cells, problem = [], f"not CSV: {error}"
        if problem and (len(record) > 1 or not cells):
            cells = [record[0].rstrip("\r\n")]
            again.extendleft(reversed(record[1:]))
            del record[1:]
        if any(map(str.strip, cells)):
            yield number, cells, problem
            width = width or len(cells)
        number += len(record)


def _kept(again: deque[str], lines: Iterator[str], record: list[str]) -> Iterator[str]:
    """Yield the lines of one record, those to read ``again`` at first; they are also added to ``record``."""
    characters = 0
    while line := again.popleft() if again else next(lines, ""):
        record.append(line)
        characters += len(line)
        if len(record) > MAX_LINES:
            raise csv.Error("a quote is not closed")
        if characters > file_rows.MAX_CHARACTERS:
            raise csv.Error(file_rows.TOO_LONG)
        yield line


def _check_header(name: str, header: Sequence[str], columns: Sequence[str]) -> None:
    if len(header) > MAX_COLUMNS or sum(map(len, header)) > MAX_HEADER:
        raise WrongValue(
            f"The first line of {name[:1].lower() + name[1:]} must name at most {MAX_COLUMNS} columns, in at most "
            f"{MAX_HEADER:,} characters. Remove the columns that are not needed; these are: {', '.join(columns)}"
        )
    shown = (char if char.isprintable() else "?" for char in ", ".join(header)[:200])
    first_line = "".join(shown) or "nothing"
    if missing := [column for column in columns if column not in header]:
        raise WrongValue(
            f"{name} has no column {', '.join(missing)}. Its first line must name the columns, "
            f"separated by commas or semicolons, in UTF-8; it has: {first_line}"
        )
    if len(set(header)) < len(header):
        raise WrongValue(f"{name} names a column twice. Its first line has: {first_line}")


def _line(cells: Sequence[str]) -> str:
    record = StringIO()
    csv.writer(record).writerow(guarded(unguarded(cell)) for cell in cells)
    return record.getvalue()


def guarded(cell: str) -> str:
    """Return the cell with a quote in front, if it looks like a formula or like a guarded formula."""
    return _UNGUARDED.sub(GUARD, cell)


def unguarded(cell: str) -> str:
    """Return the cell without the quotes that :func:`guarded` has added."""
    return _GUARDED.sub("", cell)


# --- Files of lists ------------------------------------------------------------

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
    """The import of a CSV file, whose header names fields, into a list. A second import changes nothing.

    If the file lacks a field with a default, the stored value stays.
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
