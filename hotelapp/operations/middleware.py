"""Gives each request its id, and writes its log line when the response is complete."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.template.response import SimpleTemplateResponse

from hotelapp.dynamodb.connection import tallies
from hotelapp.operations import request_ids
from hotelapp.operations.request_lines import RequestLine

TIMING = "Server-Timing"
LEFT = "ClientLeft"
"""The cause of a download that ended because nobody reads it any more."""


class RequestLogMiddleware:
    """The request's id in ``request.request_id`` and in the response, its log line, and Server-Timing for staff.

    It is outside every middleware that may answer, so that each answer has an id and a line.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request_id = request_ids.chosen(request.headers.get(request_ids.HEADER, ""))
        line = RequestLine(request)
        request.request_id, request.log_line = request_id, line  # type: ignore[attr-defined]
        with request_ids.serving(request_id), tallies.tallying(line.tally), line.sql.measuring():
            response = self.get_response(request)
        line.status = response.status_code
        response[request_ids.HEADER] = request_id
        if getattr(line.user, "is_staff", False):
            response[TIMING] = server_timing(line)
        if isinstance(response, StreamingHttpResponse) and not line.static:
            response.streaming_content = LoggedStream(response.streaming_content, line, request_id)
        else:
            with request_ids.serving(request_id):
                line.write()
        return response

    def process_template_response(
        self, request: HttpRequest, response: SimpleTemplateResponse
    ) -> SimpleTemplateResponse:
        """Measure how long the template takes. Django calls this just before it renders it."""
        started = time.perf_counter()

        def rendered(_: SimpleTemplateResponse) -> None:
            request.log_line.render_seconds += time.perf_counter() - started  # type: ignore[attr-defined]

        response.add_post_render_callback(rendered)
        return response


class LoggedStream(Iterator[bytes]):
    """The chunks of a download. The request's line is written at its end, with the units of the whole download."""

    def __init__(self, chunks: Iterator[bytes], line: RequestLine, request_id: str) -> None:
        self._chunks = chunks
        self._line = line
        self._request_id = request_id
        self._ended = False

    def __next__(self) -> bytes:
        with ExitStack() as stack:
            stack.enter_context(request_ids.serving(self._request_id))
            stack.enter_context(tallies.tallying(self._line.tally))
            stack.push(self._note)
            chunk = next(self._chunks, None)
        if chunk is None:
            self._ended = True
            raise StopIteration
        return chunk

    def close(self) -> None:
        """Write the line. The server calls this at the end, and also if the client leaves before it."""
        if not self._ended and not self._line.broken:
            self._line.cause = LEFT
        with request_ids.serving(self._request_id):
            self._line.write()

    def _note(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        if error is not None:
            self._line.broken = True
            self._line.blame(error)


def server_timing(line: RequestLine) -> str:
    """Where the time of a request went, in milliseconds, as browsers show it beside the request."""
    tally, sql = line.tally, line.sql
    parts = [
        ("total", time.perf_counter() - line.started, ""),
        ("dynamodb", tally.seconds, f"{tally.requests} requests"),
        ("sql", sql.seconds, f"{sql.queries} queries"),
        ("render", line.render_seconds, ""),
    ]
    return ", ".join(
        f"{name};dur={seconds * 1000:.1f}" + (f';desc="{words}"' if words else "") for name, seconds, words in parts
    )
