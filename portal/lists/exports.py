"""Exports: all rows of a selection, as CSV that is streamed, or as an Excel file."""

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from datetime import date, datetime
from decimal import Decimal
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import BoundedSemaphore
from typing import Any

from django.conf import settings
from django.core.files import File
from django.http import StreamingHttpResponse
from django.utils.http import content_disposition_header

from dynamodb_lists import csv_lines, ledger
from dynamodb_lists.connection import scope
from portal.forms.values import plain_words
from portal.places import place
from portal.times import in_zone

XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
LONGEST = 300.0
"""Seconds after which a workbook is given up, because the database hangs."""

PLACES = BoundedSemaphore(settings.EXPORT_PLACES)
"""An export keeps its thread until its client has read it, so few run in a process at the same time."""

PLACES_OF_EACH = max(settings.EXPORT_PLACES // 2, 1)
_of_accounts: dict[str, BoundedSemaphore] = {}
"""The places of each account, so that the exports of one leave some to others."""

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
    def __init__(self, most: str) -> None:
        super().__init__(f"The list has more than {most}. Set a filter, or export it as CSV, which has no limit.")


def require_short(rows: int) -> None:
    """Raise :class:`TooLong` if a workbook cannot have this number of rows."""
    if rows > MAX_ROWS:
        raise TooLong(f"{MAX_ROWS:,} rows")


class _Download(StreamingHttpResponse):
    """A file to download. Its place is freed when the file is closed or dropped, even if nobody has read it."""

    def __init__(self, name: str, content_type: str, parts: Iterable[str | bytes], held: ExitStack) -> None:
        super().__init__(parts, content_type=content_type)
        self["Content-Disposition"] = content_disposition_header(True, name)
        self._held = held

    def close(self) -> None:
        super().close()
        self._held.close()


def csv_response(who: str, name: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> StreamingHttpResponse:
    """Return a streamed CSV download for the account with this username.

    The first row is read at once, so that an unavailable database gives a 503 page. If a database fails later, the last
    line says so, and the connection is closed before the download is complete: a proxy may hide either. Raises
    :class:`~portal.places.Crowded`, before it reads a row, if all ``EXPORT_PLACES`` are taken, or
    all of the account.
    """
    with _place(who) as held:
        rows = iter(rows)
        ready = chain(list(islice(rows, 1)), rows)
        return _Download(f"{name}.csv", "text/csv; charset=utf-8", csv_lines(columns, ready), held.pop_all())


def workbook_response(who: str, name: str, headings: Sequence[str], rows: Iterator[Row]) -> StreamingHttpResponse:
    """Return a download of a whole Excel file. An unavailable database gives a 503 page at any row.

    Raises the same as :func:`csv_response`, and :class:`TooLong`.
    """
    deadline = time.monotonic() + LONGEST
    with _place(who) as held, scope.changed(deadline=deadline), TemporaryDirectory() as folder:
        path = Path(folder, "list")
        write_workbook(path, headings, rows)
        size, file = path.stat().st_size, held.enter_context(path.open("rb"))  # it is readable after its folder is gone
        response = _Download(f"{name}.xlsx", XLSX_TYPE, File(file).chunks(), held.pop_all())
    response["Content-Length"] = size
    return response


def _place(who: str) -> ExitStack:
    """Take a place of the account and of the process, until the stack is closed."""
    with ExitStack() as held:
        held.enter_context(place(_of_accounts.setdefault(who, BoundedSemaphore(PLACES_OF_EACH)), f"exports of {who}"))
        held.enter_context(place(PLACES, "exports"))
        return held.pop_all()


def write_workbook(path: Path, headings: Sequence[str], rows: Iterator[Row]) -> None:
    """Write the rows of a list into a new file. Its folder holds temporary files. Raises :class:`TooLong`."""
    from xlsxwriter import Workbook  # noqa: PLC0415 (42 modules, which only an export to Excel needs)

    options = {"constant_memory": True, "tmpdir": str(path.parent), "remove_timezone": True}
    options |= {"strings_to_formulas": False, "strings_to_urls": False}
    with ledger.recording() as calls, Workbook(path, options) as book:
        first = list(islice(rows, 1))
        timed = any(isinstance(value, datetime) for values, _ in first for value in values)
        headings = [*headings, ZONE] if timed else headings
        sheet, bold, number = book.add_worksheet(), book.add_format({"bold": True}), 0
        formats = {kind: book.add_format({"num_format": shown}) for kind, shown in FORMATS.items()}
        widths = [len(heading) + 3 for heading in headings]  # with the button of the filter
        for column, heading in enumerate(headings):
            sheet.write_string(0, column, heading, bold)
        for number, (values, zone) in enumerate(chain(first, rows), 1):  # noqa: B007 (it is needed after the last one)
            require_short(number)
            if calls.read_units > MAX_UNITS:
                raise TooLong(f"{number - 1:,} rows, which bring {MAX_UNITS:,} read units")
            local = [in_zone(value, zone) if isinstance(value, datetime) else value for value in values]
            # Numbers and days are those of Excel. A text stays one, also if it is like a formula.
            for column, value in enumerate([*local, zone or "UTC"] if timed else local):
                widths[column] = max(widths[column], len(str(value)))
                is_text = value and not isinstance(value, date | int | Decimal)
                shown = plain_words(value)[:MAX_TEXT] if is_text else value
                sheet.write(number, column, shown, formats.get(type(value)))
        # The headings stay in sight, and have filters. The columns are as wide as their longest values, within limits.
        sheet.freeze_panes(1, 0)
        sheet.autofilter(0, 0, number, len(widths) - 1)
        for column, width in enumerate(widths):
            sheet.set_column(column, column, min(max(width, NARROWEST), WIDEST))
