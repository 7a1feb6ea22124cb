"""The error pages. Each says what is wrong and what the user can do. No page shows a traceback.

The page of an outage says what has become of the user's change, and has the form to send it again. In an outage,
:mod:`dynamodb_lists.connection.client` refuses calls.
"""

import logging
import sys
from math import inf
from typing import Any

from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.db import DatabaseError, Error, InterfaceError, OperationalError, ProgrammingError
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import REASON_NO_CSRF_COOKIE
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import add_never_cache_headers

from dynamodb_lists import errors
from dynamodb_lists.connection import scope
from portal.forms.parameters import BadParameters
from portal.htmx import is_part, page_address
from portal.people import loaded_user
from portal.places import Crowded

NOTHING_DONE = "Nothing was changed."
PART_ERROR = "[data-part-error]"
"""The part of an error page that htmx shows inside another page. The header with it tells portal.js to show it."""

RETRY_SECONDS = 5
CSRF_FIELD = "csrfmiddlewaretoken"
SENT_BEFORE = "sent-before"
"""A field of a form that is sent again. It says that the outcome of the first time is unknown."""
UNKNOWN_OUTCOME = "Your change may have been saved already. You can safely send it again: it is saved only once."
ENTER_AGAIN = "Please enter the password or code again."
PASSWORD = f"{ENTER_AGAIN} If you were changing a password, it may be changed already."
OUTAGE = "This is usually temporary. Try again in a few seconds."
CROWDED = "Too many requests arrived at the same moment. Try again in a few seconds."

logger = logging.getLogger(__name__)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return a 400 page for a request that Django refused, without the frame, which reads the same request."""
    text = "The portal cannot read what your browser sent. Go back and try again."
    return page(request, 400, "This page cannot be shown", text, framed=False)


def too_large(request: HttpRequest) -> HttpResponse:
    """413 for a request with a larger body than the portal reads."""
    text = f"The portal takes at most {settings.DATA_UPLOAD_MAX_MEMORY_SIZE / 2**20} MB at a time. {NOTHING_DONE}"
    return page(request, 413, "This is too large", text, framed=False)


def bad_parameters(request: HttpRequest, exception: BadParameters) -> HttpResponse:
    """400 that names each bad parameter and links to the list without the bad values."""
    return page(
        request,
        400,
        "This page cannot be shown",
        "This link has values that the portal does not understand. Nothing was changed.",
        problems=exception.problems,
        links=exception.ways_out(request.path) if request.method == "GET" else [("Back to the page", request.path)],
    )


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return a 403 page for a user who is not staff, or who lacks a permission."""
    staff = is_staff(getattr(request, "user", None))
    who = "A superuser" if staff and request.user.has_perm("auth.change_user") else "An administrator of staff accounts"
    text = f"Your account is not allowed to do this. {who} can allow it."
    if staff and request.user.is_superuser:
        text = "Nobody can do this to their own account. Ask another superuser."
    links = [] if staff else [("Log in as somebody else", reverse("admin:login"))]
    return page(request, 403, "No access", text, links=links)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 for a form that was loaded before the last login, came without a cookie, or was sent by another site."""
    if reason == REASON_NO_CSRF_COOKIE:
        text = "Your browser does not keep cookies. Allow cookies for this site, and load the page again."
    elif reason.startswith(("Origin", "Referer")):
        text = "This form did not come from the portal, or your browser hides where it came from."
    else:
        text = "You logged in again after you opened this page, so the form is out of date."
    links = [("Load the page again", request.get_full_path())]
    return page(request, 403, "Please send the form again", f"{text} Nothing was changed.", links=links)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404 for an unknown address, and for a hotel, room, guest, order or review that does not exist."""
    text = "This page does not exist, or your account may not see it. What it showed may have been deleted or renamed."
    return page(request, 404, "Not found", text)


def logged_out(request: HttpRequest) -> HttpResponse:
    """403 for a part of a page whose user is not logged in any more. The link opens another window."""
    login = reverse("admin:login", query={"next": page_address(request)})
    return part(request, 403, "You are not logged in any more. Log in in another window, and try again.", login=login)


def page(
    request: HttpRequest, status: int, title: str, text: str, *, framed: bool | None = None, **context: object
) -> HttpResponse:
    if is_part(request):
        return part(request, status, text, problems=context.get("problems"))
    if getattr(request, "htmx", False):  # htmx does not show error pages, so let the browser load the page itself
        return uncached(HttpResponse(status=status, headers={"HX-Redirect": page_address(request)}))
    if framed is None:
        framed = is_staff(getattr(request, "user", None))
    framed = framed and _is_readable(request)
    template = "portal/error.html" if framed else "portal/error_plain.html"
    return uncached(render(request, template, {"title": title, "text": text, **context}, status=status))


def uncached(response: HttpResponse) -> HttpResponse:
    """Return the response with headers that forbid browsers and proxies to keep it."""
    add_never_cache_headers(response)
    return response


def _is_readable(request: HttpRequest) -> bool:
    """Return whether Django can read the query string, as the frame does. Django refuses too many parameters."""
    try:
        return request.GET is not None
    except SuspiciousOperation:
        return False


