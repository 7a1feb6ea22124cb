"""Browsers in which a user has logged in before. Others' failed attempts never lock them out.

The technique is OWASP's device cookie: https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
The cookie is a random text. SQL holds which users have logged in with it, so colleagues may share a browser.
"""

import secrets
from datetime import date, timedelta
from hashlib import sha256

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from hotelapp.accounts.models import KnownBrowser

COOKIE = "known_browser"
LENGTH = 32
KEPT = timedelta(days=180)


def known_browser(request: HttpRequest, username: str) -> str:
    """The digest of the browser's cookie if the user has logged in with it before, otherwise blank."""
    digest = _digest(request.COOKIES.get(COOKIE, ""))
    known = KnownBrowser.objects.filter(user__username=username, digest=digest, last_used__gt=_oldest())
    return digest if digest and known.exists() else ""


def remember(request: HttpRequest, user: AbstractBaseUser) -> None:
    """Remember that the user has logged in with this browser. The middleware sends its cookie."""
    cookie = request.COOKIES.get(COOKIE, "")
    if len(cookie) != LENGTH:
        cookie = secrets.token_hex(LENGTH // 2)
    KnownBrowser.objects.filter(user_id=user.pk, last_used__lte=_oldest()).delete()
    KnownBrowser.objects.update_or_create(
        user_id=user.pk, digest=_digest(cookie), defaults={"last_used": timezone.now().date()}
    )
    request.known_browser = cookie  # type: ignore[attr-defined]


def set_cookie(response: HttpResponse, cookie: str) -> None:
    """Send the cookie of a browser that this request has remembered. Only the pages of the login receive it."""
    response.set_cookie(
        COOKIE,
        cookie,
        max_age=KEPT,
        path=reverse("admin:login"),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Strict",
    )


def _digest(cookie: str) -> str:
    return sha256(cookie.encode(errors="surrogatepass")).hexdigest() if cookie else ""


def _oldest() -> date:
    return timezone.now().date() - KEPT
