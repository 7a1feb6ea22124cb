"""The portal's own middlewares: one around everything, and those of sessions, of users and errors, of compression."""

import json
import time
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from urllib.parse import quote

from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.exceptions import BadRequest
from django.db import connection
from django.http import HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from accounts.backends import user_of
from accounts.logins import clients
from dynamodb_lists import errors
from dynamodb_lists.connection import scope
from dynamodb_lists.schema import keys
from hotelapp.operations import health, metrics
from hotelapp.operations.request_lines import ID_HEADER, RequestLine
from portal import drafts, error_pages
from portal.forms.parameters import BadParameters, Problem

UNUSED_FEATURES = """
accelerometer autoplay browsing-topics camera display-capture encrypted-media fullscreen geolocation gyroscope
hid idle-detection local-fonts magnetometer microphone midi payment picture-in-picture
publickey-credentials-create publickey-credentials-get screen-wake-lock serial usb window-management
xr-spatial-tracking
"""
"""Features of browsers that no page uses, so that no script may ask for them."""

SECURITY = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'"
    ),
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in UNUSED_FEATURES.split()),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""The headers of every answer that a browser gets: everything is from the portal itself, and nothing is inline."""

_RULES = {"prefetch": [{"where": {"selector_matches": "a[data-ahead]"}, "eagerness": "immediate"}]}
SPECULATION_RULES = f'"data:application/speculationrules+json,{quote(json.dumps(_RULES))}"'
"""The header ``Speculation-Rules`` of pages: a browser fetches the links ahead that ``static/portal/ahead.js`` marks.

The rules are in the address itself. As a file they would be one more request.
"""


class RequestMiddleware:
    """Around everything: the request's id, limits and ledger, its log line, and the addresses for machines.

    It is outside every middleware that may answer, so that each answer has an id and a line. The deadline holds
    until the answer begins. An export lasts longer by its nature: after its first row it has only the time-outs of
    each call.

    The addresses for machines need no login, session, known host or HTTPS, because load balancers and Prometheus ask
    each machine by its IP address and over plain HTTP. They have no line and no headers for browsers.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self.metrics = metrics.MetricsPage() if settings.METRICS_TOKEN else None
        self._pages = {health.HEALTH: health.live, health.READINESS: health.ready, metrics.ADDRESS: self.metrics}

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if self.metrics:
            self.metrics.begin()  # here, because a server may start before it forks
        page = self._pages.get(request.path_info)
        if page and (answer := page(request)) is not None:
            return answer
        line = RequestLine(request)
        request.log_line, request.ledger = line, line.ledger  # type: ignore[attr-defined]
        deadline = time.monotonic() + settings.PAGE_DEADLINE_SECONDS
        with line.serving(), scope.changed(deadline=deadline), connection.execute_wrapper(line.sql):
            response = _refusal(request, line) or self.get_response(request)
            line.status = response.status_code
            for name, value in {ID_HEADER: line.request_id, **SECURITY}.items():
                response[name] = value
            if getattr(line.user, "is_staff", False):
                response["Speculation-Rules"] = SPECULATION_RULES
            if isinstance(response, StreamingHttpResponse) and request.method == "HEAD":
                response.streaming_content = ()  # the server would read it all, and send nothing
            if isinstance(response, StreamingHttpResponse) and not line.is_static:
                response.streaming_content = line.download(response.streaming_content)  # type: ignore[arg-type]
            else:
                line.write()
        return response


def _refusal(request: HttpRequest, line: RequestLine) -> HttpResponse | None:
    """Return the answer to a request that no page may read: in another character set, too large, or ahead of a message.

    Django reads a request in the set that its header ``Content-Type`` names. Python has sets that cannot be used
    so, such as ``idna``. No page of the portal sends any but UTF-8.

    Nobody may ever see the answer to a request made ahead, so it must not take a message that is shown once. The
    browser asks again when somebody opens the page. It has no status of an error of the server: nothing is wrong.
    """
    if line.ahead and request.COOKIES.get(CookieStorage.cookie_name):
        return HttpResponse(status=HTTPStatus.TOO_MANY_REQUESTS)
    charset = (request.content_params or {}).get("charset", "utf-8")
    if charset.lower() not in {"utf-8", "utf8"}:
        return error_pages.bad_request(request, BadRequest(f"The character set is {charset!r}."))
    sent = request.headers.get("Content-Length", "")
    if sent.isdecimal() and int(sent) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:  # Django does not count files
        return error_pages.too_large(request)
    return None


class SessionOrOutageMiddleware(SessionMiddleware):
    """Django's session middleware, with a 503 page if a session cannot be saved.

    The session is saved after the view. Django turns an error raised then into a 500 page before any other middleware
    sees it. Errors raised by the view are for :class:`UserMiddleware`.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        try:
            request.session.renew()  # type: ignore[attr-defined]
            return super().process_response(request, response)
        except errors.Unavailable as error:
            request.ledger.maybe_written = True  # type: ignore[attr-defined]  # the view has done its work, perhaps in SQL
            return error_pages.unavailable(request, error)


class UserMiddleware(AuthenticationMiddleware):
    """Django's middleware of users, which also asks for the second factor, and turns errors of views into pages.

    No page asks whether a code was given: until then, ``request.user`` is anonymous. The user who has given only the
    password is ``request.half_user``, for the pages of the login.
    """

    def process_request(self, request: HttpRequest) -> None:
        request.user = SimpleLazyObject(partial(user_of, request))  # type: ignore[assignment]

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Return the page for a known error: 400, 404 or 503; ``None`` leaves other errors to Django."""
        if isinstance(exception, BadParameters):
            return error_pages.bad_parameters(request, exception)
        # If a part of the address is what no key can hold, nothing is there. What a form sends is another matter.
        parts = request.resolver_match.kwargs.values() if request.resolver_match else ()
        is_of_form = all(keys.is_part(str(part)) and len(str(part)) <= keys.SLUG_LENGTH for part in parts)
        if isinstance(exception, errors.KeyPartError) and is_of_form:
            return error_pages.bad_parameters(request, BadParameters([Problem("", "", [str(exception)])], QueryDict()))
        if isinstance(exception, (errors.NotFound, errors.KeyPartError)):
            return error_pages.not_found(request, exception)
        if failure := error_pages.outage(exception):
            return error_pages.unavailable(request, failure)
        return None

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Lead from the login to the page that asks for the second factor, and send the cookie of a known browser."""
        page = request.resolver_match.view_name if request.resolver_match else ""
        if page == "admin:login" and request.method == "GET" and hasattr(request, "half_user"):
            response = redirect(reverse("login:code", query=request.GET))
        if cookie := getattr(request, "known_browser", ()):
            clients.set_cookie(response, *cookie)
            drafts.set_owner(response, cookie[0])
        return response


class CompressionMiddleware(GZipMiddleware):
    """Django's own, for pages alone: in an export, a row would wait for the rows after it.

    docs/portal.md says why pages may be compressed.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        return response if response.streaming else super().process_response(request, response)
