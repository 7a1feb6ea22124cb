"""Reads CSV files, record by record. A record that cannot be read is returned with its problem."""

import csv
import re
import unicodedata
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import chain
from typing import Any, ClassVar

from dynamodb_lists.connection.errors import WrongValue
from dynamodb_lists.lists.file_rows import MAX_CHARACTERS, REJECT_NAMES, TOO_LONG, FileRow, check_is_text, is_unicode

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
            problem = "" if all(map(is_unicode, cells)) else "not UTF-8"
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
        if characters > MAX_CHARACTERS:
            raise csv.Error(TOO_LONG)
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
