"""The ledger of each request, and clear pages for what DynamoDB answers with an error."""

from collections.abc import Callable

from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse

from hotelapp.dynamodb import ledger
from hotelapp.dynamodb.errors import KeyPartError, NotFound, Unavailable
from hotelapp.portal import errors
from hotelapp.portal.forms import BadParameters

GetResponse = Callable[[HttpRequest], HttpResponse]


class LedgerMiddleware:
    """Keeps, as ``request.ledger``, what the request asks DynamoDB."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with ledger.recording() as request.ledger:  # type: ignore[attr-defined]
            return self.get_response(request)


class SessionOrOutageMiddleware(SessionMiddleware):
    """Django's, with a 503 page where a session cannot be saved.

    It is saved here, on the way back. What is raised here, Django turns into a 500 before any other middleware sees
    it; what is raised on the way in, where views ask who is there, is left to :class:`ErrorPagesMiddleware`.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """The response, its session saved; or the page that says that it could not be."""
        try:
            return super().process_response(request, response)
        except Unavailable as error:
            return errors.unavailable(request, error)


class ErrorPagesMiddleware:
    """Answers what a view raises: 400 a bad parameter, 404 what is unknown or cannot be a key, 503 a database away."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """The page for an error that the portal knows; ``None`` leaves others to Django."""
        if isinstance(exception, BadParameters):
            return errors.bad_parameters(request, exception)
        if isinstance(exception, (NotFound, KeyPartError)):
            return errors.not_found(request, exception)
        if isinstance(exception, Unavailable):
            return errors.unavailable(request, exception)
        return None
