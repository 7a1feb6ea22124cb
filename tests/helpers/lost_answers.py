"""Helpers for tests of lost answers: how long the portal waits, and what its error page says and sends."""

import json
from typing import Any

from accounts.sessions import SessionModel
from tests.helpers.kinds import all_items
from tests.helpers.markup import ListMarkup

WRITES = ("TransactWriteItems", "PutItem", "UpdateItem", "DeleteItem", "CreateTable")
"""The operations with which the portal and its commands write."""


def notice(response: Any) -> str:
    """Return what an error page says, which must be a 503."""
    assert response.status_code == 503
    assert b"Traceback" not in response.content
    return ListMarkup(response.content).text(".notice")


def again(response: Any) -> dict[str, str]:
    """Return what "Send it again" on an error page sends."""
    inputs = ListMarkup(response.content).soup.select("section.notice form input[name]")
    return {str(entry["name"]): str(entry["value"]) for entry in inputs if entry["name"] != "csrfmiddlewaretoken"}


def stored() -> list[str]:
    """Everything that is stored, without sessions."""
    items = [(table, item) for table, item in all_items() if table != SessionModel.Meta.table_name]
    return sorted(json.dumps(pair, sort_keys=True, default=str) for pair in items)
