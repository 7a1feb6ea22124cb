"""The log line of a request: its path, its user, its status, and its cost.

Without these lines, an outage and an unknown address together took 81 lines of the log, and both named a guest.
"""

import logging
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.dispatch import Signal
from django.http import HttpRequest
from django.http.response import Http404
from django.urls import resolve
from ulid import ULID

from dynamodb_lists import Ledger
from dynamodb_lists.connection import scope
from hotelapp.operations import logs
from portal.people import loaded_user

ID_HEADER = "X-Request-ID"
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
ERROR, CONFLICT = 500, 409
NO_PAGE = "(no page)"
"""The path of an address that no page has. The address itself may hold anything, so no log has it."""

STATIC = "static"
LEFT = "ClientLeft"
"""The cause of a download that ended because nobody reads it any more."""

_SAFE_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
_CONVERTER = re.compile(r"<\w+:(\w+)>")
logger = logging.getLogger("hotelapp.requests")
finished = Signal()
"""Sent with ``line`` when a response is complete."""


@dataclass(slots=True)
class Statements:
    """How many statements a request has sent to SQL, and how many seconds it waited for them.

    None begins after the page's deadline. :func:`hotelapp.environment.database` limits how long each one waits.
    """

    queries: int = 0
    seconds: float = 0.0

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        """Run a statement and count it. Django calls this for each one, as an ``execute_wrapper``."""
        started = time.perf_counter()
        try:
            scope.require_time()
            return execute(sql, params, many, context)
        finally:
            self.queries += 1
            self.seconds += time.perf_counter() - started


@dataclass(slots=True)
class RequestLine:
    """The log line of one request. It is written once, when the response is complete.

    ``request_id`` is the id that a proxy or a client sent; a new ULID if it sent none, or an id that is long or has
    other characters. ``method`` is ``OTHER`` if HTTP has no such method. ``view`` is the name of the page, one of a
    fixed number; blank for an unknown address. ``ahead`` says that ``static/portal/ahead.js`` has sent the request,
    because somebody may open the page in a moment.
    """

    request: HttpRequest
    started: float = field(default_factory=time.perf_counter)
    request_id: str = ""
    ledger: Ledger = field(default_factory=Ledger)
    sql: Statements = field(default_factory=Statements)
    status: int = 0
    cause: str = ""
    error: BaseException | None = None
    broken: bool = False
    seconds: float = 0.0
    is_static: bool = False
    ahead: bool = False
    method: str = "OTHER"
    view: str = ""
    path: str = NO_PAGE

    def __post_init__(self) -> None:
        sent = self.request.headers.get(ID_HEADER, "")
        self.request_id = sent if _SAFE_ID.fullmatch(sent) else str(ULID())
        self.is_static = self.request.path_info.startswith(settings.STATIC_URL)
        purpose = self.request.headers.get("Sec-Purpose") or self.request.headers.get("Purpose", "")
        self.ahead = "prefetch" in purpose  # browsers say so, and scripts cannot send the first of these headers
        if self.request.method in METHODS:
            self.method = self.request.method

    def serving(self) -> AbstractContextManager[None]:
        """Attribute what happens in the block to this request, also in threads that run in a copy of its context."""
        return scope.changed(request_id=self.request_id, observers=(self.ledger.add,))

    def take(self, logger_name: str, error: BaseException | None) -> bool:
        """Add to the line what was logged about the request; return false if the response was complete before."""
        if self.status:
            return False
        if error is not None:
            self.blame(error)
        elif logger_name.startswith("django.security.") and not self.cause:
            self.cause = logger_name.rpartition(".")[2]
        return True

    def blame(self, error: BaseException) -> None:
        self.error, self.cause = error, logs.name_of(error)

    @property
    def user(self) -> Any:
        """The user who has logged in with this request; otherwise the user of its session, if the session was read."""
        user = vars(self.request).get("user")
        logged_in = issubclass(type(user), AbstractBaseUser)  # isinstance would load the user
        return user if logged_in else loaded_user(self.request)

    def write(self) -> None:
        """Write the line. Its path has names for values, because a guest's username is personal data."""
        self.seconds = time.perf_counter() - self.started
        if self.is_static:
            self.view = self.path = STATIC
        else:
            with suppress(Http404):  # a middleware may have answered before Django looked for the page
                match = self.request.resolver_match or resolve(self.request.path_info)
                self.view, self.path = match.view_name or match.route, "/" + _CONVERTER.sub(r"<\1>", match.route)
        ledger, bad = self.ledger, self.status >= ERROR or self.broken
        # docs/operate.md explains each field.
        fields = {
            "user": self.user.get_username() if self.user else "",
            "method": self.method,
            "path": self.path,
            "view": self.view,
            "status": self.status,
            "milliseconds": round(self.seconds * 1000, 1),
            "requests": ledger.requests,
            "waves": ledger.waves,
            "read_units": float(ledger.read_units),
            "write_units": float(ledger.write_units),
            "dynamodb_milliseconds": round(ledger.milliseconds, 1),
            "sql_queries": self.sql.queries,
            "sql_milliseconds": round(self.sql.seconds * 1000, 1),
        }
        seldom = {
            "ahead": self.ahead,
            "retries": ledger.retries,
            "throttles": ledger.throttles,
            "conflicts": ledger.conflicts,
            "cause": self.cause or (ledger.code if self.status >= ERROR or self.status == CONFLICT else ""),
            "broken": self.broken,
        }
        fields |= dict(filter(itemgetter(1), seldom.items()))
        level = logging.ERROR if bad else logging.DEBUG if self.is_static else logging.INFO
        message = "%(method)s %(path)s %(status)s"
        logger.log(level, message, fields, extra={"fields": fields}, exc_info=self.error if bad else None)
        self.error = None  # its traceback holds the frames of the request
        finished.send(sender=RequestLine, line=self)

    def download(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        """Yield the chunks of a download. At the end, write the line, with the units of all chunks.

        The server closes the generator if the client leaves before that.
        """
        self.ledger.keeps_calls = False
        try:
            while True:
                with self.serving():
                    if (chunk := next(chunks, None)) is None:
                        return
                yield chunk
        finally:
            error = sys.exception()
            if isinstance(error, GeneratorExit):
                self.cause = LEFT
            elif error is not None:
                self.broken = True
                self.blame(error)
            with self.serving():
                self.write()
