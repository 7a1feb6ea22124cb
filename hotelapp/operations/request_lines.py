"""The log line of a request: what was asked for, by whom, how it ended, and what it cost."""

import logging
import re
import time
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.dispatch import Signal
from django.http import HttpRequest
from django.http.response import Http404
from django.urls import ResolverMatch, resolve

from hotelapp.dynamodb.connection.tallies import Tally
from hotelapp.operations import plain_errors
from hotelapp.operations.sql_time import SqlTime

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
ERROR, CONFLICT = 500, 409
NO_PAGE = "(no page)"
"""The path of an address that no page has. The address itself may hold anything, so no log has it."""

STATIC = "static"
_CONVERTER = re.compile(r"<\w+:(\w+)>")
logger = logging.getLogger("hotelapp.requests")
finished = Signal()
"""Sent with ``line`` when a response is complete."""


@dataclass
class RequestLine:
    """What is known about a request. It is written once, when the response is complete."""

    request: HttpRequest
    started: float = field(default_factory=time.perf_counter)
    tally: Tally = field(default_factory=Tally)
    sql: SqlTime = field(default_factory=SqlTime)
    render_seconds: float = 0.0
    status: int = 0
    cause: str = ""
    error: BaseException | None = None
    broken: bool = False
    seconds: float = 0.0
    written: bool = False

    def take(self, logger_name: str, error: BaseException | None) -> bool:
        """Add what was logged about the request; false if it is too late, because the response is there already."""
        if self.status:
            return False
        if error is not None:
            self.blame(error)
        elif logger_name.startswith("django.security.") and not self.cause:
            self.cause = logger_name.rpartition(".")[2]
        return True

    def blame(self, error: BaseException) -> None:
        """Add the error that ended the request."""
        self.error, self.cause = error, plain_errors.name_of(error)

    @cached_property
    def match(self) -> ResolverMatch | None:
        """The page of the request's address; ``None`` if no page has it."""
        if match := self.request.resolver_match:
            return match
        try:
            return resolve(self.request.path_info)  # a middleware answered before Django looked for the page
        except Http404:
            return None

    @property
    def static(self) -> bool:
        """Whether the request is for a static file."""
        return self.request.path_info.startswith(settings.STATIC_URL)

    @property
    def view(self) -> str:
        """The name of the page, of which there are as many as the portal has addresses; blank for none."""
        if self.static:
            return STATIC
        match = self.match
        return (match.view_name or match.route) if match else ""

    @property
    def method(self) -> str:
        """The method; ``OTHER`` for one that HTTP does not have."""
        method = self.request.method or ""
        return method if method in METHODS else "OTHER"

    @property
    def user(self) -> Any:
        """The user, if the request has loaded one. A log must not be the reason to read a session."""
        user = vars(self.request).get("user")
        loaded = issubclass(type(user), AbstractBaseUser)  # isinstance would load the user
        return user if loaded else getattr(self.request, "_cached_user", None)

    def write(self) -> None:
        """Write the line. A second call does nothing."""
        if self.written:
            return
        self.written = True
        self.seconds = time.perf_counter() - self.started
        fields = self.fields()
        bad = self.status >= ERROR or self.broken
        level = logging.ERROR if bad else logging.DEBUG if self.static else logging.INFO
        message = "%(method)s %(path)s %(status)s"
        logger.log(level, message, fields, extra={"fields": fields}, exc_info=self.error if bad else None)
        self.error = None  # its traceback holds the frames of the request
        finished.send(sender=RequestLine, line=self)

    def fields(self) -> dict[str, Any]:
        """The fields of the line. docs/monitoring.md explains each."""
        tally, match = self.tally, self.match
        ledger = getattr(self.request, "ledger", None)
        cause = self.cause or (tally.code if self.status >= ERROR or self.status == CONFLICT else "")
        fields = {
            "user": self.user.get_username() if self.user else "",
            "method": self.method,
            "path": STATIC if self.static else _path(match.route) if match else NO_PAGE,
            "view": self.view,
            "status": self.status,
            "milliseconds": round(self.seconds * 1000, 1),
            "requests": tally.requests,
            "waves": ledger.waves if ledger else 0,
            "read_units": float(tally.read_units),
            "write_units": float(tally.write_units),
            "dynamodb_milliseconds": round(tally.seconds * 1000, 1),
            "sql_queries": self.sql.queries,
            "sql_milliseconds": round(self.sql.seconds * 1000, 1),
        }
        seldom = {
            "retries": tally.retries,
            "throttles": tally.throttles,
            "conflicts": tally.conflicts,
            "cause": cause,
            "broken": self.broken,
        }
        return fields | {name: value for name, value in seldom.items() if value}


def _path(route: str) -> str:
    """An address without the values in it: ``/guests/<username>/``. A guest's username is personal data."""
    return "/" + _CONVERTER.sub(r"<\1>", route)
