"""Requests made ahead: for a page that somebody may open in a moment, as ``static/portal/ahead.js`` guesses.

Nobody may ever see their answer, so they must not take a message that is shown once.
"""

from http import HTTPStatus

from django.contrib.messages.storage.cookie import CookieStorage
from django.http import HttpRequest, HttpResponse


def is_ahead(request: HttpRequest) -> bool:
    """Whether a request is made ahead. Browsers say so, and scripts cannot send the same header."""
    return "prefetch" in (request.headers.get("Sec-Purpose") or request.headers.get("Purpose", ""))


def refusal(request: HttpRequest) -> HttpResponse | None:
    """The answer to a request made ahead that is refused; the browser asks again when somebody opens the page.

    It has no status of an error of the server, because nothing is wrong.
    """
    if is_ahead(request) and request.COOKIES.get(CookieStorage.cookie_name):
        return HttpResponse(status=HTTPStatus.TOO_MANY_REQUESTS)
    return None
