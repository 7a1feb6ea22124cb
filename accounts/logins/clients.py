"""Who asks to log in: the address of the client, and whether the user has logged in with this browser before.

The log has a line for each event of an account, with only the username and the address.

The server tells the address. No header is trusted, because a client can send any header. Behind a proxy, the server
sets ``REMOTE_ADDR``: :mod:`hotelapp.serving` says which proxy it trusts.

Failed attempts of others never lock a user out of a known browser. The technique is OWASP's device cookie:
https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
The cookie is a random text, signed for one user. Colleagues may share a browser, which then has a cookie of each.
"""

import logging
import secrets
from datetime import timedelta
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any, Literal

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

SHARED_BITS = 64
"""The bits that are the same in all 2**64 addresses of a client with IPv6."""

COOKIE = "known_browser_{}"
LENGTH = 32
KEPT = timedelta(days=180)


def address_of(request: HttpRequest) -> str:
    """Return the client's address for the log; blank if the server does not tell it."""
    address = _parsed(request.META.get("REMOTE_ADDR", ""))
    return "" if address is None else str(address)


def network_of(request: HttpRequest) -> str:
    """The address by which attempts to log in are counted: an IPv4 address, or the first 64 bits of an IPv6 address.

    Clients whose address the server does not tell are counted together.
    """
    address = _parsed(request.META.get("REMOTE_ADDR", ""))
    if isinstance(address, IPv6Address):
        return str(IPv6Network((address, SHARED_BITS), strict=False).network_address)
    return str(address or IPv4Address(0))


def _parsed(told: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(told)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def known_browser(request: HttpRequest, user_id: int) -> str:
    """Return the text of the browser's cookie if the user has logged in with it before, otherwise blank."""
    return request.get_signed_cookie(COOKIE.format(user_id), "", max_age=KEPT) or ""


def remember(request: HttpRequest, user: AbstractBaseUser) -> None:
    """Note that the user has logged in with this browser. The middleware sends the browser's cookie."""
    text = known_browser(request, user.pk) or secrets.token_hex(LENGTH // 2)
    request.known_browser = user.pk, text  # type: ignore[attr-defined]


def set_cookie(response: HttpResponse, user_id: int, text: str) -> None:
    """Send the cookie of a browser that this request has noted. Only the pages of the login receive it."""
    name, path, secure = COOKIE.format(user_id), reverse("admin:login"), settings.SESSION_COOKIE_SECURE
    options: Any = {"secure": secure, "httponly": True, "samesite": "Strict"}
    response.set_signed_cookie(name, text, max_age=KEPT, path=path, **options)


Event = Literal[
    "login",
    "code asked",
    "logout",
    "failed login",
    "lockout",
    "password change",
    "password link",
    "second factor enabled",
    "second factor disabled",
    "second factor failed",
    "backup codes changed",
]
WARNINGS: frozenset[Event] = frozenset({"failed login", "lockout", "second factor failed"})
"""Events that an attack would cause."""

logger = logging.getLogger("accounts")


def record(event: Event, request: HttpRequest, by: str, of: str = "") -> None:
    """Log an event of an account. ``by`` is the username of the author, ``of`` the account if it is another one."""
    fields = {"by": by, "address": address_of(request), **({"of": of} if of else {})}
    logger.log(logging.WARNING if event in WARNINGS else logging.INFO, event, extra={"fields": fields})
