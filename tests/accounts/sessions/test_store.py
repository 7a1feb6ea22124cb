"""The session store: the methods that Django requires of every store, and their async versions."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from asgiref.sync import async_to_sync
from botocore.awsrequest import AWSResponse
from django.conf import settings
from django.contrib.sessions.backends.base import UpdateError
from django.core.signing import TimestampSigner
from django.test import override_settings
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


def seen(session: SessionStore) -> tuple[bool, bool]:
    """Whether the session was accessed, and whether it was modified, as the middleware sees it. Resets both."""
    marks = session.accessed, session.modified
    session.accessed = session.modified = False
    return marks


def test_a_new_session_is_neither_accessed_nor_modified(session: SessionStore) -> None:
    assert seen(session) == (False, False)


def test_an_empty_session_has_nothing(session: SessionStore, do: Do) -> None:
    assert do(session, "get", "cat") is None
    assert list(do(session, "values")) == []
    assert seen(session) == (True, False)


def test_what_is_set_can_be_popped(session: SessionStore, do: Do) -> None:
    do(session, "set", "cat", "dog")
    assert seen(session) == (True, True)
    assert do(session, "pop", "cat") == "dog"
    assert seen(session) == (True, True)
    assert do(session, "get", "cat") is None


def test_popping_what_is_not_there(session: SessionStore, do: Do) -> None:
    assert do(session, "pop", "cat", "none") == "none"
    assert do(session, "pop", "cat", default="none") == "none"
    assert seen(session) == (True, False)
    with pytest.raises(KeyError):
        do(session, "pop", "cat")


def test_setdefault_keeps_what_is_there(session: SessionStore, do: Do) -> None:
    assert do(session, "setdefault", "cat", "dog") == "dog"
    assert do(session, "setdefault", "cat", "bird") == "dog"
    assert seen(session) == (True, True)


def test_update(session: SessionStore, do: Do) -> None:
    do(session, "update", {"cat": 1})
    assert seen(session) == (True, True)
    assert do(session, "get", "cat", None) == 1


def test_reading_is_access_and_no_modification(session: SessionStore, do: Do) -> None:
    do(session, "set", "cat", 1)
    seen(session)
    for name, args, wanted in [("keys", (), ["cat"]), ("values", (), [1]), ("items", (), [("cat", 1)])]:
        assert list(do(session, name, *args)) == wanted
        assert seen(session) == (True, False)
    assert do(session, "has_key", "cat") is True
    assert seen(session) == (True, False)
    assert "cat" in session
    assert seen(session) == (True, False)


def test_clear(session: SessionStore) -> None:
    session["cat"] = 1
    seen(session)
    session.clear()
    assert list(session.items()) == []
    assert seen(session) == (True, True)


def test_the_test_cookie(session: SessionStore, do: Do) -> None:
    do(session, "set_test_cookie")
    assert do(session, "test_cookie_worked") is True
    do(session, "delete_test_cookie")
    assert do(session, "test_cookie_worked") is False


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
    assert seen(session) == (True, True)


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


def test_saving_keeps_the_data(session: SessionStore, do: Do) -> None:
    do(session, "set", "cat", "dog")
    do(session, "save")
    assert do(session, "get", "cat") == "dog"


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


def test_the_key_is_read_only(session: SessionStore) -> None:
    with pytest.raises(AttributeError):
        session.session_key = "12345678"  # type: ignore[misc]


def test_the_default_expiry_is_the_settings(session: SessionStore, do: Do) -> None:
    assert do(session, "get_expiry_age") == settings.SESSION_COOKIE_AGE
    do(session, "set_expiry", 0)
    assert do(session, "get_expiry_age") == settings.SESSION_COOKIE_AGE


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


def test_an_expiry_can_be_taken_back(session: SessionStore, do: Do) -> None:
    for value in (None, 10, None):
        do(session, "set_expiry", value)
    assert do(session, "get_expiry_age") == settings.SESSION_COOKIE_AGE


@pytest.mark.parametrize("default", [True, False])
def test_expiry_at_the_browsers_close(session: SessionStore, do: Do, default: bool) -> None:
    with override_settings(SESSION_EXPIRE_AT_BROWSER_CLOSE=default):
        for value, wanted in ((10, False), (0, True), (None, default)):
            do(session, "set_expiry", value)
            assert do(session, "get_expire_at_browser_close") is wanted


def test_a_session_that_has_expired_is_refused_at_once(session: SessionStore, do: Do) -> None:
    do(session, "set", "cat", "dog")
    do(session, "set_expiry", -timedelta(seconds=10))
    do(session, "save")
    new = again(session)
    assert do(new, "has_key", "cat") is False
    assert new.session_key is None
    assert item_of(session), "DynamoDB has not deleted it yet"


def test_what_is_encoded_can_be_decoded(session: SessionStore) -> None:
    assert session.decode(session.encode({"cat": "dog"})) == {"cat": "dog"}


@pytest.mark.parametrize("text", ["", "Zmxhc2tkajphbGtkamY=", "bad:encoded:value"])
def test_what_was_tampered_with_is_logged(session: SessionStore, caplog: pytest.LogCaptureFixture, text: str) -> None:
    assert session.decode(text) == {}
    assert [(record.name, record.levelname) for record in caplog.records] == [
        ("django.security.SuspiciousSession", "WARNING")
    ]


def test_what_is_signed_and_yet_no_data_is_an_empty_session(session: SessionStore) -> None:
    assert session.decode(TimestampSigner(salt=session.key_salt).sign("no data")) == {}


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


def test_what_another_request_saved_is_seen(session: SessionStore) -> None:
    session["cat"] = 1
    session.save()
    other = again(session)
    other["cat"] = 2
    other.save()
    assert again(session)["cat"] == 2


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


@hypothesis_settings(max_examples=examples(15))
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
