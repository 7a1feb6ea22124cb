"""The session engine (``SESSION_ENGINE``): Django's sessions, kept in DynamoDB.

It behaves as ``django.contrib.sessions.backends.db`` does, but that a new session is one request: a random key is not
looked up first, since the write itself refuses one that is taken. Async methods are Django's own, around these.
"""

from typing import Any

from django.contrib.sessions.backends.base import VALID_KEY_CHARS, CreateError, SessionBase, UpdateError
from django.utils.crypto import get_random_string
from django.utils.timezone import is_naive, make_aware

from hotelapp.dynamodb.errors import Conflict
from hotelapp.sessions import commands, queries
from hotelapp.sessions.models import Session

NEW_KEY = 32
MIN_KEY, MAX_KEY = 8, 2048  # Django's least, and the most bytes of a partition key


class SessionStore(SessionBase):
    """One session, read when it is first asked for."""

    _get_session: Any
    _get_or_create_session_key: Any

    def load(self) -> dict[str, Any]:
        """The session's data; of one that is not there, expired or tampered with, none."""
        data = queries.data(self.session_key) if self.session_key else None
        if data is None:
            self._session_key = None
            return {}
        return self.decode(data)

    def exists(self, session_key: str | None) -> bool:
        """Whether the key is taken."""
        return self._validate_session_key(session_key) and queries.exists(str(session_key))

    def create(self) -> None:
        """Make a new session under a new key. What is put in now is written by the save at the end of the page."""
        self._insert(provisional=True)

    def save(self, must_create: bool = False) -> None:
        """Write the session. Raises ``CreateError`` if its key must be free and is not, and ``UpdateError`` if it was
        deleted meanwhile: somebody logged out, and stays so."""
        if self.session_key is None:
            self._insert()
        else:
            self._write(must_create)

    def delete(self, session_key: str | None = None) -> None:
        """Delete the session under the key, by default this one."""
        key = self.session_key if session_key is None else session_key
        if self._validate_session_key(key):
            commands.delete(str(key))

    @classmethod
    def clear_expired(cls) -> None:
        """Delete every session that has expired. TTL does so, too, for nothing; this is for those who cannot wait."""
        commands.delete_expired()

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
        session = Session(
            self._get_or_create_session_key(),
            data=self.encode(data),
            expires_at=make_aware(expiry) if is_naive(expiry) else expiry,
            provisional=provisional or None,
        )
        try:
            commands.put(session, new=must_create)
        except Conflict as error:
            raise (CreateError if must_create else UpdateError) from error

    def _get_new_session_key(self) -> str:
        return get_random_string(NEW_KEY, VALID_KEY_CHARS)

    def _validate_session_key(self, key: str | None) -> bool:
        """Whether a cookie can be a key at all; others are not even looked up."""
        return bool(key) and MIN_KEY <= len(str(key)) <= MAX_KEY and str(key).isascii()
