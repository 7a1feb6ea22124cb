"""``/metrics``: what the portal counts for Prometheus, added up over all processes of a server.

Labels have few values: names of pages, tables and operations, never an address or a name from outside. The numbers are
in files of a fixed size, which every process shares: without the size, a full disk killed the process (SIGBUS) that
counted a request.
"""

import atexit
import logging
import os
import shutil
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from threading import Lock
from typing import Any

from django.conf import settings
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.dispatch import Signal
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare

from dynamodb_lists import ledger
from hotelapp.operations.request_lines import RequestLine, finished

ADDRESS = "/metrics"
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
PREFIX = "hotel_portal"
PAGE_SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
CALL_SECONDS = (0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
FILE_BYTES = 1 << 21
KINDS = ("counter", "histogram")
logger = logging.getLogger(__name__)


class Metrics:
    """The metrics of this process, in a folder that it shares with the other processes of the server.

    This is prometheus-client's multiprocess mode: each process has files of its own in the folder, so whichever is
    asked has the numbers of all. The library decides when it is imported whether it counts in memory or in files. So it
    is imported here, after the folder is known, and not at all without metrics. Raises ``OSError`` for a full disk.
    """

    def __init__(self, folder: Path) -> None:
        for kind in KINDS:  # this process's files at their full size; each has another name until it is complete
            file = folder / f"{kind}_{os.getpid()}.db"  # the name that prometheus-client gives it
            unfinished = file.with_suffix(".new")
            with unfinished.open("wb") as output:
                os.posix_fallocate(output.fileno(), 0, FILE_BYTES)
            unfinished.rename(file)
        os.environ[FOLDER_VARIABLE] = str(folder)
        from prometheus_client import CollectorRegistry, Counter, Histogram  # noqa: PLC0415

        self.folder = folder
        self.registry = CollectorRegistry()
        counter = partial(Counter, namespace=PREFIX, registry=self.registry)
        histogram = partial(Histogram, namespace=PREFIX, registry=self.registry)
        page, call = ("view", "method", "status"), ("table", "operation")
        self.requests = counter("requests", "Requests of the portal", page)
        text = "Time until a response is complete"
        self.request_seconds = histogram("request_seconds", text, page[:1], buckets=PAGE_SECONDS)
        text = "Time of a call with its retries"
        self.call_seconds = histogram("dynamodb_call_seconds", text, call, buckets=CALL_SECONDS)
        self.read_units = counter("dynamodb_read_units", "Read capacity units", call)
        self.write_units = counter("dynamodb_write_units", "Write capacity units", call)
        self.retries = counter("dynamodb_retries", "Attempts after the first one", call)
        self.throttles = counter("dynamodb_throttles", "Attempts that were throttled", call)
        self.conflicts = counter("dynamodb_conflicts", "Writes that met another write, or a stale item", call)
        self.failures = counter("dynamodb_failures", "Calls that ended in any other error", call)
        self.logins = counter("logins", "Attempts to log in", ["result"])

    def count_page(self, line: RequestLine, **_: Any) -> None:
        view = line.view or "none"
        self.requests.labels(view, line.method, f"{line.status // 100}xx").inc()
        self.request_seconds.labels(view).observe(line.seconds)

    def count_call(self, call: ledger.Call) -> None:
        """Count a call to DynamoDB. One that names several tables counts for each of them, with its own units."""
        units = self.read_units if call.reads else self.write_units
        for table in call.tables:
            labels = (table, call.operation)
            self.call_seconds.labels(*labels).observe(call.milliseconds / 1000)
            if count := call.units_by_table.get(table):
                units.labels(*labels).inc(float(count))
            if call.retries:
                self.retries.labels(*labels).inc(call.retries)
            if call.failed:
                self.failures.labels(*labels).inc()
        for table in call.blamed:
            if call.throttles:
                self.throttles.labels(table, call.operation).inc(call.throttles)
            if call.conflict:
                self.conflicts.labels(table, call.operation).inc()

    def count_login(self, signal: Signal, **_: Any) -> None:
        """Count an attempt to log in. Django sends one of two signals for it."""
        self.logins.labels("failure" if signal is user_login_failed else "success").inc()

    def exposition(self) -> bytes:
        """Return the numbers of all processes, in the Prometheus text format."""
        from prometheus_client import CollectorRegistry, generate_latest, multiprocess  # noqa: PLC0415

        everybody = CollectorRegistry()
        multiprocess.MultiProcessCollector(everybody, path=str(self.folder))  # type: ignore[no-untyped-call]
        return generate_latest(everybody)


class MetricsPage:
    """Counts, and answers ``/metrics`` with ``Authorization: Bearer <METRICS_TOKEN>``.

    The folder is created by the process that starts the others, and removed when it ends. A worker that is killed
    leaves its numbers there, and they stay a part of the sums, which never go down.
    """

    def __init__(self) -> None:
        self.folder = Path(mkdtemp(prefix="hotel-portal-metrics-"))
        atexit.register(_remove, self.folder, os.getpid())
        self._begun = Lock()
        self._metrics: Metrics | None = None

    def __call__(self, request: HttpRequest) -> HttpResponse | None:
        """Return the answer; ``None`` without the token, so that its address is one of those that no page has."""
        sent = request.headers.get("Authorization", "")
        if not constant_time_compare(sent, f"Bearer {settings.METRICS_TOKEN}"):
            return None
        if self._metrics is None:
            return HttpResponse("metrics have failed to start", status=503, content_type=CONTENT_TYPE)
        return HttpResponse(self._metrics.exposition(), content_type=CONTENT_TYPE)

    def begin(self) -> None:
        """Count from now on, unless this process counts already. If the disk is full, pages go on without metrics."""
        if self._metrics or not self._begun.acquire(blocking=False):  # only the first thread begins
            return
        try:
            metrics = Metrics(self.folder)
        except OSError as error:
            logger.error("There are no metrics of this process: %s", error)
            return
        connect(metrics)
        self._metrics = metrics


def connect(metrics: Metrics) -> None:
    """Count from now on what this process does."""
    finished.connect(metrics.count_page, weak=False)
    user_logged_in.connect(metrics.count_login, weak=False)
    user_login_failed.connect(metrics.count_login, weak=False)
    ledger.observers.append(metrics.count_call)


def _remove(folder: Path, owner: int) -> None:
    """Remove the folder, unless this process is a copy of the one that created it."""
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)
