"""``/metrics``: the metrics of all processes, for whoever has the token."""

import logging
from collections.abc import Callable
from threading import Lock

from django.conf import settings
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare

from hotelapp.dynamodb.connection import tallies
from hotelapp.operations.metrics import Metrics
from hotelapp.operations.metrics_folder import prepared
from hotelapp.operations.request_lines import finished

ADDRESS = "/metrics"
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
logger = logging.getLogger(__name__)


class MetricsMiddleware:
    """Counts, and answers ``/metrics`` with ``Authorization: Bearer <METRICS_TOKEN>``. Without a token it is off.

    Whoever asks without the token gets what every unknown address gives. Like the health checks, the address needs no
    login, known host or HTTPS, so that Prometheus can ask each machine directly.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if not settings.METRICS_TOKEN:
            raise MiddlewareNotUsed
        self.get_response = get_response
        self._lock = Lock()
        self._metrics: Metrics | None = None
        self._failed = False

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if self._metrics is None and not self._failed:  # begin here, because a server may start before it forks
            self._begin()
        sent = request.headers.get("Authorization", "")
        if request.path_info != ADDRESS or not constant_time_compare(sent, f"Bearer {settings.METRICS_TOKEN}"):
            return self.get_response(request)
        if self._metrics is None:
            return HttpResponse("metrics have failed to start", status=503, content_type=CONTENT_TYPE)
        return HttpResponse(self._metrics.exposition(), content_type=CONTENT_TYPE)

    def _begin(self) -> None:
        with self._lock:
            if self._metrics or self._failed:
                return
            try:
                metrics = Metrics(prepared(settings.VAR_DIR / "metrics"))
            except OSError as error:  # pages go on without metrics
                self._failed = True
                logger.error("There are no metrics of this process: %s", error)
                return
            connect(metrics)
            self._metrics = metrics


def connect(metrics: Metrics) -> None:
    """Count from now on what this process does."""
    finished.connect(metrics.count_page, weak=False)
    user_logged_in.connect(metrics.count_login, weak=False)
    user_login_failed.connect(metrics.count_refused_login, weak=False)
    tallies.observers.append(metrics.count_call)
