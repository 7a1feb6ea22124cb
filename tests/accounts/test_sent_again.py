"""A form of an account or a role has one entry in the history, however often it is sent, at once, or cut off."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any, NamedTuple

import pytest
from django.contrib.auth.models import Group, User
from django.db import connection, connections, transaction
from django.test import Client

from accounts import recording
from dynamodb_lists.tests.helpers.waiting import eventually
from tests.accounts.test_authority import GROUPS, LIST, NEW, page_of
from tests.accounts.test_concurrency import requests_that_wait_for_a_lock
from tests.accounts.test_staff_page import link_of
from tests.conftest import logged_in
from tests.helpers.accounts import form_of
from tests.helpers.history import all_entries
from tests.helpers.logins import code_of, forget_codes, with_second_factor
from tests.helpers.lost_answers import WRITES
from tests.helpers.proxy import Fault, Proxy
from tests.helpers.rooms import make_hotel

OWN = {"new_password1": "Xq7!hotel-sea", "new_password2": "Xq7!hotel-sea"}


class Sent(NamedTuple):
    """A form: who sends it, and where."""

    browser: Client
    address: str
    entry: dict[str, Any]


class People(NamedTuple):
    """The superuser, an account that she changes, and a role."""

    root: User
    dana: User
    night: Group

    def by_root(self, address: str, **entry: Any) -> Sent:
        return Sent(logged_in(self.root), address, entry)

    def chosen(self, address: str, action: str, thing: Any) -> Sent:
        return self.by_root(address, action=action, _selected_action=[str(thing.pk)], post="yes")

    def reset(self) -> Sent:
        with_second_factor(self.dana)
        return self.by_root(page_of(self.dana, "second-factor"))

    def set_up(self) -> Sent:
        sent = Sent(logged_in(self.dana), "/account/second-factor/set-up/", {})
        sent.browser.post(sent.address, {"begin": "1", "password": "dana"})
        return sent._replace(entry={"code": code_of(self.dana)})

    def link(self) -> Sent:
        browser = Client()
        link = link_of(logged_in(self.root).get(page_of(self.dana, "password-link")).content)
        return Sent(browser, browser.get(link)["Location"], OWN)


FORMS: dict[str, Callable[[People], Sent]] = {
    "add": lambda of: of.by_root(f"{LIST}add/", **NEW),
    "rename": lambda of: of.by_root(page_of(of.dana), **form_of(of.dana, username="dina")),
    "delete several": lambda of: of.chosen(LIST, "delete_selected", of.dana),
    "end": lambda of: of.by_root(page_of(of.dana), **form_of(of.dana, is_active="")),
    "reset the second factor": People.reset,
    "role": lambda of: of.by_root(f"{GROUPS}{of.night.pk}/change/", name="Day"),
    "own password": lambda of: Sent(logged_in(of.dana), "/admin/password_change/", {"old_password": "dana", **OWN}),
    "password link": People.link,
    "set up a second factor": People.set_up,
}
"""A form for each way to lock an account or a role and to write the entry."""

OF_DEVICES = {"reset the second factor", "set up a second factor"}
"""These lock no account, but the device."""


def recorded(name: str) -> int:
    """Return how many entries a form has: an account that is renamed has one under each name."""
    return 2 if name == "rename" else 1


@pytest.fixture
def people(admin_user: User, dana: User) -> People:
    make_hotel()
    dana.set_password("dana")
    dana.save()
    return People(admin_user, dana, Group.objects.create(name="Night"))


@pytest.mark.django_db
@pytest.mark.parametrize("name", FORMS)
def test_a_form_that_is_cut_off_again_and_again_has_one_entry(
    proxy: Proxy, people: People, impatient: None, name: str
) -> None:
    """The entry is written, and then SQL takes the change back: as after a lost answer, or a kill before the commit."""
    browser, address, entry = FORMS[name](people)
    before, cookies = len(all_entries()), dict(browser.cookies)
    for operations in (WRITES, ("Query",)):  # the entry that is there already is not written, but looked up
        with proxy.failing(Fault.LOSE, *operations):
            assert browser.post(address, entry).status_code == 503
        assert len(all_entries()) == before + 1
        browser.cookies.update(cookies)
        forget_codes(people.dana)
    assert browser.post(address, entry).status_code in {200, 302}
    assert browser.post(address, entry).status_code < 500
    assert len(all_entries()) == before + recorded(name)


@pytest.mark.django_db
def test_a_change_that_is_made_long_after_it_was_cut_off_has_the_right_time(
    proxy: Proxy, people: People, impatient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser, address, entry = FORMS["end"](people)
    with proxy.failing(Fault.LOSE, *WRITES):
        browser.post(address, entry)
    monkeypatch.setattr(recording, "SENT_AGAIN", timedelta(0))
    browser.post(address, entry)
    assert len(all_entries()) == 2


@pytest.mark.django_db
def test_two_passwords_are_two_entries(empty_tables: None, people: People) -> None:
    for password in ("Xq7!hotel-sea", "Xq7!hotel-lake"):
        sent = people.link()
        sent.browser.post(sent.address, dict.fromkeys(OWN, password))
    assert len(all_entries()) == 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite lets one transaction write at a time")
@pytest.mark.parametrize("name", [name for name in FORMS if name not in OF_DEVICES])
def test_a_form_that_is_sent_twice_at_once_has_one_entry(empty_tables: None, people: People, name: str) -> None:
    """Both requests wait for the lock of the same table, and go on together."""
    browser, address, entry = FORMS[name](people)
    before = len(all_entries())

    def send(_: int) -> int:
        copy = Client()
        copy.cookies.update(browser.cookies)
        try:
            return copy.post(address, entry).status_code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("LOCK TABLE auth_user, auth_group IN SHARE MODE")
            answers = [pool.submit(send, number) for number in range(2)]
            assert eventually(lambda: requests_that_wait_for_a_lock() == 2)
        assert all(answer.result() < 500 for answer in answers)
    assert len(all_entries()) == before + recorded(name)
