"""The deadline of a page: a time by which all its requests to databases must have ended.

The scope holds it. Commands have no deadline. The client and :mod:`hotelapp.dynamodb.connection.timed_http` keep it for
each call to DynamoDB.
"""

import time
from math import inf

from hotelapp.dynamodb.connection import scope
from hotelapp.dynamodb.connection.errors import Overdue


def left() -> float:
    """The seconds until the deadline, negative after it; infinite without a deadline."""
    return scope.current().deadline - time.monotonic()


def timeout() -> float | None:
    """The seconds until the deadline as a time-out: at least zero, and ``None`` without a deadline."""
    seconds = left()
    return None if seconds == inf else max(seconds, 0.0)


def check(seconds: float = 0.0) -> None:
    """Raise :class:`~hotelapp.dynamodb.connection.errors.Overdue` if fewer seconds are left until the deadline."""
    if left() <= seconds:
        raise Overdue("The page's time was over before the databases had answered everything.")


def sleep(seconds: float) -> None:
    """Sleep. Raises :class:`~hotelapp.dynamodb.connection.errors.Overdue` at once if that would miss the deadline."""
    check(seconds)
    time.sleep(seconds)
