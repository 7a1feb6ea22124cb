"""CSV files of a declared list: a column for each field, as the declaration says it."""

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import MISSING, dataclass, replace
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from itertools import islice
from typing import Any, Generic, TypeVar

from dynamodb_lists.connection.errors import KeyPartError, WrongValue
from dynamodb_lists.lists.csv_guard import guarded, unguarded
from dynamodb_lists.lists.list import List
from dynamodb_lists.schema.entities import Field, defaults, fields, text

T = TypeVar("T")
BATCH = 500
BOOLEANS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


@dataclass(frozen=True)
class BadRow:
    """A row that is no entity, with the number of its line and the reason."""

    line: int
    reason: str
    cells: Sequence[str]


def cell(value: Any) -> str:
    """A value as a cell of a file. A text that a spreadsheet would run gets a quote in front."""
    written = text(value)
    return guarded(written) if isinstance(value, str) else written


def value_of_cell(field: Field, written: str) -> Any:
    """The value of a field in a cell. Raises :class:`~dynamodb_lists.connection.errors.WrongValue`."""
    written = unguarded(written)
    is_text = issubclass(field.type, str) and not issubclass(field.type, Enum)
    if written == "":
        if field.may_be_none or is_text:
            return None if field.may_be_none else ""
        raise WrongValue(f"{field.column} is blank.")
    try:
        return written if is_text else READ.get(field.type, field.type)(written.strip())
    except (ValueError, KeyError, ArithmeticError) as error:
        raise WrongValue(f"{field.column} cannot be {written[:40]!r}.") from error


def _moment(written: str) -> datetime:
    found = datetime.fromisoformat(written)
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)


def _decimal(written: str) -> Decimal:
    """A number in digits: Python's own reader takes ``1_000`` and ``1e9``, too."""
    if not _NUMBER.fullmatch(written):
        raise ValueError(written)
    return Decimal(written)


def _whole(written: str) -> int:
    """A whole number. Spreadsheets write 1965.0 where a column has blanks."""
    number = _decimal(written)
    if number != number.to_integral_value():
        raise ValueError(written)
    return int(number)


_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)")
READ: dict[Any, Callable[[str], Any]] = {
    bool: lambda written: BOOLEANS[written.lower()],
    date: date.fromisoformat,
    datetime: _moment,
    Decimal: _decimal,
    int: _whole,
    bytes: bytes.fromhex,
    float: float,
}
"""What reads a text as a value of a type; raises ``ValueError`` or ``KeyError`` for another text."""


class CsvImport(Generic[T]):
    """The rows of a CSV file, written into a list in batches. To import a file twice changes nothing.

    The header names fields; a field with a default may be missing, and then keeps what is stored. Other columns are
    left out. Raises :class:`~dynamodb_lists.connection.errors.WrongValue` for a header that lacks a field.
    """

    def __init__(self, listed: List[Any], lines: Iterable[str]) -> None:
        self.listed, self.entity = listed, listed.declaration.entity
        self._item, self.reader = listed.models.item, csv.reader(lines)
        self.header = [name.strip().removeprefix("\ufeff") for name in next(self.reader, [])]
        described = {field.column: field for field in fields(self.entity) if field.column}
        self._columns = {number: described[name] for number, name in enumerate(self.header) if name in described}
        found = {field.name for field in self._columns.values()}
        self._kept = [field.name for field in described.values() if field.name not in found]
        if lacking := [name for name in self._kept if defaults(self.entity)[name] is MISSING]:
            raise WrongValue(f"The file lacks the column {lacking[0]}. It has {', '.join(self.header) or 'none'}.")
        self._seen = set[Any]()
        self.good = self.written = 0

    def run(self) -> Iterator[BadRow | int]:
        """Write the rows. Gives each bad row, and after each batch how many of its rows were good."""
        rows = self._rows()
        while batch := [*islice(rows, BATCH)]:
            good = [row for row in batch if not isinstance(row, BadRow)]
            yield from (row for row in batch if isinstance(row, BadRow))
            self.written += self.listed.save(self._merged(good))
            self.good += len(good)
            yield len(good)

    def _merged(self, entities: Sequence[Any]) -> list[Any]:
        """The entities, with what is stored in fields that the file does not have."""
        if not self._kept:
            return [*entities]
        declared = self.listed.declaration
        keys = [(declared.owner_of(entity), declared.item_id(entity)) for entity in entities]
        stored = self.listed.reader.items(keys)
        kept = [{name: getattr(stored[key], name) for name in self._kept} if key in stored else {} for key in keys]
        return [replace(entity, **values) for entity, values in zip(entities, kept, strict=True)]

    def _rows(self) -> Iterator[Any]:
        while True:
            try:
                cells = next(self.reader, None)
                if cells is None:
                    return
                if any(cells):
                    yield self._entity(cells)
            except csv.Error as error:
                yield BadRow(self.reader.line_num, str(error), [])
            except (KeyPartError, WrongValue, TypeError) as error:
                yield BadRow(self.reader.line_num, str(error), cells or [])

    def _entity(self, cells: Sequence[str]) -> Any:
        if len(cells) != len(self.header):
            raise WrongValue(f"The row has {len(cells)} cells, and the header has {len(self.header)}.")
        values = {field.name: value_of_cell(field, cells[number]) for number, field in self._columns.items()}
        entity = self.listed.declaration.as_stored(self.entity(**values))
        declared = self.listed.declaration
        self._item.item(entity), declared.combination(entity)  # can keys hold it?
        key = *declared.owner_of(entity), declared.item_id(entity)
        if key in self._seen:
            raise WrongValue(f"An earlier row has the same key: {' '.join(key)}.")
        self._seen.add(key)
        return entity
