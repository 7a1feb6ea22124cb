"""Helpers for tests of sessions: sessions in the table, their requests, and stale reads."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from botocore.awsrequest import AWSPreparedRequest, AWSResponse

from accounts.sessions import SessionModel, SessionStore, hashed
from dynamodb_lists import ledger
from dynamodb_lists.connection.client import client
from dynamodb_lists.tests.helpers.answers import answer, answering

TABLE = SessionModel.Meta.table_name
ODD_KEYS = ["a" * 10_000, "é" * 20, "海" * 700, "\ud800" * 10, "a#b#c#d#e#f", "' OR 1=1 --", "\x00" * 9, " " * 8]


def saved(**data: Any) -> SessionStore:
    """Return a session in the table."""
    store = SessionStore()
    store.update(data)
    store.save()
    return store


def again(session: SessionStore) -> SessionStore:
    """Return the session as the next request loads it."""
    return SessionStore(session.session_key)


def item_of(session: SessionStore) -> Mapping[str, Any]:
    key = {"session_key": {"S": hashed(str(session.session_key))}}
    return client().get_item(TableName=TABLE, Key=key, ConsistentRead=True).get("Item", {})


def change_item(session: SessionStore, **attributes: Any) -> None:
    """Change attributes of a session's item, in ways in which Django never does."""
    item = {name: value for name, value in {**item_of(session), **attributes}.items() if value is not None}
    client().put_item(TableName=TABLE, Item=item)


@contextmanager
def asked(*wanted: str) -> Iterator[None]:
    """Check that the block sends exactly these requests, all of them for the session."""
    with ledger.recording() as calls:
        yield
    assert [spelt(call.operation, call.request) for call in calls.of("session")] == list(wanted)
    assert calls.requests == len(wanted)


def spelt(operation: str, request: Mapping[str, Any]) -> str:
    if operation == "GetItem":
        return "GetItem, consistent" if request["ConsistentRead"] else "GetItem"
    return " if ".join([operation, *filter(None, [request.get("ConditionExpression")])])


@contextmanager
def a_copy_that_is_behind(item: Mapping[str, Any]) -> Iterator[None]:
    """Answer eventually consistent reads with this item, or with none, as a replica that is behind would."""

    def respond(request: AWSPreparedRequest, **_: Any) -> AWSResponse | None:
        assert isinstance(request.body, bytes)
        if json.loads(request.body)["ConsistentRead"]:
            return None
        return answer(
            200, ConsumedCapacity={"TableName": TABLE, "CapacityUnits": 0.5}, **({"Item": item} if item else {})
        )

    with answering(respond, "GetItem"):
        yield
