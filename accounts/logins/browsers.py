"""Browsers in which a user has logged in before. Others' failed attempts never lock them out.

The technique is OWASP's device cookie: https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
The cookie is a random text, signed for one user. Colleagues may share a browser, which then has a cookie of each.
"""

import secrets
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

COOKIE = "known_browser_{}"
LENGTH = 32
KEPT = timedelta(days=180)


def known_browser(request: HttpRequest, user_id: int) -> str:
    """The text of the browser's cookie if the user has logged in with it before, otherwise blank."""
    return request.get_signed_cookie(COOKIE.format(user_id), "", max_age=KEPT) or ""


def remember(request: HttpRequest, user: AbstractBaseUser) -> None:
    """Remember that the user has logged in with this browser. The middleware sends its cookie."""
    text = known_browser(request, user.pk) or secrets.token_hex(LENGTH // 2)
    request.known_browser = user.pk, text  # type: ignore[attr-defined]


def set_cookie(response: HttpResponse, user_id: int, text: str) -> None:
    """Send the cookie of a browser that this request has remembered. Only the pages of the login receive it."""
    response.set_signed_cookie(
        COOKIE.format(user_id),
        text,
        max_age=KEPT,
        path=reverse("admin:login"),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Strict",
    )
