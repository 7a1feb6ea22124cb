"""The error pages: what is wrong, and where to go from here. None of them shows a traceback."""

import logging
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from hotelapp.dynamodb.errors import Refused, Unavailable
from hotelapp.portal.forms import BadParameters
from hotelapp.portal.htmx import page_address

RETRY_SECONDS = 5
CSRF_FIELD = "csrfmiddlewaretoken"
UNKNOWN_OUTCOME = " What you sent may have been done or not. Sending it again does it once."
logger = logging.getLogger(__name__)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400 for a request that Django itself refused; drawn without the frame, which reads what was refused."""
    text = "The request could not be understood: it is malformed, or has more fields than a page of ours sends."
    return _page(request, 400, "That cannot be shown", text, framed=False)


def bad_parameters(request: HttpRequest, exception: BadParameters) -> HttpResponse:
    """400 that names each bad parameter and offers the list without it."""
    return _page(
        request,
        400,
        "That cannot be shown",
        "Part of what was asked for is not valid, so nothing was done.",
        problems=exception.problems,
        links=[
            ("Show the list without it", f"{request.path}?{exception.remaining}"),
            ("Reset the list", request.path),
        ]
        if request.method == "GET"
        else [("Back to the page", request.path)],
    )


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403 for somebody who is logged in, but not as staff, or without the permission."""
    return _page(
        request,
        403,
        "No access",
        "Your account may not see this page, or do this. Ask a manager for staff access or the permission.",
    )


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 for a form whose page is older than the login, or was not ours."""
    text = (
        "This page was open while you logged in anew, so what you sent was not taken. Go back, load it again, and send."
    )
    return _page(request, 403, "Please send that again", text, links=[("Load the page again", request.get_full_path())])


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404 for an unknown address, hotel or room."""
    return _page(request, 404, "Not found", "There is nothing at this address; it may have been deleted or renamed.")


def unavailable(request: HttpRequest, exception: Unavailable) -> HttpResponse:
    """503 while the database is unreachable or throttles, or refuses what the portal asks.

    Framed for somebody who is known already only: to ask the session who it is may be what just failed.
    """
    logger.error("DynamoDB is unavailable", exc_info=exception)
    framed = _is_staff(getattr(request, "_cached_user", None))
    if isinstance(exception, Refused):
        text = f"This does not pass by itself. Tell an administrator: {exception.hint} The portal's log has the error."
        return _page(request, 503, "The database refuses this", text, framed=framed)
    again = _sent(request)
    response = _page(
        request,
        503,
        "The database does not answer",
        "It usually passes: try again in a few seconds." + (UNKNOWN_OUTCOME if request.method == "POST" else ""),
        framed=framed,
        links=[] if again else [("Try again", request.get_full_path())],
        again=again,
    )
    response["Retry-After"] = str(RETRY_SECONDS)
    return response


def server_error(request: HttpRequest) -> HttpResponse:
    """500; drawn without the portal's frame, which may be what failed."""
    return render(request, "portal/error_plain.html", {"title": "Something went wrong"}, status=500)


def _sent(request: HttpRequest) -> list[tuple[str, str]]:
    """What a form sent, to be sent again; nothing that holds a password is put into a page."""
    sent = [(name, value) for name, values in request.POST.lists() for value in values if name != CSRF_FIELD]
    return [] if any("password" in name for name, _ in sent) else sent


def _page(
    request: HttpRequest, status: int, title: str, text: str, *, framed: bool | None = None, **context: object
) -> HttpResponse:
    if getattr(request, "htmx", False):  # htmx leaves error answers out: let the browser load the page itself
        return HttpResponse(status=status, headers={"HX-Redirect": page_address(request)})
    if framed is None:
        framed = _is_staff(getattr(request, "user", None))
    template = "portal/error.html" if framed else "portal/error_plain.html"
    frame = admin.site.each_context(request) if framed else {}
    return render(request, template, {**frame, "title": title, "text": text, **context}, status=status)


def _is_staff(user: Any) -> bool:
    """Whether the portal's frame may be drawn; not for somebody whose session cannot be read now."""
    try:
        return user is not None and user.is_active and user.is_staff
    except Unavailable:
        return False
