"""The session store: the methods that Django requires of every store. Their async versions call them.

What the base class does with the data of a session, their encoding and their age, Django tests itself.
"""

from datetime import datetime, timedelta

import pytest
from django.contrib.sessions.backends.base import UpdateError

from accounts.sessions.store import SessionStore
from tests.helpers.sessions import ODD_KEYS, again, item_of, saved

pytestmark = pytest.mark.usefixtures("endpoint")


@pytest.fixture
def session() -> SessionStore:
    return SessionStore()


def test_create_save_and_delete(session: SessionStore) -> None:
    session.delete()
    assert session.session_key is None
    session.create()
    assert session.exists(session.session_key)
    assert session.modified
    session["cat"] = "dog"
    session.save()
    assert again(session)["cat"] == "dog"
    session.delete(session.session_key)
    assert not session.exists(session.session_key)
    session.delete(session.session_key)


def test_flush_deletes_and_forgets_the_key() -> None:
    session = saved(cat="dog")
    before = session.session_key
    session.flush()
    assert not session.exists(before)
    assert session.session_key is None
    assert session.modified


@pytest.mark.parametrize("loaded", [True, False])
def test_a_new_key_keeps_the_data(loaded: bool) -> None:
    session = saved(cat="dog", a="b")
    before = session.session_key
    session = session if loaded else again(session)
    session.cycle_key()
    assert session.session_key != before
    assert not session.exists(before)
    assert dict(session.items()) == dict(again(session).items()) == {"cat": "dog", "a": "b"}


@pytest.mark.parametrize(
    ("key", "accepted"), [("", False), ("1234567", False), ("12345678", True), ("a" * 2048, True), ("a" * 2049, False)]
)
def test_how_long_a_key_may_be(session: SessionStore, key: str, accepted: bool) -> None:
    session._session_key = key
    assert session.session_key == (key if accepted else None)


def test_an_expiry_of_ones_own(session: SessionStore) -> None:
    session.set_expiry(datetime(2100, 1, 1))  # without a zone, it is in the settings' zone, UTC
    session.save()
    assert item_of(session)["expires_at"] == {"N": "4102444800"}
    session.set_expiry(-timedelta(seconds=10))
    session.save()
    new = again(session)
    assert "_session_expiry" not in new
    assert new.session_key is None
    assert item_of(session), "DynamoDB has not deleted it yet"


def test_loading_what_is_not_there_makes_nothing() -> None:
    session = SessionStore("someunknownkey")
    assert session.load() == {}
    assert session.session_key is None
    assert not session.exists("someunknownkey")
    assert not session.exists(None)


def test_saving_does_not_bring_back_who_logged_out_in_another_window() -> None:
    session = saved(cat="dog")
    again(session).delete()
    session["cat"] = "bird"
    with pytest.raises(UpdateError):
        session.save()
    assert session.load() == {}


@pytest.mark.parametrize("key", ["1", *ODD_KEYS], ids=range(len(ODD_KEYS) + 1))
def test_an_odd_key_finds_nothing_and_is_replaced(key: str) -> None:
    assert SessionStore(key).load() == {}
    assert not SessionStore().exists(key)
    SessionStore().delete(key)
    session = SessionStore(key)
    session["cat"] = "dog"
    session.save()
    assert session.session_key != key
    assert again(session)["cat"] == "dog"
