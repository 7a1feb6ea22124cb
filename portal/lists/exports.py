"""Exports: all rows of a selection, as CSV that is streamed, or as an Excel file."""

import csv
import io
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import BoundedSemaphore
from typing import Any

from django.conf import settings
from django.http import StreamingHttpResponse
from django.utils.http import content_disposition_header

from dynamodb_lists.connection import scope
from dynamodb_lists.connection.errors import Unavailable
from dynamodb_lists.lists.csv_guard import guarded
from dynamodb_lists.schema.entities import text
from portal.lists.workbooks import Row, write_workbook
from portal.places import place

XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
CHUNK = 64 * 1024  # bytes that are sent at once

LONGEST = 300.0
"""Seconds after which a workbook is given up, because the database hangs."""

INCOMPLETE = "INCOMPLETE: a database did not answer. Download this file again."
"""The last line of an export that a database has cut."""

PLACES = BoundedSemaphore(settings.EXPORT_PLACES)
"""An export keeps its thread until its client has read it, so few run in a process at the same time."""

PLACES_OF_EACH = max(settings.EXPORT_PLACES // 2, 1)
_of_accounts: dict[str, BoundedSemaphore] = {}
"""The places of each account, so that the exports of one leave some to others."""


class _Held:
    """The parts of a download. Closing or dropping it frees its place, even if nobody has read it."""

    def __init__(self, parts: Iterable[str | bytes], held: ExitStack) -> None:
        self._parts = parts
        self._held = held

    def __iter__(self) -> Iterator[str | bytes]:
        return iter(self._parts)

    def close(self) -> None:
        self._held.close()


def csv_response(who: str, name: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> StreamingHttpResponse:
    """A streamed CSV download for the account with this username.

    The first row is read at once, so that an unavailable database gives a 503 page. If a database fails later, the last
    line says so, and the connection is closed before the download is complete: a proxy may hide either. Raises
    :class:`~dynamodb_lists.connection.errors.Crowded`, before it reads a row, if all ``EXPORT_PLACES`` are taken, or
    all of the account.
    """
    with _place(who) as held:
        rows = iter(rows)
        ready = chain(list(islice(rows, 1)), rows)
        download = _Held(_lines(columns, ready), held.pop_all())
    return _response(f"{name}.csv", "text/csv; charset=utf-8", download)


def workbook_response(who: str, name: str, headings: Sequence[str], rows: Iterator[Row]) -> StreamingHttpResponse:
    """A download of a whole Excel file. An unavailable database gives a 503 page at any row.

    Raises the same as :func:`csv_response`, and :class:`~portal.lists.workbooks.TooLong`.
    """
    deadline = time.monotonic() + LONGEST
    with _place(who) as held, scope.changed(deadline=deadline), TemporaryDirectory() as folder:
        path = Path(folder, "list")
        write_workbook(path, headings, rows)
        size, file = path.stat().st_size, held.enter_context(path.open("rb"))  # it is readable after its folder is gone
        download = _Held(iter(partial(file.read, CHUNK), b""), held.pop_all())
    response = _response(f"{name}.xlsx", XLSX_TYPE, download)
    response["Content-Length"] = size
    return response


def _place(who: str) -> ExitStack:
    """A place of the account and of the process, until the stack is closed."""
    with ExitStack() as held:
        held.enter_context(place(_of_accounts.setdefault(who, BoundedSemaphore(PLACES_OF_EACH)), f"exports of {who}"))
        held.enter_context(place(PLACES, "exports"))
        return held.pop_all()


def _response(name: str, content_type: str, download: _Held) -> StreamingHttpResponse:
    response = StreamingHttpResponse(download, content_type=content_type)
    response["Content-Disposition"] = content_disposition_header(True, name)
    return response


def _lines(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    """The lines of a file, as many at once as fit into a chunk."""
    written = io.StringIO()
    writer = csv.writer(written)
    writer.writerow(columns)
    try:
        for row in rows:
            writer.writerow([guarded(text(value)) for value in row])
            if written.tell() >= CHUNK:
                yield written.getvalue()
                written.seek(0)
                written.truncate()
    except Unavailable:
        writer.writerow([INCOMPLETE])
        yield written.getvalue()
        raise
    yield written.getvalue()
