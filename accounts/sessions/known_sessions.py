"""The users of the sessions that this process has seen lately, so that turns are shared out before a session is read.

Only a session that a page has read is known, so nobody gets turns of his own by making up a cookie.
"""

from hashlib import sha256
from typing import Any

from django.core.cache import cache

KEPT_SECONDS = 3600


def note(cookie: str, user_id: Any) -> None:
    """Remember whose session the cookie is; ``None`` if it is nobody's."""
    if user_id is None:
        cache.delete(_key(cookie))
    else:
        cache.set(_key(cookie), user_id, KEPT_SECONDS)


def user_id_of(cookie: str) -> Any:
    """The user of a session's cookie; ``None`` if this process does not know it."""
    return cache.get(_key(cookie)) if cookie else None


def _key(cookie: str) -> str:
    return f"known-session:{sha256(cookie.encode(errors='surrogatepass')).hexdigest()}"
