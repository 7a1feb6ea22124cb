"""Forms whose answer of DynamoDB is lost on the way, or that are sent twice. ``make fuzz`` runs every form.

Otherwise one form of each base class runs. The page says that nobody knows whether the change was saved. Sending the
form again saves it once, and the user is told once. All faults are made by a real proxy before the engine.
"""

from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.contrib.messages import get_messages
from django.test import Client

from accounts import recording
from dynamodb_lists.connection.scope import SDK_ATTEMPTS
from dynamodb_lists.tests.helpers.answers import answering
from dynamodb_lists.tests.helpers.examples import usual
from orders.lists import CATALOGUE
from portal.error_pages import ENTER_AGAIN, NOTHING_DONE, PASSWORD, UNKNOWN_OUTCOME
from tests.conftest import logged_in
from tests.helpers.forms import ADDRESSES, KINDS, filled_in
from tests.helpers.forms import fill as fill_examples
from tests.helpers.history import all_entries
from tests.helpers.kinds import assert_all_in_step
from tests.helpers.lost_answers import WRITES, again, notice, stored
from tests.helpers.markup import ListMarkup
from tests.helpers.pages import FORMS, OF_ACCOUNTS, OF_FILES, OF_VIEWS
from tests.helpers.proxy import Fault, Proxy
from tests.helpers.rooms import ABC

fill = fill_examples
pytestmark = pytest.mark.django_db


def messages(response: Any) -> list[str]:
    """Return what the next page will say."""
    return [str(message) for message in get_messages(response.wsgi_request)]


# --- Every form -----------------------------------------------------------------------------------------


def test_every_form_of_the_portal_is_tested_here() -> None:
    forms = {name for name, address in ADDRESSES.items() if address.access.post != "-"}
    assert forms == FORMS.keys() | OF_ACCOUNTS | OF_FILES | OF_VIEWS, "say in tests/helpers/pages.py what a user enters"


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        *((name, Fault.LOSE) for name in usual(FORMS, *KINDS)),
        ("orders:place", Fault.CLOSE),
    ],
)
def test_a_form_whose_answer_is_lost_is_in_doubt_and_sent_again_is_saved_once(
    portal: Client, proxy: Proxy, name: str, fault: Fault
) -> None:
    address, entry = filled_in(portal, name)
    before, recorded = stored(), len(all_entries())
    with proxy.failing(fault, *WRITES) as failing:
        response = portal.post(address, entry)
    assert UNKNOWN_OUTCOME in notice(response)
    assert failing.met == SDK_ATTEMPTS
    assert (stored() == before) == (fault == Fault.CLOSE)
    assert len(all_entries()) - recorded == (FORMS[name].recorded if fault == Fault.LOSE else 0)
    assert not messages(response), "nothing says that it was saved"

    answer = portal.post(address, again(response) or entry)
    assert answer.status_code == 302, ListMarkup(answer.content).text("main")
    assert messages(answer) or name.startswith("rooms:bulk"), "the next page says that it is saved"
    assert len(all_entries()) - recorded == FORMS[name].recorded
    after = stored()
    assert after != before
    assert portal.post(address, entry).status_code == 302, "as by a double click"
    assert stored() == after
    assert len(all_entries()) - recorded == FORMS[name].recorded
    assert portal.get(answer["Location"], follow=True).status_code == 200
    assert_all_in_step()


# --- Forms that are sent twice at once ------------------------------------------------------------------

CHANGES = ("edit_", "erase_", "delete_", "reply")
EDITS = [name for name in FORMS if name.partition(":")[2].startswith(CHANGES)]


@pytest.mark.parametrize("name", usual(EDITS, "rooms:edit_room", "orders:erase_guest", "reviews:delete_review"))
def test_a_form_that_is_sent_twice_at_once_is_saved_once(manager: Client, name: str) -> None:
    """Send the form a second time when the first request is about to write."""
    address, entry = filled_in(manager, name)
    forms, statuses, before = [entry], list[int](), len(all_entries())

    def send(**_: Any) -> None:
        if forms:  # it writes, too, and must not send a third form
            statuses.append(manager.post(address, forms.pop()).status_code)

    with answering(send):
        statuses.append(manager.post(address, entry).status_code)
    assert statuses == [302, 302]
    assert len(all_entries()) == before + FORMS[name].recorded


# --- Writes in several steps ----------------------------------------------------------------------------


