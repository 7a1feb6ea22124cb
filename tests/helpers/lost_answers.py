"""Helpers for tests of lost answers: how long the portal waits, and what its error page says and sends."""

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import StringIO
from itertools import count
from typing import Any

import pytest
from django.core.management import call_command

from accounts.sessions.models import SessionModel
from dynamodb_lists.connection import connections
from dynamodb_lists.tests.helpers.answers import answering
from tests.helpers.kinds import all_items
from tests.helpers.markup import ListMarkup

WRITES = ("TransactWriteItems", "PutItem", "UpdateItem", "DeleteItem", "CreateTable")
"""The operations with which the portal and its commands write."""

SOON = 0.2
"""Seconds in which a client that gives up soon does so."""


@contextmanager
def giving_up(attempts: float = float("inf")) -> Iterator[None]:
    """Let this thread give up soon on the answers to so many attempts to write. It waits long for all others."""
    usual, begun = connections.Guarded.getresponse, count(1)
    is_hasty = False

    def begin(**_: Any) -> None:
        nonlocal is_hasty
        is_hasty = next(begun) <= attempts

    def getresponse(connection: connections.Guarded) -> Any:
        nonlocal is_hasty
        if is_hasty:
            connection.timeout, is_hasty = SOON, False
        return usual(connection)

    with ExitStack() as stack:
        for operation in WRITES:
            stack.enter_context(answering(begin, operation))
        stack.enter_context(pytest.MonkeyPatch.context()).setattr(connections.Guarded, "getresponse", getresponse)
        yield


def notice(response: Any) -> str:
    """What an error page says, which must be a 503."""
    assert response.status_code == 503
    assert b"Traceback" not in response.content
    return ListMarkup(response.content).text(".notice")


def again(response: Any) -> dict[str, str]:
    """What "Send it again" on an error page sends."""
    inputs = ListMarkup(response.content).soup.select("section.notice form input[name]")
    return {str(entry["name"]): str(entry["value"]) for entry in inputs if entry["name"] != "csrfmiddlewaretoken"}


def stored() -> list[str]:
    """Everything that is stored, without sessions."""
    items = [(table, item) for table, item in all_items() if table != SessionModel.Meta.table_name]
    return sorted(json.dumps(pair, sort_keys=True, default=str) for pair in items)


def assert_no_faults() -> None:
    """Check that all invariants of the data hold."""
    call_command("verify_data", stdout=StringIO())
