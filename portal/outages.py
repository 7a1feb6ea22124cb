"""What users see in an outage: the 503 page, what it says of their change, and the form to send it again.

A call is refused in an outage by :mod:`dynamodb_lists.connection.client`.
"""

import logging
import sys
from math import inf

from django.conf import settings
from django.contrib.sessions.middleware import SessionMiddleware
from django.db import DatabaseError, Error, InterfaceError, OperationalError, ProgrammingError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from dynamodb_lists.connection import scope
from dynamodb_lists.connection.errors import Crowded, Refused, Unavailable
from portal.error_pages import NOTHING_DONE, is_staff, page, part, uncached
from portal.htmx import is_part
from portal.people import loaded_user

RETRY_SECONDS = 5
CSRF_FIELD = "csrfmiddlewaretoken"
SENT_BEFORE = "sent-before"
"""A field of a form that is sent again. It says that the outcome of the first time is unknown."""
UNKNOWN_OUTCOME = "Nobody knows whether your change was saved. If you send it again, it is saved only once."
ENTER_AGAIN = "Please enter it again."
PASSWORD = f"{ENTER_AGAIN} If you were changing a password, it may be changed already."
OUTAGE = "This is usually temporary. Try again in a few seconds."
CROWDED = "Too many requests arrived at the same moment. Try again in a few seconds."
logger = logging.getLogger(__name__)


def outage(error: BaseException | None) -> Unavailable | None:
    """Translate an error of a database into the portal's exception family; ``None`` for any other error.

    Errors of DynamoDB belong to it already. A lock, a full disk and a lost connection may be gone a moment later.
    Tables that ``migrate`` has not created, and a damaged file, need an administrator. The log has the error.
    """
    if isinstance(error, Unavailable):
        return error
    damaged = type(error) is DatabaseError and error.__cause__  # without a cause, it is an error of Django's own
    missing = isinstance(error, ProgrammingError) and "does not exist" in str(error)  # as PostgreSQL says it
    if not (damaged or missing or isinstance(error, (OperationalError, InterfaceError))):
        return None
    words = str(error).partition("\n")[0]  # PostgreSQL's other lines quote the statement
    failure = Unavailable(f"The SQL database did not answer: {words}", type(error).__name__)
    failure.__cause__ = error
    return failure


class SessionOrOutageMiddleware(SessionMiddleware):
    """Django's session middleware, with a 503 page if a session cannot be saved.

    The session is saved after the view. Django turns an error raised then into a 500 page before any other middleware
    sees it. Errors raised by the view are for :class:`~hotelapp.middleware.UserMiddleware`.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        try:
            request.session.renew()  # type: ignore[attr-defined]
            return super().process_response(request, response)
        except Unavailable as error:
            request.ledger.maybe_written = True  # type: ignore[attr-defined]  # the view has done its work, perhaps in SQL
            return unavailable(request, error)


def unavailable(request: HttpRequest, exception: Unavailable) -> HttpResponse:
    """503 while a database is unreachable, throttles, or refuses a request of the portal.

    The page has a frame only if the user was loaded before the error, because reading the session may be what failed,
    and only if SQL still gives what the frame shows. The page does not wait for DynamoDB again.
    """
    request.outage = True  # type: ignore[attr-defined]  # the frame reads nothing that it can do without
    if isinstance(exception, Crowded):
        request.log_line.cause = Crowded.__name__  # type: ignore[attr-defined]  # not the line of code: it is always the same
    else:
        logger.error("A database is unavailable", exc_info=exception, extra={"request": request})
    try:
        with scope.changed(deadline=-inf):
            return _outage_page(request, exception, framed=is_staff(loaded_user(request)))
    except (Unavailable, Error):
        return _outage_page(request, exception, framed=False)


def _outage_page(request: HttpRequest, exception: Unavailable, *, framed: bool) -> HttpResponse:
    if isinstance(exception, Refused):
        text = f"This error will not go away. Tell an administrator: {exception.hint} The portal's log has the error."
        return page(request, 503, "The database refused the request", f"{text} {_outcome(request)}", framed=framed)
    again = sent_fields(request)
    crowded = isinstance(exception, Crowded)
    response = page(
        request,
        503,
        "The portal is busy" if crowded else "The database does not answer",
        f"{CROWDED if crowded else OUTAGE} {_outcome(request, begun=not crowded)}",
        framed=framed,
        links=[] if again else [("Try again", request.get_full_path())],
        again=again,
    )
    response["Retry-After"] = str(RETRY_SECONDS)
    return response


def server_error(request: HttpRequest) -> HttpResponse:
    """500, or 503 if a database failed in a middleware.

    The page needs neither a frame, nor the user, nor the list of static files: any of them may have failed. Django
    calls this while it handles the error. :class:`~hotelapp.middleware.UserMiddleware` sees errors of
    views alone.
    """
    if failure := outage(sys.exc_info()[1]):
        response = unavailable(request, failure)
        response._has_been_logged = True  # type: ignore[attr-defined]  # so that Django does not log it again
        return response
    if is_part(request):
        return part(request, 500, "The portal has a fault. It is in the portal's log.")
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
    """Whether anything may have been written, now or when the same form was sent before."""
    return request.ledger.maybe_written or SENT_BEFORE in request.POST  # type: ignore[attr-defined]


def sent_fields(request: HttpRequest) -> list[tuple[str, str]]:
    """The fields of a form, so that the user can send it again. None for a form with a password: no page shows one."""
    if request.method != "POST" or _has_password(request):
        return []
    added = {CSRF_FIELD, SENT_BEFORE}
    sent = [(name, value) for name, values in request.POST.lists() for value in values if name not in added]
    return [*sent, (SENT_BEFORE, "1")] if sent and _is_in_doubt(request) else sent


def _has_password(request: HttpRequest) -> bool:
    """Whether a form has a password, or the code of a second factor."""
    return any("password" in name or name == "code" for name in request.POST)
