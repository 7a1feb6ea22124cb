"""The authentication backend, and the user of a request.

The backend is Django's, but it checks few passwords at a time, and reads what a page asks about a user with the user.
"""

from threading import BoundedSemaphore, Lock
from typing import Any

from django.conf import settings
from django.contrib import auth
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest

from accounts import staff
from accounts.change_numbers import ACCESS
from accounts.logins.limits import attempt_of
from accounts.second_factor import devices
from dynamodb_lists.connection import deadlines
from portal.people import loaded_user
from portal.places import place

PLACES = {
    familiar: BoundedSemaphore(places)
    for familiar, places in ((False, settings.PASSWORD_PLACES), (True, max(settings.PASSWORD_PLACES // 2, 1)))
}
"""The places to check a password in a browser in which the user has logged in before (true), and in others."""

CHECKING = {familiar: Lock() for familiar in PLACES}
"""One hash at a time: four at once would take the processors from all pages."""


class StaffBackend(ModelBackend):
    """Users of the portal. The user of a session is read by :func:`accounts.staff.read`."""

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **kwargs: Any
    ) -> User | None:
        """The user with this password. It takes a place, because a hash keeps its thread for some tenths of a second.

        Known browsers have places of their own, so that nobody who guesses passwords elsewhere keeps their users out.
        Raises the same as :func:`~portal.places.place`, and :class:`~dynamodb_lists.connection.errors.Overdue`. Such an
        attempt is no failure.
        """
        if request is None:
            return super().authenticate(request, username, password, **kwargs)
        familiar = request.user.is_authenticated or bool(attempt_of(request, {"username": username}).browser)
        with place(PLACES[familiar], "passwords to check"), CHECKING[familiar]:
            deadlines.check(settings.PAGE_DEADLINE_SECONDS / 2)  # a hash that ends too late only keeps others waiting
            return super().authenticate(request, username, password, **kwargs)

    def get_user(self, user_id: Any) -> Any:
        user = staff.read(user_id)
        return user if user and self.user_can_authenticate(user) else None


def user_of(request: HttpRequest) -> Any:
    """The user of a request, anonymous until the second factor was given. The user is read once for each request."""
    user = loaded_user(request)
    if user is None:
        user = auth.get_user(request)
        if user.is_authenticated and request.session.get(ACCESS) != user.access:  # type: ignore[attr-defined]
            request.session.flush()
            user = AnonymousUser()
        if user.is_authenticated and not devices.is_complete(user, request.session):
            request.half_user = user  # type: ignore[attr-defined]
            user = AnonymousUser()
        request._session_user = user  # type: ignore[attr-defined]
    return user


def half_user(request: HttpRequest) -> Any:
    """The user who has given a password, but not the second factor; ``None`` if there is none."""
    user_of(request)
    return getattr(request, "half_user", None)
