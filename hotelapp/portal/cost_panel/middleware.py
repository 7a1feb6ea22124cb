"""Keeps the cost ledger of each request, and what became of its writes."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from hotelapp.dynamodb.connection import ledger, outcomes


class LedgerMiddleware:
    """Keeps, as ``request.ledger``, every call to DynamoDB that the request makes, and its ``request.writes``."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with ledger.recording() as request.ledger, outcomes.watching() as request.writes:  # type: ignore[attr-defined]
            return self.get_response(request)
