"""The session store: the methods that Django requires of every store, their requests, and the items that they write.

What the base class does with the data of a session, their encoding and their age, Django tests itself.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.sessions.backends.base import CreateError, UpdateError

from accounts.sessions import SessionStore
from dynamodb_lists import Unavailable
from dynamodb_lists.connection.client import client
from dynamodb_lists.schema import tables
from dynamodb_lists.tests.helpers.answers import answering, refusal
from tests.helpers.sessions import ODD_KEYS, TABLE, again, asked, change_item, item_of, saved

pytestmark = pytest.mark.usefixtures("endpoint")


@pytest.fixture
def session() -> SessionStore:
    return SessionStore()


def test_create_save_and_delete(session: SessionStore) -> None:
    session.delete()
    assert session.session_key is None
    with asked():
        session.create()
    assert session.modified
    session["cat"] = "dog"
    session.save()
    assert again(session)["cat"] == "dog"
    assert session.exists(session.session_key)
    session.delete(session.session_key)
    assert not session.exists(session.session_key)
    session.delete(session.session_key)


@pytest.mark.parametrize("loaded", [True, False])
def test_a_new_key_keeps_the_data(loaded: bool) -> None:
    session = saved(cat="dog", a="b")
    before = session.session_key
    session = session if loaded else again(session)
    session.cycle_key()
    session.save()
    assert session.session_key != before
    assert not session.exists(before)
    assert dict(session.items()) == dict(again(session).items()) == {"cat": "dog", "a": "b"}


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


def test_saving_does_not_bring_back_who_logged_out_in_another_window() -> None:
    session = saved(cat="dog")
    again(session).delete()
    session["cat"] = "bird"
    with pytest.raises(UpdateError):
        session.save()
    assert session.load() == {}


def test_an_odd_key_finds_nothing_and_is_replaced() -> None:
    for key in ("", "1", "1234567", "someunknownkey", *ODD_KEYS):
        assert SessionStore(key).load() == {}
        assert not SessionStore().exists(key)
        SessionStore().delete(key)
        session = SessionStore(key)
        session["cat"] = "dog"
        session.save()
        assert session.session_key != key
        assert again(session)["cat"] == "dog"


def test_what_the_table_holds_opens_no_session(session: SessionStore) -> None:
    """Whoever reads a backup, an export or a report of hot keys finds the SHA-256 of the cookie, not the cookie."""
    session["cat"] = "dog"
    session.save()
    item = item_of(session)
    assert str(session.session_key) not in repr(item)
    assert SessionStore(item["session_key"]["S"]).get("cat") is None
    assert again(session)["cat"] == "dog"


def test_a_session_is_read_once_however_often_it_is_asked() -> None:
    session = again(saved(cat="dog"))
    with asked("GetItem"):
        assert [session["cat"], session.get("cat"), "cat" in session, len(session.items())] == ["dog", "dog", True, 1]
    with asked():
        again(session)  # the data is not read


def test_a_key_that_is_taken_is_refused(session: SessionStore) -> None:
    taken = saved(cat="dog")
    session._session_key = str(taken.session_key)
    with pytest.raises(CreateError):
        session.save(must_create=True)
    assert again(taken)["cat"] == "dog"


def test_a_session_that_ran_out_while_it_was_used_can_be_saved() -> None:
    session = saved(cat="dog")
    change_item(session, expires_at={"N": "1"})
    session["cat"] = "bird"
    session.save()
    assert again(session)["cat"] == "bird"


def test_a_damaged_item_is_an_empty_session() -> None:
    damages: list[dict[str, Any]] = [{"data": data} for data in ({"S": "tampered:with"}, None, {"N": "1"}, {"S": ""})]
    damages += [{"expires_at": end} for end in (None, {"S": "never"}, {"N": "-1"})]
    for attributes in damages:
        session = saved(cat="dog")
        change_item(session, **attributes)
        damaged = again(session)
        assert dict(damaged.items()) == {}, attributes
        damaged["cat"] = "bird"
        damaged.save()
        assert again(damaged)["cat"] == "bird"


def ttl() -> Mapping[str, str]:
    return client().describe_time_to_live(TableName=TABLE)["TimeToLiveDescription"]  # type: ignore[return-value]


@pytest.mark.usefixtures("empty_tables")
def test_the_table_lets_dynamodb_delete_what_has_expired() -> None:
    assert (ttl()["TimeToLiveStatus"], ttl()["AttributeName"]) == ("ENABLED", "expires_at")


@pytest.mark.usefixtures("empty_tables")
def test_ttl_is_switched_on_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """AWS refuses to enable TTL twice. The engine does not, so the test answers for it."""
    monkeypatch.setattr(tables, "POLL_SECONDS", 0.01)
    with answering(lambda **_: refusal("ValidationException"), "UpdateTimeToLive"):
        list(tables.migrate())
        client().delete_table(TableName=TABLE)
        with pytest.raises(Unavailable, match="UpdateTimeToLive"):
            list(tables.migrate())
    list(tables.migrate())
    assert ttl()["TimeToLiveStatus"] == "ENABLED"
