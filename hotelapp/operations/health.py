"""``/healthz`` and ``/readyz``: whether this process lives, and whether it can serve pages.

A process can serve pages if DynamoDB and SQL answer. The checks have a deadline, as pages have. The answers say nothing
else; the log has the reason.
"""

import logging
import time
from collections.abc import Callable
from functools import cache
from threading import Event, Lock
from typing import Any

from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from dynamodb_lists.connection import ledger, scope
from dynamodb_lists.connection.client import client, translated
from dynamodb_lists.connection.errors import Unavailable
from dynamodb_lists.schema import tables
from hotelapp.operations import plain_errors
from portal.sql import Statements

HEALTH, READINESS = "/healthz", "/readyz"
KEPT_SECONDS = 2.0
"""How long a result is used again, however often somebody asks."""

LIMIT_SECONDS = 2.0
"""How long the checks may take together."""

NO_ITEM = "readyz"
_migrated = Event()
logger = logging.getLogger(__name__)


class Check:
    """A check that runs at most once at a time, and whose result is kept for a moment.

    ``ask`` runs it and returns the problem, or a blank text. Meanwhile, other callers get the last result.
    """

    def __init__(self, name: str, ask: Callable[[], str]) -> None:
        self.name = name
        self._ask = ask
        self._lock = Lock()
        self._asked = float("-inf")
        self._problem = "not checked yet"

    def passes(self) -> bool:
        """Whether there is no problem. If the result is old, the check runs again, unless it is running already."""
        if self._lock.acquire(blocking=False):
            try:
                if time.monotonic() - self._asked >= KEPT_SECONDS:
                    self._renew()
            finally:
                self._lock.release()
        return not self._problem

    def _renew(self) -> None:
        """Run the check, keep its result, and log a result that has changed."""
        self._asked, before, problem = time.monotonic(), self._problem, "the check failed"
        try:
            problem = self._ask()
        finally:
            self._problem = problem
        if problem and problem != before:
            logger.warning("Not ready: %s: %s", self.name, problem)
        elif before and not problem:
            logger.info("Ready: %s", self.name)


def all_pass(checks: list[Check]) -> bool:
    """Whether all checks pass. One that does not pass within the limit of time does not pass."""
    deadline = time.monotonic() + LIMIT_SECONDS
    with scope.changed(deadline=deadline), connection.execute_wrapper(Statements()):
        return all(check.passes() for check in checks)


def dynamodb_problem() -> str:
    """The problem of DynamoDB: it does not answer, a table is missing, or the portal may not read one.

    One BatchGetItem asks each table for an item that does not exist: half a read unit a table. It needs no permission
    that the portal does not have. A throttled answer is an answer.
    """
    try:
        with translated():
            client().batch_get_item(RequestItems=_no_items())
    except Unavailable as error:
        return "" if error.code.removesuffix("Exception") in ledger.THROTTLES else error.code
    return ""


def sql_problem() -> str:
    """The problem of SQL: it does not answer, or a migration is missing. Migrations are compared until none is."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            cursor.fetchone()
        if not _migrated.is_set():
            executor = MigrationExecutor(connection)
            if executor.migration_plan(executor.loader.graph.leaf_nodes()):
                return "migrations are missing: run manage.py migrate"
            _migrated.set()
    except (Error, Unavailable) as error:
        return plain_errors.in_short(error)
    return ""


@cache
def _no_items() -> dict[str, Any]:
    """A key that no item has, for each table."""
    return {
        name: {"Keys": [{part["AttributeName"]: {"S": NO_ITEM} for part in tables.definition(name)["KeySchema"]}]}
        for name in tables.names()
    }


CHECKS = [Check("dynamodb", dynamodb_problem), Check("sql", sql_problem)]


@require_safe
def live(request: HttpRequest) -> HttpResponse:
    """200 if the process answers. It asks no database."""
    return _plain(200, "ok")


@require_safe
def ready(request: HttpRequest) -> HttpResponse:
    """200 if the process can serve pages, otherwise 503."""
    return _plain(200, "ok") if all_pass(CHECKS) else _plain(503, "not ready")


def _plain(status: int, text: str) -> HttpResponse:
    headers = {"Cache-Control": "no-store"}
    return HttpResponse(text, status=status, content_type="text/plain; charset=utf-8", headers=headers)
