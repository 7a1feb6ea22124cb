"""The session engine (``SESSION_ENGINE``): Django's sessions, stored in DynamoDB.

It behaves like ``django.contrib.sessions.backends.db``, but a new session takes one request: it does not look up the
random key first, because the write refuses a key that is in use. Every request has the ledger's purpose ``session``.
"""

from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from django.contrib.sessions.backends.base import VALID_KEY_CHARS, CreateError, SessionBase, UpdateError
from django.utils.crypto import get_random_string
from django.utils.timezone import is_naive, make_aware

from hotelapp.dynamodb.connection import ledger
from hotelapp.dynamodb.connection.errors import Conflict
from hotelapp.dynamodb.writing import single_items
from hotelapp.sessions import queries
from hotelapp.sessions.models import SessionModel, hashed

NEW_KEY = 32
MIN_KEY, MAX_KEY = 8, 2048  # Django's minimum; no browser sends a longer cookie


class SessionStore(SessionBase):
    """One session. It is read on first use."""

    _get_session: Any
    _get_or_create_session_key: Any

    def load(self) -> dict[str, Any]:
        """The session's data; empty if the session is missing, expired or tampered with."""
        data = queries.data(self.session_key) if self.session_key else None
        if data is None:
            self._session_key = None
            return {}
        return self.decode(data)

    def exists(self, session_key: str | None) -> bool:
        """Whether the key is in use."""
        return self._validate_session_key(session_key) and queries.exists(str(session_key))

    def create(self) -> None:
        """Create a session under a new key. Data that is added now is written at the end of the request."""
        self._insert(provisional=True)

    def save(self, must_create: bool = False) -> None:
        """Write the session.

        Raises ``CreateError`` if the key must be new but is in use, and ``UpdateError`` if the session was deleted
        meanwhile, so that a user who has logged out stays logged out.
        """
        if self.session_key is None:
            self._insert()
        else:
            self._write(must_create)

    def delete(self, session_key: str | None = None) -> None:
        """Delete the session with this key, by default this session."""
        key = self.session_key if session_key is None else session_key
        if self._validate_session_key(key):
            with ledger.purpose("session"):
                single_items.delete(SessionModel, hashed(str(key)))

    @classmethod
    def clear_expired(cls) -> None:
        """Delete every expired session now. TTL deletes them for free, but later. A session saved meanwhile is kept."""
        now = datetime.now(UTC)
        with ledger.purpose("session"):
            for key in queries.expired_keys(now):
                with suppress(Conflict):
                    single_items.delete(SessionModel, key, condition=SessionModel.expires_at <= now)

    def _insert(self, *, provisional: bool = False) -> None:
        self._session_key = None
        while self.session_key is None:
            self._session_key = self._get_new_session_key()
            try:
                self._write(must_create=True, provisional=provisional)
            except CreateError:
                self._session_key = None
        self.modified = True

    def _write(self, must_create: bool, *, provisional: bool = False) -> None:
        data = self._get_session(no_load=must_create)
        expiry = self.get_expiry_date()
        session = SessionModel(
            hashed(self._get_or_create_session_key()),
            data=self.encode(data),
            expires_at=make_aware(expiry) if is_naive(expiry) else expiry,
            provisional=provisional or None,
        )
        key = SessionModel.session_key
        try:
            with ledger.purpose("session"):
                single_items.put(session, key.does_not_exist() if must_create else key.exists())
        except Conflict as error:
            raise (CreateError if must_create else UpdateError) from error

    def _get_new_session_key(self) -> str:
        return get_random_string(NEW_KEY, VALID_KEY_CHARS)

    def _validate_session_key(self, key: str | None) -> bool:
        """Whether the value of a cookie can be a key. Other values are not looked up."""
        return bool(key) and MIN_KEY <= len(str(key)) <= MAX_KEY and str(key).isascii()
