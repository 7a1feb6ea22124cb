"""Turns the errors that the portal knows into error pages, and refuses what it cannot read."""

from collections.abc import Callable
from typing import Any

from django.contrib.sessions.middleware import SessionMiddleware
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse

from hotelapp.dynamodb.connection.errors import Crowded, KeyPartError, NotFound, Unavailable
from hotelapp.limits.sql import outage
from hotelapp.limits.turns import REFUSED
from hotelapp.portal import error_pages
from hotelapp.portal.forms.parameters import BadParameters


class CharsetMiddleware:
    """Refuses a request in another character set than UTF-8, with a 400 page.

    Django reads a request in the set that its header ``Content-Type`` names. Python has sets that cannot be used so,
    such as ``idna``. No page of the portal sends any but UTF-8.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        charset = (request.content_params or {}).get("charset", "utf-8")
        if charset.lower() not in {"utf-8", "utf8"}:
            request.encoding = "utf-8"
            return error_pages.bad_request(request, BadRequest(f"The character set is {charset!r}."))
        return self.get_response(request)


class SessionOrOutageMiddleware(SessionMiddleware):
    """Django's session middleware, with a 503 page if a session cannot be saved.

    The session is saved after the view. Django turns an error raised then into a 500 page before any other middleware
    sees it. Errors raised by the view are for :class:`ErrorPagesMiddleware`.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        try:
            request.session.renew()  # type: ignore[attr-defined]
            return super().process_response(request, response)
        except Unavailable as error:
            request.writes.in_doubt = True  # type: ignore[attr-defined]  # the view has done its work, perhaps in SQL
            return error_pages.unavailable(request, error)


class ErrorPagesMiddleware:
    """Turns an error of a view into a page: 400 for bad parameters, 404 for a missing item, 503 for an outage."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_: Any) -> HttpResponse | None:
        """The page for a request that found no place in its holder's line. It reads no database.

        The check of the form's token has been made by now: the page offers to send the form again with a new token.
        """
        if REFUSED in request.META:
            return error_pages.unavailable(request, Crowded("The line of this user or address is full."))
        return None

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """The page for an error that the portal knows; ``None`` leaves other errors to Django."""
        if isinstance(exception, BadParameters):
            return error_pages.bad_parameters(request, exception)
        if isinstance(exception, (NotFound, KeyPartError)):
            return error_pages.not_found(request, exception)
        if failure := outage(exception):
            return error_pages.unavailable(request, failure)
        return None
