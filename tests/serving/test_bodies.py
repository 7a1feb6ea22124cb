"""Answers that must have no body have none, whatever made them: the next answer on the connection follows at once."""

import logging
from typing import Any

import pytest
from django.test import Client

from dynamodb_lists.tests.helpers.examples import DEPTH
from hotelapp.wsgi import application
from portal.lists.views import ListPage
from tests.helpers.addresses import addresses
from tests.helpers.contents import Fill
from tests.helpers.forms import fill as fill_examples
from tests.helpers.wire import answers, received, request

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
STYLE = "/static/portal/portal.css"
MANY = "&".join("a" * 1001)
SHARE = 1 if DEPTH > 1 else 3
OTHERS = (
    STYLE,
    "/healthz",
    "/readyz",
    "/nothing/",
    "/hotels",
    f"/nothing/?{MANY}",
    "/guests/?page_size=7",
    "/static/no",
)
NEXT = request("GET", "/healthz")


@pytest.fixture
def filling() -> Fill:
    return fill_examples


def cookies_of(client: Client) -> str:
    """Return the header with the cookies of a browser."""
    return f"Cookie: {'; '.join(f'{name}={morsel.value}' for name, morsel in client.cookies.items())}"


def test_no_answer_to_head_has_a_body(admin_client: Client, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL, "gunicorn.http.wsgi")
    pages = addresses()
    lists = [each.url for each in pages if hasattr(each.view, "view_class") and issubclass(each.page, ListPage)]
    exports = [f"{url}?format={name}" for url, name in zip(lists, ("csv", "xlsx", "print") * len(lists), strict=False)]
    seen = set()
    for url in [*OTHERS, *[page.url for page in pages][::SHARE], *exports[::SHARE]]:
        raw = received(application, request("HEAD", url, cookies_of(admin_client)), NEXT)
        head, after = answers(raw, "HEAD", "GET")
        assert (head.body, after.body) == (b"", b"ok"), url
        seen.add(head.status)
    assert {200, 301, 302, 400, 404} <= seen


def test_no_answer_without_a_body_has_one() -> None:
    def says(status: int) -> Any:
        return lambda environ, start: (start(f"{status} x", [("Content-Type", "a/b")]), [b"a body"])[1]

    for status in (204, 304):
        raw = received(says(status), NEXT, NEXT)
        assert [answer.body for answer in answers(raw, "GET", "GET")] == [b"", b""]
    (style,) = answers(received(application, request("HEAD", STYLE)), "HEAD")
    raw = received(application, request("GET", STYLE, f"If-Modified-Since: {style.headers['Last-Modified']}"), NEXT)
    assert [(answer.status, answer.body) for answer in answers(raw, "GET", "GET")] == [(304, b""), (200, b"ok")]


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"HEAD / HTTP/1.1\r\nHost : x\r\n\r\n", 400),
        (b"HEAD / HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n", 400),
        (b"HEAD /%s HTTP/1.1\r\nHost: x\r\n\r\n" % (b"a" * 9000), 414),
        (b"HEAD / HTTP/1.1\r\nX-Long: %s\r\n\r\n" % (b"a" * 40_000), 431),
        (b"HEAD / HTTP/1.1\r\nHost: x\r\nExpect: more\r\n\r\n", 417),
        (b"HEAD / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: x\r\n\r\n", 501),
        (b"\x16\x03\x01\r\n\r\n", 400),
    ],
)
def test_what_is_no_request_is_answered_without_a_body(sent: bytes, status: int) -> None:
    (answer,) = answers(received(application, sent), "GET")
    assert (answer.status, answer.body) == (status, b"")


def test_an_error_of_the_application_is_answered_without_a_body() -> None:
    (answer,) = answers(received(lambda *_: 1 / 0, request("HEAD", "/")), "GET")
    assert (answer.status, answer.body) == (500, b"")


def test_a_client_that_waits_to_send_its_body_is_answered_with_one_and_without() -> None:
    for method, body in (("GET", b""), ("HEAD", b""), ("POST", b"a=1")):
        raw = received(application, request(method, "/nothing/", "Expect: 100-continue", body=body), NEXT)
        first, second = answers(raw.removeprefix(b"HTTP/1.1 100 Continue\r\n\r\n"), method, "GET")
        assert (first.status, second.body) == (404, b"ok")


def test_more_than_a_request_may_have_is_a_page_with_413_whatever_it_is(staff: Client) -> None:
    for client in (staff, Client()):
        refused = client.post("/admin/login/", {"file": "x" * 3_000_000})
        assert refused.status_code == 413
        assert "at most 2.5 MB" in refused.content.decode()


@pytest.mark.parametrize("kind", ["text/plain; charset=utf-7", "x; a*=nothing'b'c"])
def test_what_a_request_says_of_itself_is_refused_by_a_page(kind: str) -> None:
    raw = received(application, request("GET", f"/guests/?{MANY}", f"Content-Type: {kind}"), NEXT)
    refused, _ = answers(raw, "GET", "GET")
    assert refused.status == 400
    assert b"The portal cannot read what your browser sent." in refused.body
