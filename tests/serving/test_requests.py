"""What the application learns about a request, and how large its head may be."""

import json
from collections.abc import Iterator
from http.client import HTTPResponse
from typing import Any

import pytest

from tests.helpers.serving import Served, serving

FORWARDED = {
    "X_Forwarded_For": "6.6.6.6, 203.0.113.9",
    "X_Forwarded_Proto": "https",
    "X_Forwarded_Host": "evil.example",
}


@pytest.fixture(scope="module")
def behind_a_proxy() -> Iterator[Served]:
    """A server that trusts the proxy on this machine."""
    with serving(processes=1, trusted_proxy="127.0.0.1") as served:
        yield served


@pytest.fixture(scope="module")
def alone() -> Iterator[Served]:
    """A server without a proxy."""
    with serving(processes=1) as served:
        yield served


def said(response: HTTPResponse) -> Any:
    """What the application knew of the request."""
    return json.loads(response.body)  # type: ignore[attr-defined]


def test_the_address_is_the_one_that_the_trusted_proxy_saw(behind_a_proxy: Served) -> None:
    assert said(behind_a_proxy.get(**FORWARDED)) == ["203.0.113.9", "https", {}]
    assert said(behind_a_proxy.get()) == ["127.0.0.1", "http", {}]
    assert said(behind_a_proxy.get(X_Forwarded_Proto="gopher", X_Forwarded_Ssl="on")) == ["127.0.0.1", "http", {}]


def test_without_a_trusted_proxy_nobody_chooses_an_address(alone: Served) -> None:
    assert said(alone.get(**FORWARDED)) == ["127.0.0.1", "http", {}]


def test_an_address_may_be_long_and_headers_are_limited(alone: Served) -> None:
    assert alone.get("/?" + "a" * 8170, X_Long="a" * 12_000).status == 200
    assert alone.get("/", X_Long="a" * 40_000).status == 431


def test_the_server_does_not_say_its_version(alone: Served) -> None:
    assert alone.get().getheader("Server") == "gunicorn"
