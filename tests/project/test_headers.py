"""The headers that every answer has: pages, static files, redirects, exports and errors."""

from typing import Any
from unittest.mock import Mock

import pytest
from django.contrib.auth.models import User
from django.test import Client

from accounts.logins import limits
from dynamodb_lists import Unavailable
from orders.views.guests import GuestsPage
from tests.helpers.logins import log_in

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
TABLE = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; "
    "frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "accelerometer=(), autoplay=(), browsing-topics=(), camera=(), display-capture=(), "
    "encrypted-media=(), fullscreen=(), geolocation=(), gyroscope=(), hid=(), idle-detection=(), local-fonts=(), "
    "magnetometer=(), microphone=(), midi=(), payment=(), picture-in-picture=(), publickey-credentials-create=(), "
    "publickey-credentials-get=(), screen-wake-lock=(), serial=(), usb=(), window-management=(), "
    "xr-spatial-tracking=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""What browsers get in production, word for word."""

STYLE = "/static/portal/portal.css"


@pytest.fixture
def errors(staff: Client, alice: User, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Answers with each kind of error."""
    staff.raise_request_exception = False
    checking = Client(enforce_csrf_checks=True)
    checking.force_login(alice)
    many = "&".join(f"a{number}=1" for number in range(1001))
    answers = [
        *(staff.get(url) for url in ("/nothing/", "/guests/nobody/", "/admin/nothing/", "/hotels/add/")),
        *(staff.get(url) for url in ("/guests/?format=csv&page_size=7", "/guests/?page_size=7", f"/nothing/?{many}")),
        staff.get("/nothing/", headers={"HX-Request": "true"}),
        staff.post("/guests/add/", {"note": "x" * 3_000_000}),
        checking.post("/guests/add/"),
        *(log_in(Client(), "alice", "wrong") for _ in range(limits.FAILURES)),
    ]
    for error in (ZeroDivisionError(), Unavailable("away")):
        with monkeypatch.context() as patch:
            patch.setattr(GuestsPage, "listing", Mock(side_effect=error))
            answers.append(staff.get("/guests/"))
    assert {answer.status_code for answer in answers} == {200, 400, 403, 404, 413, 429, 500, 503}
    return answers


@pytest.fixture
def others(staff: Client, settings: Any) -> list[Any]:
    """Answers of other kinds."""
    changed = staff.head(STYLE)["Last-Modified"]
    waiting = Client(headers={"Sec-Purpose": "prefetch"})
    waiting.cookies["messages"] = "x"
    answers = [
        *(staff.get(url) for url in ("/", "/hotels/", "/hotels", "/admin/login/", STYLE, "/guests/?format=csv")),
        staff.get(STYLE, headers={"If-Modified-Since": changed}),
        staff.head("/hotels/"),
        Client().get("/hotels/"),
        Client().get("/admin/login/"),
        waiting.get("/hotels/"),
    ]
    settings.SECURE_SSL_REDIRECT = True
    answers.append(Client().get("/hotels/"))
    assert answers[-1]["Location"] == "https://testserver/hotels/"
    assert {answer.status_code for answer in answers} == {200, 301, 302, 304, 429}
    return answers


def test_every_answer_has_the_headers_of_the_table(errors: list[Any], others: list[Any]) -> None:
    for answer in [*errors, *others]:
        answer.close()
        assert {name: answer.headers.get(name) for name in TABLE} == TABLE, (answer.status_code, answer.wsgi_request)


def test_no_page_of_an_error_is_kept_by_a_browser_or_a_proxy(errors: list[Any]) -> None:
    for answer in errors:
        assert "no-store" in answer.headers.get("Cache-Control", ""), (answer.status_code, answer.wsgi_request.path)
        assert "private" in answer["Cache-Control"]
