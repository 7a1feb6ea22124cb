"""``/healthz`` and ``/readyz``: whether this process lives, and whether it can serve pages."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed

from hotelapp.operations import checks

HEALTH, READINESS = "/healthz", "/readyz"
METHODS = ("GET", "HEAD")


class HealthMiddleware:
    """Answers both addresses before anything else: without login, session, or a check of the host or of HTTPS.

    A load balancer asks by IP address and over plain HTTP. The answers say nothing else; the log has the reason.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info not in {HEALTH, READINESS}:
            return self.get_response(request)
        if request.method not in METHODS:
            return HttpResponseNotAllowed(METHODS)
        if request.path_info == HEALTH or checks.ready(checks.CHECKS):
            return _plain(200, "ok")
        return _plain(503, "not ready")


def _plain(status: int, text: str) -> HttpResponse:
    headers = {"Cache-Control": "no-store"}
    return HttpResponse(text, status=status, content_type="text/plain; charset=utf-8", headers=headers)
