"""The session store: the methods that Django requires of every store, and their async versions.

What the base class does with the data of a session, their encoding and their age, Django tests itself.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from asgiref.sync import async_to_sync
from botocore.awsrequest import AWSResponse
from django.contrib.sessions.backends.base import UpdateError
from django.utils import timezone
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from accounts.sessions.store import SessionStore
from dynamodb_lists.connection.errors import Unavailable
from dynamodb_lists.tests.helpers.answers import answering, refusal
from dynamodb_lists.tests.helpers.examples import examples
from tests.helpers.sessions import ODD_KEYS, again, item_of, saved

pytestmark = pytest.mark.usefixtures("endpoint")
SYNC_NAMES = {"set": "__setitem__"}
Do = Callable[..., Any]


@pytest.fixture(params=["sync", "async"])
def do(request: pytest.FixtureRequest) -> Do:
    """A function that calls a method of a session, or its async version."""

    def call(session: SessionStore, name: str, *args: Any, **named: Any) -> Any:
        if request.param == "async":
            return async_to_sync(getattr(session, f"a{name}"))(*args, **named)
        return getattr(session, SYNC_NAMES.get(name, name))(*args, **named)

    return call


@pytest.fixture
def session() -> SessionStore:
    return SessionStore()


def test_save_and_delete(session: SessionStore, do: Do) -> None:
    do(session, "save")
    assert do(session, "exists", session.session_key) is True
    do(session, "delete", session.session_key)
    assert do(session, "exists", session.session_key) is False
    do(session, "delete", session.session_key)


def test_deleting_without_a_key_is_nothing(session: SessionStore, do: Do) -> None:
    do(session, "delete")
    assert session.session_key is None


def test_create_and_save(session: SessionStore, do: Do) -> None:
    do(session, "create")
    assert do(session, "exists", session.session_key) is True
    assert session.modified
    do(session, "set", "cat", "dog")
    do(session, "save")
    assert do(again(session), "get", "cat") == "dog"


def test_flush_deletes_and_forgets_the_key(session: SessionStore, do: Do) -> None:
    do(session, "set", "cat", "dog")
    do(session, "save")
    before = session.session_key
    do(session, "flush")
    assert do(session, "exists", before) is False
    assert session.session_key is None
    assert session.modified


@pytest.mark.parametrize("loaded", [True, False])
def test_a_new_key_keeps_the_data(session: SessionStore, do: Do, loaded: bool) -> None:
    do(session, "update", {"cat": "dog", "a": "b"})
    do(session, "save")
    before = session.session_key
    session = session if loaded else again(session)
    do(session, "cycle_key")
    assert session.session_key != before
    assert do(session, "exists", before) is False
    assert dict(do(session, "items")) == dict(do(again(session), "items")) == {"cat": "dog", "a": "b"}


def test_a_key_that_cannot_be_one_is_replaced(do: Do) -> None:
    session = SessionStore("1")
    do(session, "save")
    assert session.session_key not in {"1", None}
    assert do(session, "get", "cat") is None
    do(session, "delete", "1")


@pytest.mark.parametrize(
    ("key", "accepted"), [("", False), ("1234567", False), ("12345678", True), ("a" * 2048, True), ("a" * 2049, False)]
)
def test_how_long_a_key_may_be(session: SessionStore, key: str, accepted: bool) -> None:
    session._session_key = key
    assert session.session_key == (key if accepted else None)


@pytest.mark.parametrize("kind", ["seconds", "timedelta", "datetime"])
def test_an_expiry_of_ones_own(session: SessionStore, do: Do, kind: str) -> None:
    now = timezone.now()
    ten = timedelta(seconds=10)
    with patch("django.utils.timezone.now", return_value=now):
        do(session, "set_expiry", {"seconds": 10, "timedelta": ten, "datetime": now + ten}[kind])
    assert do(session, "get_expiry_date", modification=now) == now + ten
    assert do(session, "get_expiry_age", modification=now) == 10
    do(session, "save")
    assert abs(int(item_of(session)["expires_at"]["N"]) - now.timestamp() - 10) < 3600


def test_a_session_that_has_expired_is_refused_at_once(session: SessionStore, do: Do) -> None:
    do(session, "set", "cat", "dog")
    do(session, "set_expiry", -timedelta(seconds=10))
    do(session, "save")
    new = again(session)
    assert do(new, "has_key", "cat") is False
    assert new.session_key is None
    assert item_of(session), "DynamoDB has not deleted it yet"


def test_loading_what_is_not_there_makes_nothing(do: Do) -> None:
    session = SessionStore("someunknownkey")
    assert do(session, "load") == {}
    assert session.session_key is None
    assert do(session, "exists", "someunknownkey") is False
    assert do(session, "exists", None) is False


def test_saving_does_not_bring_back_who_logged_out_in_another_window(session: SessionStore, do: Do) -> None:
    do(session, "set", "cat", "dog")
    do(session, "save", must_create=True)
    do(again(session), "delete")
    do(session, "set", "cat", "bird")
    with pytest.raises(UpdateError):
        do(session, "save")
    assert do(session, "load") == {}


@pytest.mark.parametrize("key", ODD_KEYS, ids=range(len(ODD_KEYS)))
def test_an_odd_key_finds_nothing(key: str, do: Do) -> None:
    assert do(SessionStore(key), "load") == {}
    assert do(SessionStore(), "exists", key) is False
    do(SessionStore(), "delete", key)
    session = SessionStore(key)
    session["cat"] = "dog"
    session.save()
    assert session.session_key != key
    session.delete()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@hypothesis_settings(max_examples=examples(6))
@given(st.dictionaries(st.text().filter(lambda key: key != "_session_expiry"), JSON, max_size=6))
def test_any_data_come_back(data: dict[str, Any]) -> None:
    session = saved(**{})
    session.update(data)
    session.save()
    loaded = again(session)
    assert dict(loaded.items()) == data
    loaded.delete()


def test_a_database_that_is_away_is_said(session: SessionStore, do: Do) -> None:
    def refuse(**_: Any) -> AWSResponse:
        return refusal("ReplicatedWriteConflictException")  # the SDK does not retry this error

    saved_session = saved(cat="dog")
    with answering(refuse, "GetItem"), pytest.raises(Unavailable):
        do(again(saved_session), "load")
    with answering(refuse, "PutItem"), pytest.raises(Unavailable):
        do(session, "save")
    with answering(refuse, "DeleteItem"), pytest.raises(Unavailable):
        do(saved_session, "delete")
    assert again(saved_session)["cat"] == "dog"
