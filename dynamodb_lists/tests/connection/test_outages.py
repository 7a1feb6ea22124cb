"""Outages: a page is refused only while many calls wait and nobody is answered; commands never are."""

import pytest

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.client import SILENT_SECONDS, Waiting, client, waiting
from dynamodb_lists.connection.configuration import connection
from dynamodb_lists.connection.errors import Unavailable
from dynamodb_lists.connection.ledger import Call
from dynamodb_lists.tests.helpers.configured import configured
from dynamodb_lists.tests.helpers.scopes import within


def call() -> dict[str, Call]:
    """Return the context of a call."""
    return {"call": Call("GetItem", {"TableName": "x"})}


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, which the test changes."""
    seconds = [1000.0]
    monkeypatch.setattr("dynamodb_lists.connection.client.time.monotonic", lambda: seconds[0])
    return seconds


def test_a_page_is_refused_in_an_outage_until_somebody_is_answered_or_gives_up(now: list[float]) -> None:
    calls = Waiting(connection())
    with configured(waiting_calls=2), within(600):
        calls.begin()
        calls.begin()
        calls.begin()  # there is no outage yet
        now[0] += SILENT_SECONDS + 0.1
        with pytest.raises(Unavailable, match="3 calls wait"):
            calls.begin()
        calls.end(call(), exception=TimeoutError())
        calls.end(call(), exception=TimeoutError())
        calls.begin()  # it finds out whether the database answers again
        with pytest.raises(Unavailable, match="calls wait"):
            calls.begin()
        calls.end(call())
        calls.begin()
        calls.begin()
        for _ in range(3):
            calls.end(call(), exception=TimeoutError())
        now[0] += 60
        for _ in range(3):  # a burst after a time without calls
            calls.begin()


def test_a_command_is_never_refused(now: list[float]) -> None:
    calls = Waiting(connection())
    with configured(waiting_calls=1):
        for _ in range(3):
            calls.begin()
            now[0] += 60
    assert calls.calls == 3


@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize("answers", [True, False])
def test_a_call_whose_observer_fails_is_not_counted_for_ever(monkeypatch: pytest.MonkeyPatch, answers: bool) -> None:
    def fail(_: Call) -> None:
        raise ValueError("x")

    before = waiting(connection()).calls
    with configured(**{} if answers else {"endpoint_url": "http://127.0.0.1:1"}):
        monkeypatch.setattr(ledger, "observers", [fail])
        with pytest.raises(ValueError, match="x"):
            client().list_tables()
    assert waiting(connection()).calls == before
