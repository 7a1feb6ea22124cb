"""A form that is sent after the session's end comes back filled in after the login, for its own user alone."""

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client

from portal import drafts
from tests.helpers.history import all_entries
from tests.helpers.logins import LOGIN
from tests.helpers.markup import ListMarkup, entry_of
from tests.helpers.rooms import ABC
from tests.project.test_access import fill as fill_examples

fill = fill_examples
pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
ADD = "/guests/add/?list=/guests/%3Fq%3Dbo"
GUEST = {"username": "bo", "name": "Bo O'Neil <b>", "email": "bo@example.org"}
ORDER = {
    "order_id": "n-1",
    "username": "nobody",
    "hotel_id": "Hotel ABC",
    "items-TOTAL_FORMS": "2",
    "items-INITIAL_FORMS": "0",
}
LINES = {"items-1-sku": "Towel", "items-1-quantity": "2", "items-1-unit_price": "7"}
FORMS: dict[str, dict[str, str]] = {
    ADD: GUEST,
    f"/hotels/{ABC}/rooms/101/edit/": {"number": "101", "view": "Dom", "size": "9", "rate": "8", "revision": "7"},
    "/orders/place/?order_id=n-1": {**ORDER, **LINES},
    "/reviews/r-1/reply/": {"reply": "Dear guest,\nthank you.", "revision": "2"},
}


@pytest.fixture
def browser(alice: User) -> Client:
    """The browser of alice, who has all permissions, after her session has ended. It checks the tokens of forms."""
    User.objects.filter(pk=alice.pk).update(is_superuser=True)
    client = Client(enforce_csrf_checks=True)
    enter(client, "alice")
    client.get(ADD)
    del client.cookies[settings.SESSION_COOKIE_NAME]
    return client


def send(client: Client, address: str, form: dict[str, str], **headers: str) -> Any:
    """Send a form with the browser's token. Its page was loaded after the last login."""
    token = client.cookies["csrftoken"].value
    return client.post(address, {**form, "csrfmiddlewaretoken": token}, headers=headers)


def enter(client: Client, username: str, address: str = "/") -> Any:
    """Log in. The password is the username."""
    client.get(LOGIN)
    return send(client, LOGIN, {"username": username, "password": username, "next": address})


def shown(client: Client, address: str) -> dict[str, str]:
    """Return what the form of a page has in its fields, and the messages of the page."""
    page = ListMarkup(client.get(address).content)
    return {**entry_of(page), "messages": page.text("#main")}


@pytest.mark.parametrize("address", FORMS)
def test_a_form_comes_back_filled_in_and_nothing_is_written(browser: Client, address: str) -> None:
    before = len(all_entries())
    refused = send(browser, address, FORMS[address])
    assert refused["Location"].startswith(f"{LOGIN}?next=/")
    assert "Log in to send it again." in browser.get(refused["Location"]).content.decode()
    assert enter(browser, "alice", address)["Location"] == address
    page = shown(browser, address)
    assert {name: page[name] for name in FORMS[address]} == FORMS[address]
    assert "You were logged out, so nothing is saved yet" in page["messages"]
    assert len(all_entries()) == before
    assert "You were logged out" not in shown(browser, address)["messages"], "it is shown once"


def test_nobody_else_sees_it(browser: Client) -> None:
    """Another user who logs in with the same browser does not see the draft. The draft is then forgotten, also for its
    own user.
    """
    User.objects.create_superuser("bob", password="bob")
    send(browser, ADD, GUEST)
    assert enter(browser, "bob", ADD)["Location"] == ADD
    assert shown(browser, ADD)["name"] == ""
    assert drafts.WAITING not in browser.session
    enter(browser, "alice", ADD)
    assert shown(browser, ADD)["name"] == ""


def forged(client: Client) -> None:
    client.cookies[drafts.OWNER] = f"{client.cookies[drafts.OWNER].value[:-1]}x"


def aged(client: Client) -> None:
    """Eight days ago, somebody logged in with this browser last."""
    response, then = HttpResponse(), time.time() - timedelta(days=8).total_seconds()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "time", lambda: then)
        drafts.set_owner(response, int(client.cookies[drafts.OWNER].value.partition(":")[0]))
    client.cookies[drafts.OWNER] = response.cookies[drafts.OWNER].value


@pytest.mark.parametrize(
    ("change", "form", "headers"),
    [
        (forged, GUEST, {}),
        (aged, GUEST, {}),
        (lambda _: None, {**GUEST, "notes": "x" * drafts.MOST}, {}),
        (lambda _: None, {**GUEST, "password": "secret"}, {}),
        (lambda _: None, GUEST, {"HX-Request": "true"}),
    ],
    ids=["forged owner", "old owner", "too large", "a password", "a part of a page"],
)
def test_what_is_not_kept(
    browser: Client, change: Callable[[Client], None], form: dict[str, str], headers: dict[str, str]
) -> None:
    change(browser)
    assert send(browser, ADD, form, **headers).status_code in {302, 403}
    assert drafts.WAITING not in browser.session
    enter(browser, "alice", ADD)
    assert shown(browser, ADD)["name"] == ""


def test_an_old_cookie_does_not_fill_the_table_of_sessions(browser: Client) -> None:
    owner, kept = browser.cookies[drafts.OWNER].value, 0
    for _ in range(drafts.MOST_WAITING + 5):
        another = Client()
        another.get(LOGIN)
        another.cookies[drafts.OWNER] = owner
        send(another, ADD, GUEST)
        kept += drafts.WAITING in another.session
    assert kept == drafts.MOST_WAITING


def test_only_pages_of_forms_with_a_token_keep_one_and_the_login_leads_nowhere_else(browser: Client) -> None:
    assert browser.post(ADD, {**GUEST, "csrfmiddlewaretoken": "b" * 32}).status_code == 403
    send(browser, "/orders/o-1/", {"seen": "PLACED", "step": "PROCESSING"})
    assert drafts.WAITING not in browser.session
    send(browser, "/guests/add/?next=//evil.example/", GUEST)
    assert enter(browser, "alice", "//evil.example/")["Location"] == "/"


def test_the_browser_learns_which_draft_is_saved(admin_client: Client) -> None:
    saved = admin_client.post("/guests/add/", {**GUEST, "draft": "mbz1k2abcdef"})
    assert saved.cookies["draft-mbz1k2abcdef"].value == "saved"
    for form in ({**GUEST, "name": "", "draft": "mbz1k2abcdef"}, {**GUEST, "username": "cy", "draft": "a; path=/"}):
        assert not [name for name in admin_client.post("/guests/add/", form).cookies if name.startswith("draft")]
    assert "draft" not in str(Client().post("/guests/add/", {**GUEST, "draft": "mbz1k2abcdef"}).cookies)
