"""What a request carries, for tests without a request: a deadline."""

import time
from contextlib import AbstractContextManager

from dynamodb_lists.connection import scope


def within(seconds: float) -> AbstractContextManager[None]:
    """Set a deadline in so many seconds for everything inside the block."""
    return scope.changed(deadline=time.monotonic() + seconds)
