"""Gives each page a deadline, and counts the pages that wait for databases."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.conf import settings
from django.http import HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase

from hotelapp.dynamodb.connection import deadlines, places
from hotelapp.limits import sql


class PageLimitsMiddleware:
    """Sets the deadline of a page for all its requests to DynamoDB and SQL, until its answer begins.

    An export lasts longer by its nature. After its first row it has no deadline, only the time-outs of each call; but
    it still takes a place while it waits.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        with places.page(), deadlines.within(settings.PAGE_DEADLINE_SECONDS), sql.limited():
            response = self.get_response(request)
        if isinstance(response, StreamingHttpResponse):
            response.streaming_content = _Download(response.streaming_content)  # type: ignore[arg-type]
        return response


class _Download:
    """The pieces of a download. Reading each of them counts as a page."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = pieces

    def __iter__(self) -> Iterator[bytes]:
        pieces = iter(self._pieces)
        while True:
            with places.page():
                piece: Any = next(pieces, None)
            if piece is None:
                return
            yield piece
