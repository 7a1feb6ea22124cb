"""What the application learns about a request, and how large its head may be."""

import json
from typing import Any

from tests.helpers.serving import application
from tests.helpers.wire import Answer, answers, received, request

FORWARDED = ("X-Forwarded-For: 6.6.6.6, 203.0.113.9", "X-Forwarded-Proto: https", "X-Forwarded-Host: evil.example")
PROXY = "127.0.0.1"
"""The proxy on this machine, if it is trusted."""


def answer(*headers: str, path: str = "/", proxy: str = "") -> Answer:
    (found,) = answers(received(application, request("GET", path, *headers), trusted_proxy=proxy), "GET")
    return found


def said(*headers: str, proxy: str = "") -> Any:
    """Return what the application knew of the request."""
    return json.loads(answer(*headers, proxy=proxy).body)


def test_the_address_is_the_one_that_the_trusted_proxy_saw() -> None:
    assert said(*FORWARDED, proxy=PROXY) == ["203.0.113.9", "https", {}]
    assert said(proxy=PROXY) == ["127.0.0.1", "http", {}]
    assert said("X-Forwarded-Proto: gopher", "X-Forwarded-Ssl: on", proxy=PROXY) == ["127.0.0.1", "http", {}]
    assert said(*FORWARDED) == ["127.0.0.1", "http", {}], "without a trusted proxy nobody chooses an address"


def test_an_address_may_be_long_headers_are_limited_and_no_version_is_told() -> None:
    long = answer(f"X-Long: {'a' * 12_000}", path=f"/?{'a' * 8170}")
    assert (long.status, long.headers["Server"]) == (200, "gunicorn")
    assert answer(f"X-Long: {'a' * 40_000}").status == 431
