"""The session engine (``SESSION_ENGINE``): Django's sessions, stored in DynamoDB.

It behaves like ``django.contrib.sessions.backends.db``, but a new session takes one request: its key is random, so it
is neither looked up nor reserved. Every request has the ledger's purpose ``session``.

docs/portal.md explains what they cost, and when they are read twice.

A session ends after ``SESSION_IDLE_HOURS`` without a request, and ``SESSION_MAX_HOURS`` after the login.
"""

import logging
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.contrib.sessions.backends.base import VALID_KEY_CHARS, CreateError, SessionBase, UpdateError
from django.utils.crypto import get_random_string
from django.utils.timezone import is_naive, make_aware
from pynamodb.attributes import TTLAttribute, UnicodeAttribute
from pynamodb.expressions.condition import Condition

from dynamodb_lists import Delete, ItemModel, Put, Update, Values, errors, get_item, ledger, register, table_name

NEW_KEY = 32
STARTED = "_started"
"""The key of the time of the login, in seconds since 1970."""

RENEWALS = 12
"""A session in use is renewed once in this part of ``SESSION_IDLE_HOURS``. Each renewal costs one write unit."""

logger = logging.getLogger(__name__)


@register
class SessionModel(ItemModel):
    """A session: the data that Django signed, and the time when DynamoDB may delete it (Unix time, the table's TTL).

    The key is the SHA-256 of the cookie's value, so that nobody who reads the table or a copy of it can use a session.
    """

    class Meta:
        table_name = table_name("sessions")

    kind = "session"
    key_templates = ("{digest}",)
    session_key = UnicodeAttribute(hash_key=True)
    data = UnicodeAttribute()
    expires_at = TTLAttribute()


class SessionStore(SessionBase):
    """One session. It is read on first use."""

    _get_session: Any
    _validate_session_key: Any
    _expires_at: datetime | None = None
    unattended = False
    """Whether a script alone sent the request, which is no use of the session."""

    def load(self) -> dict[str, Any]:
        session = stored(self.session_key) if self.session_key else {}
        if not session:
            self._session_key = None
            return {}
        self._expires_at = session["expires_at"]
        return self.decode(session.get("data", ""))

    def renew(self) -> None:
        """Move the end of a session that this request has used, if its last renewal is long enough ago.

        Only the time of expiry is written, so that a change that another request has saved meanwhile stays. If the
        session was deleted meanwhile, it stays deleted. The page does not fail if the database refuses the write: the
        next request tries again.
        """
        if self.unattended or self.modified or self.session_key is None or self._expires_at is None:
            return
        end = self._end()
        moved = end - self._expires_at  # negative if the stored end is later than the settings allow
        if timedelta(seconds=-1) <= moved < timedelta(hours=settings.SESSION_IDLE_HOURS) / RENEWALS:
            return
        action, exists = SessionModel.expires_at.set(end), SessionModel.session_key.exists()
        try:
            with ledger.purpose("session"):
                Update(SessionModel(hashed(str(self.session_key))), exists, [action]).send()
        except errors.Conflict:
            logger.info("A session was deleted while a page of it was drawn.")
        except errors.Unavailable as error:
            logger.warning("A session was not renewed: %s", error)

    def exists(self, session_key: str | None) -> bool:
        return bool(self._validate_session_key(session_key) and stored(str(session_key)))

    def create(self) -> None:
        """Take a new key. The session is written under this key at the end of the request."""
        self._session_key = None
        self.modified = True

    def save(self, must_create: bool = False) -> None:
        """Write the session.

        A key that is made here is random. Only a write of its own whose answer was lost can have it, so it is written
        whatever is stored.
        Raises ``CreateError`` if the key must be new but is in use, and ``UpdateError`` if the session was deleted
        meanwhile, so that a user who has logged out stays logged out.
        """
        data, key = self._get_session(no_load=must_create), SessionModel.session_key
        condition: Condition | None = key.does_not_exist() if must_create else key.exists()
        if self.session_key is None:
            self._session_key, condition = get_random_string(NEW_KEY, VALID_KEY_CHARS), None
        session = SessionModel(hashed(str(self.session_key)), data=self.encode(data), expires_at=self._end())
        try:
            with ledger.purpose("session"):
                Put(session, condition).send()
        except errors.Conflict as error:
            raise (CreateError if must_create else UpdateError) from error

    def delete(self, session_key: str | None = None) -> None:
        key = self.session_key if session_key is None else session_key
        if self._validate_session_key(key):
            with ledger.purpose("session"):
                Delete(SessionModel(hashed(str(key)))).send()

    def _end(self) -> datetime:
        """Return when the session ends if nobody uses it from now on."""
        data = self._get_session()
        if data.get("_session_expiry"):  # set_expiry was called
            expiry = self.get_expiry_date()
            return make_aware(expiry) if is_naive(expiry) else expiry
        idle_end = datetime.now(UTC) + timedelta(hours=settings.SESSION_IDLE_HOURS)
        if STARTED not in data:
            return idle_end
        return min(idle_end, datetime.fromtimestamp(data[STARTED], UTC) + timedelta(hours=settings.SESSION_MAX_HOURS))


def stored(cookie: str) -> Values:
    """Return the session as stored; empty if it does not exist or has expired.

    The first read is eventually consistent, so it may miss the newest write, and a user who has just logged in would
    have to log in again. So a session that is missing or expired is read again, consistently. Otherwise only bad and
    old cookies cause the second read.
    """
    for consistent in (False, True):
        # What somebody has damaged is no session.
        with ledger.purpose("session"), suppress(errors.NotFound, errors.Unreadable):
            session = get_item(SessionModel, hashed(cookie), consistent=consistent)
            if "expires_at" in session and session["expires_at"] > datetime.now(UTC):  # the TTL may take days
                return session
    return {}


def hashed(cookie: str) -> str:
    """Return the key of a session: the SHA-256 of the cookie's value, in hexadecimal digits."""
    return sha256(cookie.encode(errors="surrogatepass")).hexdigest()
