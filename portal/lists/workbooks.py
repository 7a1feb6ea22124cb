"""Workbooks: the rows of a list as an Excel file, written row by row, so that memory never holds all of them."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime
from decimal import Decimal
from itertools import chain, islice
from pathlib import Path
from typing import Any

from dynamodb_lists.connection import ledger
from portal.forms.values import plain_words
from portal.times import in_zone

MAX_ROWS, MAX_UNITS = 50_000, 5_000
"""The most rows of a workbook, and the most read units for them (40 MB): nothing is sent before the last row is known.

A limit in seconds would refuse on a busy machine what a quiet one sends."""

FORMATS = {datetime: "yyyy-mm-dd hh:mm", date: "yyyy-mm-dd", Decimal: "#,##0.00#"}
MAX_TEXT = 32_767  # characters in a cell of Excel
NARROWEST, WIDEST = 8, 60  # characters in a column
ZONE = "Times in"
"""The heading of the column with the zone of a row's times. Excel has no zones, and each hotel has its own."""

Row = tuple[Sequence[Any], str]
"""The values of a row, and the IANA name of the zone that its times are shown in; blank for UTC."""


class TooLong(ValueError):
    """The list has too many rows. The message says so."""

    def __init__(self, most: str) -> None:
        super().__init__(f"The list has more than {most}. Narrow it, or export it as CSV, which has no limit.")


def require_short(rows: int) -> None:
    """Raise :class:`TooLong` if a workbook cannot have so many rows."""
    if rows > MAX_ROWS:
        raise TooLong(f"{MAX_ROWS:,} rows")


class _Table:
    """The one table of a workbook. Numbers and days are those of Excel. A text stays one, also if it is like a formula.

    The columns are as wide as their longest values, within limits.
    """

    def __init__(self, book: Any, headings: Sequence[str]) -> None:
        self._sheet = book.add_worksheet()
        self._formats = {kind: book.add_format({"num_format": text}) for kind, text in FORMATS.items()}
        self._widths = [len(heading) + 3 for heading in headings]  # with the button of the filter
        self.rows = 0
        bold = book.add_format({"bold": True})
        for column, heading in enumerate(headings):
            self._sheet.write_string(0, column, heading, bold)

    def add(self, values: Sequence[Any]) -> None:
        """Write the next row."""
        self.rows += 1
        for column, value in enumerate(values):
            self._widths[column] = max(self._widths[column], len(str(value)))
            place, form = (self.rows, column), self._formats.get(type(value))
            if isinstance(value, date):  # a time is one, too
                self._sheet.write_datetime(*place, value, form)
            elif isinstance(value, int | Decimal):
                self._sheet.write_number(*place, value, form)
            elif value:
                self._sheet.write_string(*place, plain_words(value)[:MAX_TEXT])

    def finish(self) -> None:
        """Keep the headings in sight, give each column a filter, and set the widths."""
        self._sheet.freeze_panes(1, 0)
        self._sheet.autofilter(0, 0, self.rows, len(self._widths) - 1)
        for column, width in enumerate(self._widths):
            self._sheet.set_column(column, column, min(max(width, NARROWEST), WIDEST))


def write_workbook(path: Path, headings: Sequence[str], rows: Iterator[Row]) -> None:
    """Write the rows of a list into a new file. Its folder holds temporary files. Raises :class:`TooLong`."""
    from xlsxwriter import Workbook  # noqa: PLC0415 (42 modules, which only an export to Excel needs)

    options = {"constant_memory": True, "tmpdir": str(path.parent), "remove_timezone": True}
    with ledger.recording() as calls, Workbook(path, options) as book:
        first = list(islice(rows, 1))
        timed = any(isinstance(value, datetime) for values, _ in first for value in values)
        table = _Table(book, [*headings, ZONE] if timed else headings)
        for values, zone in chain(first, rows):
            require_short(table.rows + 1)
            if calls.read_units > MAX_UNITS:
                raise TooLong(f"{table.rows:,} rows, which bring {MAX_UNITS:,} read units")
            local = [in_zone(value, zone) if isinstance(value, datetime) else value for value in values]
            table.add([*local, zone or "UTC"] if timed else local)
        table.finish()
