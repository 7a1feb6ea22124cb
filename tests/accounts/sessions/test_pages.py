"""Sessions and pages: one read a page, logins that last, odd cookies, and outages."""

import json
import time
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from accounts.sessions import STARTED
from dynamodb_lists import Ledger
from dynamodb_lists.connection.engine import Engine
from dynamodb_lists.tests.helpers import dynamodb_local
from dynamodb_lists.tests.helpers.answers import answering, refusal
from tests.conftest import logged_in
from tests.helpers.markup import ListMarkup
from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.helpers.sessions import ODD_KEYS, a_copy_that_is_behind, spelt

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
ROOMS, LOGIN, LOGOUT = f"/hotels/{ABC}/rooms/", "/admin/login/", "/admin/logout/"
ALICE = {"username": "alice", "password": "alice"}
PAGES = [ROOMS, "/hotels/switcher/", "/orders/place/?order_id=o-2", "/admin/auth/group/"]


@pytest.fixture
def hotel(empty_tables: None) -> None:
    make_hotel([make_room("101")])


def ledger_of(response: Any) -> Ledger:
    """Return the calls of a page, including those of all middleware."""
    calls: Ledger = response.wsgi_request.ledger
    return calls


def session_calls(response: Any) -> list[str]:
    """Return the calls of a page for its session."""
    return [spelt(call.operation, call.request) for call in ledger_of(response).of("session")]


def key_of(client: Client) -> str:
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def is_login(response: Any) -> bool:
    return bool(response.status_code == 302 and response["Location"].startswith(LOGIN))


# --- Pages --------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("hotel")
def test_a_page_reads_its_session_once_and_writes_nothing(client: Client, alice: User) -> None:
    User.objects.update(is_superuser=True)
    client.force_login(alice)
    for page in PAGES:
        response = client.get(page)
        assert response.status_code == 200, page
        assert session_calls(response) == ["GetItem"], page
        assert settings.SESSION_COOKIE_NAME not in response.cookies, page


def test_who_has_no_cookie_asks_nothing(client: Client) -> None:
    assert session_calls(client.get("/hotels/")) == []
    assert session_calls(client.get(LOGIN)) == []
    assert session_calls(client.post(LOGIN, {**ALICE, "password": "wrong"})) == []


@pytest.mark.usefixtures("hotel")
def test_the_cost_panel_names_the_session_apart_and_never_its_key(staff: Client) -> None:
    staff.get(ROOMS)
    response = staff.get(f"{ROOMS}?explain=1")
    page = ListMarkup(response.content)
    assert page.cost("requests") == 2
    assert page.cost("read-units") == (1.5 if dynamodb_local.wanted() else 1)  # this process has the counts
    assert page.element("[data-session-requests]")["data-session-requests"] == "1"
    assert page.element("[data-session-units]")["data-session-units"] == "0.5"
    assert key_of(staff) not in response.content.decode()
    assert sorted(call.purpose for call in ledger_of(response).calls) == ["counts", "list", "session"]


@pytest.mark.usefixtures("alice")
def test_a_login_holds_although_copies_are_behind(client: Client) -> None:
    response = client.post(LOGIN, {**ALICE, "next": "/hotels/"})
    assert response.status_code == 302
    assert session_calls(response) == ["PutItem"]
    assert time.time() - client.session[STARTED] < 3600, "it ends some hours after this"
    with a_copy_that_is_behind({}):
        response = client.get("/hotels/")
    assert response.status_code == 200
    assert session_calls(response) == ["GetItem", "GetItem, consistent"]
    assert session_calls(client.get("/hotels/")) == ["GetItem"]


def test_a_new_password_keeps_its_owner_logged_in_although_copies_are_behind(staff: Client, alice: User) -> None:
    """The key is a new one. An item of the old key would have the old password's hash, which ends the session."""
    written: list[dict[str, Any]] = []

    def keep(request: Any, **_: Any) -> None:
        item = json.loads(request.body)["Item"]
        if item["kind"]["S"] == "session":  # the other is the entry of the history
            written.append(item)

    other = logged_in(alice)
    words = {"old_password": "alice", "new_password1": "Xq7!hotel-sea", "new_password2": "Xq7!hotel-sea"}
    with answering(keep, "PutItem"):
        assert staff.post("/admin/password_change/", words).status_code == 302
    assert len(written) == 1
    with a_copy_that_is_behind({}):
        assert staff.get("/hotels/").status_code == 200
    assert staff.get("/hotels/").status_code == 200
    assert is_login(other.get("/hotels/"))


def test_who_logs_out_is_out_everywhere(staff: Client) -> None:
    copied = Client()
    copied.cookies[settings.SESSION_COOKIE_NAME] = key_of(staff)
    assert copied.get("/hotels/").status_code == 200
    response = staff.post(LOGOUT)
    assert session_calls(response) == ["GetItem", "DeleteItem"]
    assert is_login(copied.get("/hotels/"))


def test_an_odd_cookie_is_nobody(alice: User) -> None:
    """A cookie may have any bytes."""
    for cookie in ODD_KEYS:
        header = f"{settings.SESSION_COOKIE_NAME}={cookie}".encode("utf-8", "surrogatepass").decode("latin-1")
        assert is_login(Client(HTTP_COOKIE=header).get("/hotels/"))
        assert Client(HTTP_COOKIE=header).post(LOGIN, {**ALICE, "next": "/"}).status_code == 302


# --- The database away ------------------------------------------------------------------------------------------


def assert_outage(response: Any) -> None:
    assert response.status_code == 503
    assert response["Retry-After"] == "5"
    assert b"cannot reach its data" in response.content
    assert b"Traceback" not in response.content
    assert settings.SESSION_COOKIE_NAME not in response.cookies


def test_a_login_is_a_503_while_the_engine_is_down_and_its_page_is_not(own_engine: Engine, alice: User) -> None:
    staff, nobody = logged_in(alice), Client()
    own_engine.stop()
    for page in ("/admin/auth/group/", "/admin/auth/user/", LOGIN):
        assert_outage(staff.get(page))
    for page in (LOGIN, LOGOUT, "/orders/place/?order_id=o-2"):
        assert_outage(staff.post(page, ALICE))
    assert_outage(nobody.post(LOGIN, ALICE))
    assert nobody.get(LOGIN).status_code == 200
    assert is_login(nobody.get("/hotels/"))
    assert staff.get("/nowhere/").status_code == 404, "an unknown address"


def refuse(**_: Any) -> Any:
    return refusal("ReplicatedWriteConflictException")  # the SDK does not retry this error


@pytest.mark.usefixtures("alice")
def test_a_login_that_cannot_be_saved_at_the_end_of_the_page_is_a_503(client: Client) -> None:
    """The session is saved after the view, and after the middleware that handles exceptions."""
    with answering(refuse, "PutItem"):
        assert_outage(client.post(LOGIN, ALICE))
    assert is_login(client.get("/hotels/"))
    assert client.post(LOGIN, {**ALICE, "next": "/hotels/"}).status_code == 302
    assert client.get("/hotels/").status_code == 200
