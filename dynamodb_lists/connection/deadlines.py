"""The deadline of a page: a time by which all its requests to databases must have ended.

The scope holds it; an application sets it in a middleware. Commands have no deadline. The
client begins no call and no retry after it. The SDK's time-outs are the same for every call, and a read time-out begins
again with every byte. So the :mod:`~dynamodb_lists.connection.answers` lower both to the time that is left.

Without it, an engine that is stopped holds a page for 15 seconds instead of 10, and one that trickles for ever.

If the deadline passes before a call is sent, :class:`~dynamodb_lists.connection.errors.Overdue` is raised. If it
passes later, the error is the SDK's own for a lost answer, since nobody knows what became of the call.

The SDK (botocore) repeats requests that fail. It does not repeat transactions that meet other transactions, and keys
that DynamoDB hands back from a batch: the package does, and waits with :func:`wait`. Without the first, 9 of 300 pages
failed when one call in a hundred was throttled; without the second, 18 of 200 writes when one transaction in twenty met
another; with them, none.
"""

import random
import time
from math import inf

from dynamodb_lists.connection import scope
from dynamodb_lists.connection.errors import Overdue

SDK_ATTEMPTS = 3
"""The most times that the SDK sends a request, the first included."""

MOST_ATTEMPTS = 8
"""The most times that the package sends a request that the SDK does not repeat."""

FIRST_WAIT = 0.02
"""Seconds. The longest wait doubles with each attempt; the wait is random, so that writers do not keep in step."""


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


def wait(attempt: int) -> None:
    """Wait before the next attempt, longer each time; ``attempt`` counts from 0. Raises ``Overdue`` at the deadline."""
    seconds = random.uniform(0, FIRST_WAIT * 2**attempt)
    check(seconds)
    time.sleep(seconds)
