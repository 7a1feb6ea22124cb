"""``/healthz`` and ``/readyz``: whether this process lives, and whether it can serve pages.

A process can serve pages if DynamoDB and SQL answer. Each check runs in a thread of its own, so that nobody waits
longer than allowed. The answers say nothing else; the log has the reason.
"""

import logging
import time
from collections.abc import Callable
from functools import cache
from threading import Event, Lock, Thread
from typing import Any

from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from hotelapp.dynamodb.connection import ledger
from hotelapp.dynamodb.connection.client import client, translated
from hotelapp.dynamodb.connection.errors import Unavailable
from hotelapp.dynamodb.schema import tables
from hotelapp.operations import plain_errors

HEALTH, READINESS = "/healthz", "/readyz"
KEPT_SECONDS = 2.0
"""How long an answer is used again. However often somebody asks, a process checks no more often than this."""

LIMIT_SECONDS = 2.0
"""How long a check may take."""

NO_ITEM = "readyz"
_migrated = Event()
logger = logging.getLogger(__name__)


class Check:
    """A question that is asked at most once at a time, and whose answer is kept for a moment.

    ``ask`` returns what is wrong; blank if nothing is. Only who starts a check waits for it. Until it ends, others get
    the last answer. A check that takes too long is wrong until it ends.
    """

    def __init__(self, name: str, ask: Callable[[], str]) -> None:
        self.name = name
        self._ask = ask
        self._lock = Lock()
        self._thread: Thread | None = None
        self._started = float("-inf")
        self._problem = "not checked yet"

    def start(self) -> Thread | None:
        """Start the check in a new thread if its answer is old, and return the thread."""
        with self._lock:
            running = self._thread is not None and self._thread.is_alive()
            if running or time.monotonic() - self._started < KEPT_SECONDS:
                return None
            self._started = time.monotonic()
            self._thread = Thread(target=self._run, name=f"ready-{self.name}", daemon=True)
            self._thread.start()
            return self._thread

    def passes(self, own: Thread | None) -> bool:
        """Whether the last answer is good. ``own`` is the thread that this request started; it is waited for."""
        if own is not None:
            own.join(max(0.0, self._started + LIMIT_SECONDS - time.monotonic()))
            if own.is_alive():
                self._tell("no answer in time")
        return not self._problem

    def _run(self) -> None:
        problem = "the check failed"
        try:
            problem = self._ask()
        finally:
            self._tell(problem)

    def _tell(self, problem: str) -> None:
        """Keep the answer, and log it if it is another one than before."""
        before, self._problem = self._problem, problem
        if problem and problem != before:
            logger.warning("Not ready: %s: %s", self.name, problem)
        elif before and not problem:
            logger.info("Ready: %s", self.name)


def all_pass(checks: list[Check]) -> bool:
    """Whether all checks pass. They run at the same time."""
    threads = [check.start() for check in checks]
    answers = [check.passes(thread) for check, thread in zip(checks, threads, strict=True)]
    return all(answers)


def dynamodb_problem() -> str:
    """What is wrong with DynamoDB: it does not answer, a table is missing, or the portal may not read one.

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
    """What is wrong with SQL: it does not answer, or a migration is missing. Migrations are compared until none is.

    The thread's own connection is closed again.
    """
    try:
        return _sql_problem()
    except Error as error:
        return plain_errors.in_short(error)
    finally:
        connection.close()


def _sql_problem() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        cursor.fetchone()
    if not _migrated.is_set():
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return "migrations are missing: run manage.py migrate"
        _migrated.set()
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
