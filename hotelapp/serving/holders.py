"""Who holds the turns of a request: its user if this process knows the session, otherwise the client's network."""

from collections.abc import Mapping
from contextlib import suppress

from django.conf import settings
from django.http import parse_cookie
from waitress.proxy_headers import MalformedProxyHeader, parse_proxy_headers

from hotelapp.accounts.logins.addresses import network
from hotelapp.limits import known_sessions
from hotelapp.serving.options import ANY_PROXY

FORWARDED = "X_FORWARDED_FOR"  # as waitress spells headers


def holder_of(headers: Mapping[str, str], peer: str, trusted_proxy: str) -> str:
    """The holder of a request with these headers, which came from the address ``peer``. Reads no database."""
    cookie = parse_cookie(headers.get("COOKIE", "")).get(settings.SESSION_COOKIE_NAME, "")
    user_id = known_sessions.user_id_of(cookie)
    if user_id is not None:
        return f"user {user_id}"
    return network(_client(headers, peer, trusted_proxy))


def _client(headers: Mapping[str, str], peer: str, trusted_proxy: str) -> str:
    """The client's address, as the application will be told."""
    told = {"REMOTE_ADDR": peer}
    if FORWARDED in headers and trusted_proxy in {ANY_PROXY, peer}:
        told[f"HTTP_{FORWARDED}"] = headers[FORWARDED]
        with suppress(MalformedProxyHeader, IndexError):  # such a request is refused later
            parse_proxy_headers(told, trusted_proxy_count=1, trusted_proxy_headers={"x-forwarded-for"})
    return told["REMOTE_ADDR"]
