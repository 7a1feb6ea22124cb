"""Asks for the second factor: until a user has given it, the user is anonymous for every page.

No page asks whether a code was given. ``request.user`` is the user only if the session is complete, so a later page
needs nothing of its own. The user who has given only the password is ``request.half_user``, for the pages of the login.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib import auth
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from hotelapp.accounts.logins import browsers
from hotelapp.accounts.second_factor import devices
from hotelapp.limits import known_sessions


class SecondFactorMiddleware:
    """Hides a user who has not given the second factor, and leads from the login page to the page that asks for it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.user = SimpleLazyObject(partial(user_of, request))  # type: ignore[assignment]
        request.auser = partial(sync_to_async(user_of), request)
        response = self.get_response(request)
        page = request.resolver_match.view_name if request.resolver_match else ""
        if page == "admin:login" and request.method == "GET" and hasattr(request, "half_user"):
            response = redirect(f"{reverse('login:code')}?{request.GET.urlencode()}".removesuffix("?"))
        browsers.set_cookie(request, response)
        return response


def user_of(request: HttpRequest) -> Any:
    """The user of a request, anonymous until the second factor was given. The user is read once for each request."""
    user = getattr(request, "_cached_user", None)
    if user is None:
        user = auth.get_user(request)
        if user.is_authenticated and not devices.is_complete(user, request.session):
            request.half_user = user  # type: ignore[attr-defined]
            user = AnonymousUser()
        request._cached_user = user  # type: ignore[attr-defined]
        known_sessions.note(request.COOKIES.get(settings.SESSION_COOKIE_NAME, ""), user.pk)
    return user


def half_user(request: HttpRequest) -> Any:
    """The user who has given a password, but not the second factor; ``None`` if there is none."""
    user_of(request)
    return getattr(request, "half_user", None)
