"""Repeated requests: how often, and how long to wait before each.

The SDK (botocore) repeats requests that fail. It does not repeat transactions that meet other transactions, and keys
that DynamoDB hands back from a batch: the portal does, and waits with :func:`wait`.
"""

import random
from typing import Any

from hotelapp.dynamodb.connection import deadlines

SDK_ATTEMPTS = 3
"""The most times that the SDK sends a request, the first included."""

MOST_ATTEMPTS = 8
"""The most times that the portal sends a request that the SDK does not repeat."""

FIRST_WAIT = 0.02
"""Seconds. The longest wait doubles with each attempt; the wait is random, so that writers do not keep in step."""


def of_the_sdk() -> dict[str, Any]:
    """The retries of botocore, for its ``Config``.

    They are ``standard``: ``adaptive`` ones limit the rate of the whole client, so one throttled table would slow down
    every other table.
    """
    return {"mode": "standard", "total_max_attempts": SDK_ATTEMPTS}


def wait(attempt: int) -> None:
    """Wait before the next attempt, longer each time. ``attempt`` is its number, from 0.

    Raises :class:`~hotelapp.dynamodb.connection.errors.Overdue` if the page's deadline passes meanwhile.
    """
    deadlines.sleep(random.uniform(0, FIRST_WAIT * 2**attempt))
