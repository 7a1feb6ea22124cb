"""The deadline of a page: a time by which all its requests to databases must have ended.

A context variable holds it, so it holds also for threads that run in a copy of the page's context. Commands have no
deadline. :mod:`hotelapp.dynamodb.connection.timed_http` keeps it for each call to DynamoDB.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf

from hotelapp.dynamodb.connection.errors import Overdue

_deadline: ContextVar[float] = ContextVar("deadline", default=inf)


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Set a deadline in so many seconds for everything inside the block. An earlier deadline remains."""
    token = _deadline.set(min(_deadline.get(), time.monotonic() + seconds))
    try:
        yield
    finally:
        _deadline.reset(token)


def left() -> float:
    """The seconds until the deadline, negative after it; infinite without a deadline."""
    return _deadline.get() - time.monotonic()


def timeout() -> float | None:
    """The seconds until the deadline as a time-out: at least zero, and ``None`` without a deadline."""
    return None if _deadline.get() == inf else max(left(), 0.0)


def check(seconds: float = 0.0) -> None:
    """Raise :class:`~hotelapp.dynamodb.connection.errors.Overdue` if fewer seconds are left until the deadline."""
    if left() <= seconds:
        raise Overdue("The page's time was over before the databases had answered everything.")


def sleep(seconds: float) -> None:
    """Sleep. Raises :class:`~hotelapp.dynamodb.connection.errors.Overdue` at once if that would miss the deadline."""
    check(seconds)
    time.sleep(seconds)
