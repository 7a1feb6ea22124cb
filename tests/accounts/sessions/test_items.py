"""Sessions as items: their attributes, the requests of each method, repeated reads, and expiry."""

from collections.abc import Mapping
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.contrib.sessions.backends.base import CreateError

from accounts.sessions.store import SessionStore
from dynamodb_lists.connection.client import client
from dynamodb_lists.connection.errors import Unavailable
from dynamodb_lists.schema import tables
from dynamodb_lists.tests.helpers.answers import answer, answering, refusal
from tests.helpers.sessions import TABLE, a_copy_that_is_behind, again, asked, change_item, item_of, saved

pytestmark = pytest.mark.usefixtures("endpoint")


@pytest.fixture
def session() -> SessionStore:
    return SessionStore()


def test_what_the_table_holds_opens_no_session(session: SessionStore) -> None:
    """Whoever reads a backup, an export or a report of hot keys finds the SHA-256 of the cookie, not the cookie."""
    session["cat"] = "dog"
    session.save()
    item = item_of(session)
    assert str(session.session_key) not in repr(item)
    assert SessionStore(item["session_key"]["S"]).get("cat") is None
    assert again(session)["cat"] == "dog"


def test_the_async_methods_write_to_the_same_ledger() -> None:
    session = saved(cat="dog")
    with asked("GetItem"):
        assert async_to_sync(again(session).aload)() == {"cat": "dog"}


def test_a_session_is_read_once_however_often_it_is_asked() -> None:
    session = again(saved(cat="dog"))
    with asked("GetItem"):
        assert [session["cat"], session.get("cat"), "cat" in session, len(session.items())] == ["dog", "dog", True, 1]
    with asked():
        again(session)  # the data is not read


def test_a_session_that_a_copy_does_not_know_yet_is_found() -> None:
    session = saved(cat="dog")
    with a_copy_that_is_behind({}):
        assert again(session)["cat"] == "dog"


def test_a_session_that_a_copy_has_without_its_data_yet_is_found(session: SessionStore) -> None:
    """A login creates the session, and adds the user at the end of the request."""
    session.create()
    item = item_of(session)
    session["cat"] = "dog"
    session.save()
    with a_copy_that_is_behind(item):
        assert again(session)["cat"] == "dog"
    with asked("GetItem"):
        assert again(session)["cat"] == "dog"


def test_a_key_that_is_taken_is_refused_and_another_one_found(
    session: SessionStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = saved(cat="dog")
    session._session_key = str(taken.session_key)
    with pytest.raises(CreateError):
        session.save(must_create=True)
    keys = iter([taken.session_key, "a-key-that-is-free"])
    monkeypatch.setattr(SessionStore, "_get_new_session_key", lambda _: next(keys))
    other = saved(cat="bird")
    assert other.session_key == "a-key-that-is-free"
    assert again(taken)["cat"] == "dog"
    other.delete()


def test_a_session_that_ran_out_while_it_was_used_can_be_saved() -> None:
    session = saved(cat="dog")
    change_item(session, expires_at={"N": "1"})
    session["cat"] = "bird"
    session.save()
    assert again(session)["cat"] == "bird"


@pytest.mark.parametrize(
    "attributes",
    [{"data": {"S": "tampered:with"}}, {"data": None}, {"data": {"N": "1"}}, {"data": {"S": ""}}],
    ids=str,
)
def test_a_damaged_item_is_an_empty_session(attributes: Mapping[str, Any]) -> None:
    session = saved(cat="dog")
    change_item(session, **attributes)
    damaged = again(session)
    assert dict(damaged.items()) == {}
    damaged["cat"] = "bird"
    damaged.save()
    assert again(damaged)["cat"] == "bird"


@pytest.mark.parametrize("expiry", [None, {"S": "never"}, {"N": "-1"}, {"N": "99999999999.5"}], ids=str)
def test_an_item_lives_by_its_number_alone(expiry: Mapping[str, str] | None) -> None:
    session = saved(cat="dog")
    change_item(session, expires_at=expiry)
    assert again(session).get("cat") == ("dog" if expiry == {"N": "99999999999.5"} else None)


def ttl() -> Mapping[str, str]:
    return client().describe_time_to_live(TableName=TABLE)["TimeToLiveDescription"]  # type: ignore[return-value]


@pytest.mark.usefixtures("empty_tables")
def test_the_table_lets_dynamodb_delete_what_has_expired() -> None:
    assert (ttl()["TimeToLiveStatus"], ttl()["AttributeName"]) == ("ENABLED", "expires_at")


@pytest.mark.usefixtures("empty_tables")
def test_ttl_is_switched_on_once() -> None:
    """AWS refuses to enable TTL twice. The engine does not, so the test answers for it."""
    refuse = [lambda **_: refusal("ValidationException")]
    with answering(refuse[0], "UpdateTimeToLive"):
        assert not any(created for _, created in tables.create_missing())
    client().delete_table(TableName=TABLE)
    with answering(refuse[0], "UpdateTimeToLive"), pytest.raises(Unavailable, match="UpdateTimeToLive"):
        list(tables.create_missing())
    assert not any(created for _, created in tables.create_missing())
    assert ttl()["TimeToLiveStatus"] == "ENABLED"


@pytest.mark.usefixtures("empty_tables")
def test_ttl_may_be_switched_on_by_two_at_once() -> None:
    off = [answer(200, TimeToLiveDescription={"TimeToLiveStatus": "DISABLED"})]
    with (
        answering(lambda **_: off.pop() if off else None, "DescribeTimeToLive"),
        answering(lambda **_: refusal("ValidationException"), "UpdateTimeToLive"),
    ):
        list(tables.create_missing())
    assert not off
