"""The error pages. Each says what is wrong and what the user can do. No page shows a traceback.

Those of an outage are in :mod:`portal.outages`.
"""

from typing import Any

from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.db import Error
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import REASON_NO_CSRF_COOKIE
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import add_never_cache_headers

from dynamodb_lists.connection.errors import Unavailable
from portal.forms.parameters import BadParameters
from portal.htmx import is_part, page_address

NOTHING_DONE = "Nothing was changed."
PART_ERROR = "[data-part-error]"
"""The part of an error page that htmx shows inside another page. The header with it tells portal.js to show it."""


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400 for a request that Django itself refused. It has no frame, because the frame reads the same request."""
    text = "The portal cannot read this request. It is malformed, or it has more fields than any form of the portal."
    return page(request, 400, "This page cannot be shown", text, framed=False)


def too_large(request: HttpRequest) -> HttpResponse:
    """413 for a request with a larger body than the portal reads."""
    text = f"The portal takes at most {settings.DATA_UPLOAD_MAX_MEMORY_SIZE / 2**20} MB at once. {NOTHING_DONE}"
    return page(request, 413, "This is too large", text, framed=False)


def bad_parameters(request: HttpRequest, exception: BadParameters) -> HttpResponse:
    """400 that names each bad parameter and links to the list without the bad values."""
    return page(
        request,
        400,
        "This page cannot be shown",
        "Some values in the request are not valid. Nothing was changed.",
        problems=exception.problems,
        links=exception.ways_out(request.path) if request.method == "GET" else [("Back to the page", request.path)],
    )


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403 for a user who is not staff, or who lacks a permission."""
    staff = is_staff(getattr(request, "user", None))
    who = "A superuser" if staff and request.user.has_perm("auth.change_user") else "Whoever manages the staff"
    text = f"Your account has no permission for this. {who} can give it to you."
    if staff and request.user.is_superuser:
        text = "Nobody may do this here. To your own account, another superuser may."
    return page(
        request,
        403,
        "No access",
        text,
        links=[] if staff else [("Log in as somebody else", reverse("admin:login"))],
    )


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 for a form that was loaded before the last login, came without a cookie, or was sent by another site."""
    if reason == REASON_NO_CSRF_COOKIE:
        text = "Your browser sent no cookie with the form. Allow cookies, and load the page again."
    elif reason.startswith(("Origin", "Referer")):
        text = "The form came from another site, or your browser hides where it came from."
    else:
        text = "You have logged in since this page was loaded, so the portal did not accept the form."
    links = [("Load the page again", request.get_full_path())]
    return page(request, 403, "Please send the form again", f"{text} Nothing was changed.", links=links)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404 for an unknown address, and for a hotel, room, guest, order or review that does not exist."""
    text = "There is nothing here that your account may see. It may have been deleted or renamed."
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
    """The response, which no browser and no proxy keeps, as those of all pages of the portal."""
    add_never_cache_headers(response)
    return response


def _is_readable(request: HttpRequest) -> bool:
    """Whether Django reads the query string, as the frame does. It refuses one of too many parameters."""
    try:
        return request.GET is not None
    except SuspiciousOperation:
        return False


def part(request: HttpRequest, status: int, text: str, **context: object) -> HttpResponse:
    """An error as htmx puts it into the part of the page that it was to load. The page itself stays as it is."""
    html = render_to_string("portal/_part_error.html", {"text": text, **context})
    return uncached(HttpResponse(html, status=status, headers={"HX-Reselect": PART_ERROR}))


def is_staff(user: Any) -> bool:
    """Whether the page may have the portal's frame; false if the user's session or account cannot be read."""
    try:
        return user is not None and user.is_active and user.is_staff
    except (Unavailable, Error):
        return False
