"""Writes of sessions, each under the ledger's purpose ``session``."""

from contextlib import suppress
from datetime import UTC, datetime

from hotelapp.dynamodb import ledger, writes
from hotelapp.dynamodb.errors import Conflict
from hotelapp.sessions import expired
from hotelapp.sessions.models import Session


def put(session: Session, *, new: bool) -> None:
    """Write a session. Raises :class:`Conflict` if a new one's key is taken, or one that was there is gone."""
    key = Session.session_key
    with ledger.purpose("session"):
        writes.put(session, key.does_not_exist() if new else key.exists())


def delete(key: str) -> None:
    """Delete a session, if it is there."""
    with ledger.purpose("session"):
        writes.delete(Session, key)


def delete_expired() -> None:
    """Delete every session that has expired. One that was saved anew since it was found stays."""
    now = datetime.now(UTC)
    with ledger.purpose("session"):
        for key in expired.keys(now):
            with suppress(Conflict):
                writes.delete(Session, key, condition=Session.expires_at <= now)
