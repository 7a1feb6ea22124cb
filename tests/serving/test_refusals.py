"""A request that the server refuses because its user or address has many costs almost nothing, and loses nothing."""

from contextlib import closing
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.sessions import known_sessions
from portal.turns import REFUSED
from tests.helpers.logins import LOGIN, log_in, with_second_factor

pytestmark = pytest.mark.django_db
REFUSAL: Any = {REFUSED: True}
GUEST = "/guests/add/"
WORDS = "Too many requests arrived at the same moment"


def cheap(client: Client, method: str, path: str, *args: Any, **kwargs: Any) -> Any:
    """The answer to a refused request, which must read no database."""
    with CaptureQueriesContext(
        connection,
    ) as queries:
        answer = getattr(client, method)(path, *args, **REFUSAL, **kwargs)
    ledger = getattr(answer.wsgi_request, "ledger", None)  # without one, the answer came before any page
    assert not queries.captured_queries, path
    assert ledger is None or not ledger.requests, path
    return answer


def cookie_of(client: Client) -> str:
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def test_a_refused_page_reads_nothing_and_says_that_nothing_was_changed(staff: Client) -> None:
    for client in (staff, Client()):
        page = cheap(client, "get", "/guests/?q=ann")
        assert (page.status_code, page["Retry-After"]) == (503, "5")
        assert WORDS in page.content.decode()
        assert page["Content-Security-Policy"]
        assert page.wsgi_request.log_line.cause == "Crowded"
    refused = cheap(staff, "post", GUEST, {"username": "ann", "name": "Ann <Lee>"}).content.decode()
    assert "Nothing was changed" in refused
    assert 'name="name" value="Ann &lt;Lee&gt;"' in refused, "it can be sent again"
    assert "secret" not in cheap(Client(), "post", LOGIN, {"username": "ann", "password": "secret"}).content.decode()
    assert cheap(staff, "get", "/nowhere/").status_code == 404
    part = cheap(staff, "get", "/guests/?q=ann", headers={"HX-Request": "true", "HX-Target": "list"})
    assert (part.status_code, part["Retry-After"]) == (503, "5")
    assert "HX-Redirect" not in part, "the browser keeps its page"
    assert "Nothing was changed" in part.content.decode()


def test_a_form_without_its_token_is_not_offered_again(staff: Client) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = staff.cookies
    refused = cheap(strict, "post", GUEST, {"username": "mallory"})
    assert refused.status_code == 403
    assert "mallory" not in refused.content.decode()


def test_static_files_and_health_are_never_refused(client: Client) -> None:
    for path in ("/static/portal/portal.css", "/healthz"):
        with closing(cheap(client, "get", path)) as answer:
            assert answer.status_code == 200


def test_a_session_is_known_once_a_page_has_read_it_and_until_it_ends(staff: Client, alice: User) -> None:
    cookie = cookie_of(staff)
    assert known_sessions.user_id_of(cookie) is None
    assert staff.get("/guests/").status_code == 200
    assert known_sessions.user_id_of(cookie) == alice.pk
    copied = Client()
    copied.cookies[settings.SESSION_COOKIE_NAME] = cookie
    staff.post("/admin/logout/")
    assert copied.get("/guests/").status_code == 302
    assert known_sessions.user_id_of(cookie) is None
    copied.cookies[settings.SESSION_COOKIE_NAME] = "x" * 32
    copied.get("/guests/")
    assert known_sessions.user_id_of("x" * 32) is None, "it is made up"


@pytest.mark.usefixtures("empty_tables")
def test_a_session_without_its_second_factor_is_not_known(client: Client, alice: User) -> None:
    with_second_factor(alice)
    log_in(client, "alice", "alice")
    client.get("/guests/")
    assert known_sessions.user_id_of(cookie_of(client)) is None
