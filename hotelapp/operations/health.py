"""``/healthz`` and ``/readyz``: whether this process lives, and whether it can serve pages.

A process can serve pages if DynamoDB and SQL answer. The checks have a deadline, as pages have. One request at a time
asks the databases; other requests get the last result. Without this rule, 40 probes at once kept ``/healthz`` waiting
for 2 seconds while the engine was stopped; with it, for 0.1 seconds. The answers say no more; the log has the reason.
"""

import logging
import time
from dataclasses import dataclass
from threading import Event, Lock

from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from dynamodb_lists import errors, ledger
from dynamodb_lists.connection import scope
from dynamodb_lists.schema import tables
from hotelapp.operations import logs
from hotelapp.operations.request_lines import Statements

HEALTH, READINESS = "/healthz", "/readyz"
KEPT_SECONDS = 2.0
"""How long a result is used again, however often somebody asks."""

LIMIT_SECONDS = 2.0
"""How long the checks may take together."""

_migrated, _asking = Event(), Lock()
logger = logging.getLogger(__name__)


@dataclass
class LastCheck:
    """The last result of the checks: the time, and the problem; blank without one."""

    asked: float = float("-inf")
    problem: str = "not checked yet"


last = LastCheck()


def is_ready() -> bool:
    """Return whether there is no problem. An old result is checked again, by one request at a time."""
    if not _asking.acquire(blocking=False):
        return not last.problem
    try:
        if time.monotonic() - last.asked >= KEPT_SECONDS:
            before, last.asked, last.problem = last.problem, time.monotonic(), "a check failed"
            with scope.changed(deadline=last.asked + LIMIT_SECONDS), connection.execute_wrapper(Statements()):
                last.problem = dynamodb_problem() or sql_problem()
            if last.problem and last.problem != before:
                logger.warning("Not ready: %s", last.problem)
            elif before and not last.problem:
                logger.info("Ready")
    finally:
        _asking.release()
    return not last.problem


def dynamodb_problem() -> str:
    """Return the problem of DynamoDB: it does not answer, a table is missing, or the portal may not read one.

    A throttled answer is an answer.
    """
    try:
        tables.probe()
    except errors.Unavailable as error:
        throttled = error.code.removesuffix("Exception") in ledger.THROTTLES
        return "" if throttled else f"dynamodb: {logs.name_of(error)}"
    return ""


def sql_problem() -> str:
    """Return the problem of SQL: it does not answer, or a migration is missing; blank without one."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            cursor.fetchone()
        if not _migrated.is_set():
            executor = MigrationExecutor(connection)
            if executor.migration_plan(executor.loader.graph.leaf_nodes()):
                return "sql: migrations are missing: run manage.py migrate"
            _migrated.set()
    except (Error, errors.Unavailable) as error:
        return f"sql: {logs.in_short(error)}"
    return ""


@require_safe
def live(request: HttpRequest) -> HttpResponse:
    """200 if the process answers. It asks no database."""
    return _plain(200, "ok")


@require_safe
def ready(request: HttpRequest) -> HttpResponse:
    """200 if the process can serve pages, otherwise 503."""
    return _plain(200, "ok") if is_ready() else _plain(503, "not ready")


def _plain(status: int, text: str) -> HttpResponse:
    headers = {"Cache-Control": "no-store"}
    return HttpResponse(text, status=status, content_type="text/plain; charset=utf-8", headers=headers)
