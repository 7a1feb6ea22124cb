"""Reads of sessions, each under the ledger's purpose ``session``."""

import time

from hotelapp.dynamodb import ledger
from hotelapp.dynamodb.errors import NotFound
from hotelapp.dynamodb.models import RawItem
from hotelapp.dynamodb.reads import get_item
from hotelapp.sessions.models import Session


def data(key: str) -> str | None:
    """A session's data, as they were signed; ``None`` if there is no such session, or no longer.

    One eventually consistent read. It may be a moment behind: who has just logged in would be sent to log in again.
    So a session that it does not find, finds expired, or finds before its data were put in, is read once more,
    consistently, before it is given up; only bad and old cookies come to that.
    """
    item = _item(key)
    if not _lives(item) or "provisional" in item:
        item = _item(key, consistent=True)
    return item.get("data", {}).get("S", "") if _lives(item) else None


def exists(key: str) -> bool:
    """Whether there is an item under the key, expired or not."""
    return bool(_item(key, consistent=True))


def _item(key: str, *, consistent: bool = False) -> RawItem:
    """The item, empty if there is none."""
    with ledger.purpose("session"):
        try:
            return get_item(Session, key, consistent=consistent)
        except NotFound:
            return {}


def _lives(item: RawItem) -> bool:
    """Whether it is there and has not expired: DynamoDB deletes what has, but may take days to."""
    return float(item.get("expires_at", {}).get("N", "0")) > time.time()
