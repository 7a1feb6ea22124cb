"""Reads of sessions, each under the ledger's purpose ``session``."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple

from hotelapp.dynamodb.connection import ledger
from hotelapp.dynamodb.connection.errors import NotFound, translated
from hotelapp.dynamodb.reading.items import get_item
from hotelapp.dynamodb.schema.models import Values
from hotelapp.sessions.models import SessionModel, hashed


class StoredSession(NamedTuple):
    """A session's data as Django signed them, and when it ends."""

    data: str
    expires_at: datetime


def stored(cookie: str) -> StoredSession | None:
    """The session as stored; ``None`` if it does not exist or has expired.

    The first read is eventually consistent, so it may miss the newest write, and a user who has just logged in would
    have to log in again. So a session that is missing, expired or provisional is read again, consistently. Otherwise
    only bad and old cookies cause the second read.
    """
    session = _session(cookie)
    if not _is_alive(session) or "provisional" in session:
        session = _session(cookie, consistent=True)
    return StoredSession(session.get("data", ""), session["expires_at"]) if _is_alive(session) else None


def exists(cookie: str) -> bool:
    """Whether there is a session with this cookie, expired or not."""
    return bool(_session(cookie, consistent=True))


def expired_keys(now: datetime) -> Iterator[str]:
    """The keys of all sessions that have expired by ``now``, from a Scan of the table.

    Only the command ``clearsessions`` uses it, no page does: TTL deletes expired sessions for free, while an index on
    the time of expiry would cost a write for each save.
    """
    start: Any = None
    while True:
        with translated():
            answer = SessionModel.connection().scan(
                filter_condition=SessionModel.expires_at <= now,
                attributes_to_get=[SessionModel.session_key.attr_name],
                exclusive_start_key=start,
            )
        yield from (SessionModel.decoded(item)["session_key"] for item in answer["Items"])
        if (start := answer.get("LastEvaluatedKey")) is None:
            return


def _session(cookie: str, *, consistent: bool = False) -> Values:
    """The session's item, empty if there is none."""
    with ledger.purpose("session"):
        try:
            return get_item(SessionModel, hashed(cookie), consistent=consistent)
        except NotFound:
            return {}


def _is_alive(session: Values) -> bool:
    """Whether the session exists and has not expired. DynamoDB may take days to delete an expired item."""
    return "expires_at" in session and session["expires_at"] > datetime.now(UTC)