def part(request: HttpRequest, status: int, text: str, **context: object) -> HttpResponse:
    """Return an error for the part of a page that htmx was to load. The page itself stays as it is."""
    html = render_to_string("portal/_part_error.html", {"text": text, **context})
    return uncached(HttpResponse(html, status=status, headers={"HX-Reselect": PART_ERROR}))


def is_staff(user: Any) -> bool:
    """Return whether the page may have the portal's frame; false if the user's session or account cannot be read."""
    try:
        return user is not None and user.is_active and user.is_staff
    except (errors.Unavailable, Error):
        return False


# --- Outages --------------------------------------------------------------------------------------------


def outage(error: BaseException | None) -> errors.Unavailable | None:
    """Translate an error of a database into the portal's exception family; ``None`` for any other error.

    Errors of DynamoDB belong to it already. A lock, a full disk and a lost connection may be gone a moment later.
    Tables that ``migrate`` has not created, and a damaged file, need an administrator. The log has the error.
    """
    if isinstance(error, errors.Unavailable):
        return error
    damaged = type(error) is DatabaseError and error.__cause__  # without a cause, it is an error of Django's own
    missing = isinstance(error, ProgrammingError) and "does not exist" in str(error)  # as PostgreSQL says it
    if not (damaged or missing or isinstance(error, (OperationalError, InterfaceError))):
        return None
    words = str(error).partition("\n")[0]  # PostgreSQL's other lines quote the statement
    failure = errors.Unavailable(f"The SQL database did not answer: {words}", type(error).__name__)
    failure.__cause__ = error
    return failure


def unavailable(request: HttpRequest, exception: errors.Unavailable) -> HttpResponse:
    """503 while a database is unreachable, throttles, or refuses a request of the portal.

    The page has a frame only if the user was loaded before the error, because reading the session may be what failed,
    and only if SQL still gives what the frame shows. The page does not wait for DynamoDB again.
    """
    if isinstance(exception, Crowded):
        request.log_line.cause = Crowded.__name__  # type: ignore[attr-defined]  # not the line of code: it is always the same
    else:
        logger.error("A database is unavailable", exc_info=exception, extra={"request": request})
    try:
        with scope.changed(deadline=-inf):
            return _outage_page(request, exception, framed=is_staff(loaded_user(request)))
    except (errors.Unavailable, Error):
        return _outage_page(request, exception, framed=False)


def _outage_page(request: HttpRequest, exception: errors.Unavailable, *, framed: bool) -> HttpResponse:
    if isinstance(exception, errors.Refused):
        text = f"Tell an administrator: {exception.hint} The portal's log says more."
        return page(request, 503, "The portal cannot read its data", f"{text} {_outcome(request)}", framed=framed)
    again = sent_fields(request)
    crowded = isinstance(exception, Crowded)
    response = page(
        request,
        503,
        "The portal is busy" if crowded else "The portal cannot reach its data",
        f"{CROWDED if crowded else OUTAGE} {_outcome(request, begun=not crowded)}",
        framed=framed,
        links=[] if again else [("Try again", request.get_full_path())],
        again=again,
    )
    response["Retry-After"] = str(RETRY_SECONDS)
    return response


def server_error(request: HttpRequest) -> HttpResponse:
    """Return a 500 page, or 503 if a database failed in a middleware.

    The page needs neither a frame, nor the user, nor the list of static files: any of them may have failed. Django
    calls this while it handles the error. :class:`~hotelapp.middleware.UserMiddleware` sees errors of
    views alone.
    """
    if failure := outage(sys.exc_info()[1]):
        response = unavailable(request, failure)
        response._has_been_logged = True  # type: ignore[attr-defined]  # so that Django does not log it again
        return response
    if is_part(request):
        return part(request, 500, "Something went wrong on our side. Tell an administrator.")
    context = {"static_url": settings.STATIC_URL, "request_id": request.log_line.request_id}  # type: ignore[attr-defined]
    return uncached(HttpResponse(render_to_string("portal/error_server.html", context), status=500))


def _outcome(request: HttpRequest, *, begun: bool = True) -> str:
    """The outcome of the change that a form asked for. It is certain only if no write was sent, or all were refused.

    A request that was refused before it had ``begun`` has sent none.

    Every form of the portal can be sent again: its command finds out that the change is made. Passwords are in SQL, and
    are written before the session.
    """
    if request.method != "POST":
        return ""
    if not begun:
        return NOTHING_DONE
    if _has_password(request):
        return PASSWORD if any(name.endswith("password1") for name in request.POST) else ENTER_AGAIN
    return UNKNOWN_OUTCOME if _is_in_doubt(request) else NOTHING_DONE


def _is_in_doubt(request: HttpRequest) -> bool:
    """Return whether anything may have been written, now or when the same form was sent before."""
    return request.ledger.maybe_written or SENT_BEFORE in request.POST  # type: ignore[attr-defined]


def sent_fields(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the fields of a form, so that the user can send it again; no fields of a form with a password."""
    if request.method != "POST" or _has_password(request):
        return []
    added = {CSRF_FIELD, SENT_BEFORE}
    sent = [(name, value) for name, values in request.POST.lists() for value in values if name not in added]
    return [*sent, (SENT_BEFORE, "1")] if sent and _is_in_doubt(request) else sent


def _has_password(request: HttpRequest) -> bool:
    """Return whether a form has a password, or the code of a second factor."""
    return any("password" in name or name == "code" for name in request.POST)
