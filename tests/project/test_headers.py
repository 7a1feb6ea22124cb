"""The headers that every answer has: pages, static files, redirects and errors."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from accounts.logins import limits
from dynamodb_lists.connection.errors import Unavailable
from hotelapp.headers import UNUSED_FEATURES
from orders.views.guests import GuestsPage
from tests.helpers.logins import log_in

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]


def policy(header: str) -> dict[str, str]:
    """The directives of a Content-Security-Policy."""
    return {name: sources for name, _, sources in (part.strip().partition(" ") for part in header.split(";"))}


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/", 200),
        ("/hotels/", 200),
        ("/nothing/", 404),
        ("/guests/?x=1&page_size=7", 400),
        ("/hotels", 301),
        ("/admin/auth/user/", 403),
        ("/admin/login/", 302),
        ("/static/portal/portal.js", 200),
    ],
)
def test_every_answer_allows_only_what_is_the_portals_own(staff: Client, path: str, status: int) -> None:
    response = staff.get(path)
    response.close()
    assert response.status_code == status
    allowed = policy(response["Content-Security-Policy"])
    assert allowed["default-src"] == allowed["object-src"] == allowed["base-uri"] == "'none'"
    assert allowed["frame-ancestors"] == "'none'"
    assert allowed["script-src"] == allowed["style-src"] == allowed["form-action"] == "'self'"
    assert not {"script-src-elem", "script-src-attr", "style-src-elem", "style-src-attr"} & allowed.keys()
    assert "unsafe" not in response["Content-Security-Policy"]
    denied = response["Permissions-Policy"].split(", ")
    assert {"camera=()", "microphone=()", "geolocation=()", "payment=()", "usb=()"} < set(denied)
    assert len(denied) == len(UNUSED_FEATURES.split())
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*=\(\)", entry) for entry in denied), denied


def test_the_redirect_to_https_has_the_policy_of_features_too(settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True
    response = Client().get("/hotels/")
    assert (response.status_code, response["Location"]) == (301, "https://testserver/hotels/")
    assert "camera=()" in response["Permissions-Policy"]


def test_no_page_of_an_error_is_kept_by_a_browser_or_a_proxy(
    staff: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    staff.raise_request_exception = False
    checking = Client(enforce_csrf_checks=True)
    checking.force_login(alice)
    many = "&".join(f"a{number}=1" for number in range(1001))
    answers = [
        *(staff.get(url) for url in ("/nothing/", "/guests/nobody/", "/admin/nothing/", "/admin/search/")),
        *(staff.get(url) for url in ("/hotels/add/", "/admin/auth/user/", "/guests/?format=csv&page_size=7")),
        *(staff.get(url) for url in ("/guests/?page_size=7", f"/guests/?{many}", f"/nothing/?{many}")),
        staff.get("/nothing/", headers={"HX-Request": "true"}),
        staff.get("/guests/", headers={"Content-Type": "x; charset=idna"}),
        checking.post("/guests/add/"),
        Client().get("/nothing/"),
        *(log_in(Client(), "alice", "wrong") for _ in range(limits.FAILURES)),
    ]
    monkeypatch.setattr(GuestsPage, "listing", lambda self, form: 1 / 0)
    answers.append(staff.get("/guests/"))
    monkeypatch.setattr(GuestsPage, "listing", lambda self, form: (_ for _ in ()).throw(Unavailable("away")))
    answers.append(staff.get("/guests/"))
    assert {answer.status_code for answer in answers} == {200, 400, 403, 404, 429, 500, 503}
    for answer in answers:
        assert "no-store" in answer.headers.get("Cache-Control", ""), (answer.status_code, answer.wsgi_request.path)
        assert "private" in answer["Cache-Control"]
