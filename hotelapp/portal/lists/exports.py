"""Exports: all rows of a selection as CSV, streamed."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import cache
from itertools import chain, islice
from typing import Any

from django.conf import settings
from django.http import StreamingHttpResponse
from django.utils.http import content_disposition_header

from hotelapp.dynamodb.connection.errors import Unavailable
from hotelapp.limits.turns import Turns
from hotelapp.portal.csv_guard import guarded

BOM = "\ufeff"
"""Excel reads a CSV file as UTF-8 only if the file begins with this character. Other programs may show it."""


INCOMPLETE = "INCOMPLETE: a database did not answer. Download this file again."
"""The last line of an export that a database has cut."""


class _Echo:
    """A file that returns what is written to it, so that the csv module can stream."""

    def write(self, text: str) -> str:
        return text


class _HeldLines:
    """The lines of a download. Closing or dropping it ends its turns, even if nobody has read it."""

    def __init__(self, lines: Iterable[str], held: ExitStack) -> None:
        self._lines = lines
        self._held = held

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def close(self) -> None:
        self._held.close()


@cache
def turns() -> Turns:
    """The turns of this process. An export keeps its thread until its client has read it, so they are limited."""
    return Turns("exports", settings.EXPORT_PLACES)


@cache
def turns_of_user() -> Turns:
    """The turns of each user in this process: half of all, so that nobody keeps others from exporting."""
    return Turns("exports of one user", max(settings.EXPORT_PLACES // 2, 1))


def csv_response(
    name: str, columns: Sequence[str], rows: Iterable[Sequence[str]], *, user_id: Any = None, bom: bool = False
) -> StreamingHttpResponse:
    """A streamed CSV download, with a byte order mark on demand.

    The first row is read at once, so that an unavailable database gives a 503 page. If a database fails later, the last
    line says so, and the connection is closed before the download is complete: a proxy may hide either. Raises
    :class:`~hotelapp.dynamodb.connection.errors.Crowded`, before it reads a row, if all ``EXPORT_PLACES`` are taken, or
    half of them by this user.
    """
    with ExitStack() as held:
        held.enter_context(turns_of_user().turn(user_id))
        held.enter_context(turns().turn())
        rows = iter(rows)
        ready = chain(list(islice(rows, 1)), rows)
        download = _HeldLines(chain([BOM] if bom else [], _lines(columns, ready)), held.pop_all())
    response = StreamingHttpResponse(download, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = content_disposition_header(True, f"{name}.csv")
    return response


def _lines(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    writer = csv.writer(_Echo())
    yield writer.writerow(columns)
    try:
        for row in rows:
            yield writer.writerow(map(guarded, row))
    except Unavailable:
        yield writer.writerow([INCOMPLETE])
        raise
