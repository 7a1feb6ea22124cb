"""The deadline of a page: a time by which all its requests to databases must have ended.

The scope holds it; an application sets it in a middleware. Commands have no deadline. The
client begins no call and no retry after it. The SDK's time-outs are the same for every call, and a read time-out begins
again with every byte. So the :mod:`~dynamodb_lists.connection.connections` lower both to the time that is left.

Without it, an engine that is stopped holds a page for 15 seconds instead of 10, and one that trickles for ever.

If the deadline passes before a call is sent, :class:`~dynamodb_lists.connection.errors.Overdue` is raised. If it
passes later, the error is the SDK's own for a lost answer, since nobody knows what became of the call.
"""

import time
from math import inf

from dynamodb_lists.connection import scope
from dynamodb_lists.connection.errors import Overdue


def left() -> float:
    """The seconds until the deadline, negative after it; infinite without a deadline."""
    return scope.current().deadline - time.monotonic()


def timeout() -> float | None:
    """The seconds until the deadline as a time-out: at least zero, and ``None`` without a deadline."""
    seconds = left()
    return None if seconds == inf else max(seconds, 0.0)


def check(seconds: float = 0.0) -> None:
    """Raise :class:`~dynamodb_lists.connection.errors.Overdue` if fewer seconds are left until the deadline."""
    if left() <= seconds:
        raise Overdue("The page's time was over before the databases had answered everything.")


def sleep(seconds: float) -> None:
    """Sleep. Raises :class:`~dynamodb_lists.connection.errors.Overdue` at once if that would miss the deadline."""
    check(seconds)
    time.sleep(seconds)
