"""The id of the request that is being served. Every log line, the response and the error pages have it."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ulid import ULID

HEADER = "X-Request-ID"
RUN = str(ULID())
"""The id of this run of the program: log lines outside a request, as those of a management command, have it.

The processes of a server have the same one.
"""

_SAFE = re.compile(r"[A-Za-z0-9._-]{8,64}")
_current: ContextVar[str] = ContextVar("request_id", default="")


def current() -> str:
    """The id of the request that this thread is working for; blank outside a request."""
    return _current.get()


def chosen(header: str) -> str:
    """The id that a proxy or a client sent, or a new ULID if it sent none, or one that is not short and plain."""
    return header if _SAFE.fullmatch(header) else str(ULID())


@contextmanager
def serving(request_id: str) -> Iterator[None]:
    """Give every log line inside the block this id, also in threads that run in a copy of its context."""
    token = _current.set(request_id)
    try:
        yield
    finally:
        _current.reset(token)
