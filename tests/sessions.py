"""What the tests of sessions share: sessions in the table, what was asked for them, and a copy that is behind."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from botocore.awsrequest import AWSPreparedRequest, AWSResponse

from hotelapp.dynamodb import ledger
from hotelapp.dynamodb.client import client
from hotelapp.sessions.models import Session
from hotelapp.sessions.store import SessionStore
from tests.support import answer, answering

TABLE = Session.Meta.table_name
ODD_KEYS = ["a" * 10_000, "é" * 20, "海" * 700, "\ud800" * 10, "a#b#c#d#e#f", "' OR 1=1 --", "\x00" * 9, " " * 8]


def saved(**data: Any) -> SessionStore:
    """A session in the table."""
    store = SessionStore()
    store.update(data)
    store.save()
    return store


def again(session: SessionStore) -> SessionStore:
    """The session as the next request meets it."""
    return SessionStore(session.session_key)


def item_of(session: SessionStore) -> Mapping[str, Any]:
    key = {"session_key": {"S": str(session.session_key)}}
    return client().get_item(TableName=TABLE, Key=key, ConsistentRead=True).get("Item", {})


def change_item(session: SessionStore, **attributes: Any) -> None:
    """Put other attributes into a session's item, as Django never would."""
    kept = {name: value for name, value in {**item_of(session), **attributes}.items() if value is not None}
    client().put_item(TableName=TABLE, Item=kept)


@contextmanager
def asked(*wanted: str) -> Iterator[None]:
    """Only these requests go out inside, all of them for the session."""
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
    """Eventually consistent reads are answered by a copy that holds this item, or none, under every key."""

    def respond(request: AWSPreparedRequest, **_: Any) -> AWSResponse | None:
        assert isinstance(request.body, bytes)
        if json.loads(request.body)["ConsistentRead"]:
            return None
        return answer(200, **({"Item": item} if item else {}))

    with answering(respond, "GetItem"):
        yield