def test_an_order_is_placed_even_if_its_items_cannot_join_the_catalogue(portal: Client, proxy: Proxy) -> None:
    address, entry = filled_in(portal, "orders:place")
    sold = len(CATALOGUE.query(hotel_id=entry["hotel_id"]).take(99))
    with proxy.failing(Fault.CLOSE, "PutItem"):
        assert portal.post(address, entry).status_code == 302
    assert len(CATALOGUE.query(hotel_id=entry["hotel_id"]).take(99)) == sold
    assert portal.post(address, entry).status_code == 302
    assert len(CATALOGUE.query(hotel_id=entry["hotel_id"]).take(99)) > sold, "as soon as it is placed again"
    assert [entry.thing for entry in all_entries()].count(f"order#{entry['order_id']}") == 1


def test_a_hotel_whose_change_was_in_doubt_is_not_shown_from_the_cache(portal: Client, proxy: Proxy) -> None:
    address, entry = filled_in(portal, "hotels:edit_hotel")
    assert "Another name" not in portal.get(f"/hotels/{ABC}/reviews/").content.decode()
    with proxy.failing(Fault.LOSE, *WRITES):
        portal.post(address, entry)
    assert "Another name" in portal.get(f"/hotels/{ABC}/reviews/").content.decode()


# --- Sessions and SQL -----------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", [Fault.LOSE, Fault.CLOSE])
def test_a_login_whose_session_is_lost_can_be_repeated(
    client: Client, proxy: Proxy, charlie: User, fault: Fault
) -> None:
    User.objects.filter(pk=charlie.pk).update(is_staff=True)
    login = {"username": "charlie", "password": "charlie"}
    with proxy.failing(fault, *WRITES):
        response = client.post("/admin/login/?next=/", login)
    assert ENTER_AGAIN in notice(response)
    assert PASSWORD not in notice(response)
    assert b'value="charlie"' not in response.content
    assert client.post("/admin/login/?next=/", login)["Location"] == "/"
    assert client.get("/").status_code == 200


@pytest.mark.parametrize("fault", [Fault.LOSE, Fault.CUT])
def test_a_login_is_not_disturbed_by_one_lost_answer(client: Client, proxy: Proxy, charlie: User, fault: Fault) -> None:
    User.objects.filter(pk=charlie.pk).update(is_staff=True)
    with proxy.failing(fault, *WRITES, times=1) as failing:
        response = client.post("/admin/login/?next=/", {"username": "charlie", "password": "charlie"})
    assert (response.status_code, failing.met) == (302, 1)
    assert client.get("/").status_code == 200


def of_accounts() -> list[str]:
    return [entry.thing for entry in all_entries() if entry.thing.startswith(("account", "group"))]


def test_no_change_of_an_account_is_without_its_entry(proxy: Proxy, admin_user: User, endpoint: str) -> None:
    browser = logged_in(admin_user)
    account = {"username": "eve", "reach": "every"}
    with proxy.failing(Fault.CUT):
        assert browser.post("/admin/auth/user/add/", account).status_code == 503
    assert not User.objects.filter(username="eve").exists()
    assert not of_accounts()
    with proxy.failing(Fault.CLOSE, "PutItem"):
        assert browser.post("/admin/auth/group/add/", {"name": "Night"}).status_code == 503
    assert not Group.objects.filter(name="Night").exists()
    assert not of_accounts()
    with proxy.failing(Fault.LOSE, *WRITES):
        assert browser.post("/admin/auth/user/add/", account).status_code == 503
    assert not User.objects.filter(username="eve").exists()
    assert of_accounts() == ["account#eve"], "its answer was lost"
    assert browser.post("/admin/auth/user/add/", account).status_code == 302
    assert User.objects.get(username="eve")
    assert of_accounts() == ["account#eve"]


def test_a_password_may_be_changed_even_if_no_session_could_be_written(
    proxy: Proxy, admin_user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQL stores the password before the session is written. So the page must not say that nothing was changed."""
    browser = logged_in(admin_user)
    monkeypatch.setattr(recording, "note", lambda *_: None)  # its write would fail before
    new = {"new_password1": "a-long-word-1", "new_password2": "a-long-word-1", "usable_password": "true"}
    with proxy.failing(Fault.CLOSE, *WRITES):
        words = notice(browser.post("/admin/password_change/", {"old_password": "password", **new}))
    admin_user.refresh_from_db()
    assert admin_user.check_password("a-long-word-1")
    assert PASSWORD in words
    assert NOTHING_DONE not in words
