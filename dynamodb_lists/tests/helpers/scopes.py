"""What a request carries, for tests without a request: a deadline, and a page that takes places."""

import time
from contextlib import AbstractContextManager

from dynamodb_lists.connection import scope


def within(seconds: float) -> AbstractContextManager[None]:
    """Set a deadline in so many seconds for everything inside the block."""
    return scope.changed(deadline=time.monotonic() + seconds)


def a_page() -> AbstractContextManager[None]:
    """Let the calls inside the block be those of a page, which takes a place for them."""
    return scope.changed(page=scope.PageCalls())
