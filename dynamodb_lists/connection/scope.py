"""The scope of the running code: its request, its deadline, and the observers of its calls.

One context variable holds it. A thread that runs in a copy of the context works for the same request. Without it,
7 of the 11 calls of one page of the portal, which other threads make, would have no deadline and no record. A scope is
replaced, never changed, because each thread has a purpose and a wave of its own.
"""

import random
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import Context, ContextVar
from math import inf
from typing import Any, NamedTuple

from dynamodb_lists.connection.errors import Unavailable

SDK_ATTEMPTS = 3
"""The most times that the SDK sends a request, the first included."""

MOST_ATTEMPTS = 8
"""The most times that the package sends a request that the SDK does not repeat."""

FIRST_WAIT = 0.02
"""Seconds. The longest wait doubles with each attempt; the wait is random, so that writers do not keep in step."""


OTHER = "other"
"""The purpose of calls that have been given none."""


class Scope(NamedTuple):
    """The context of a request. Commands have the defaults.

    ``deadline`` is a time of :func:`time.monotonic`. ``observers`` are told of each call to DynamoDB that has ended.
    ``purpose`` says what the calls are for. ``wave`` is the number of calls, one after the other, that the next call
    has to wait for.
    """

    request_id: str = ""
    deadline: float = inf
    observers: tuple[Callable[[Any], None], ...] = ()
    purpose: str = OTHER
    wave: int = 0


_scope: ContextVar[Scope] = ContextVar("scope", default=Scope())  # noqa: B039 (it is immutable)
current = _scope.get
"""The scope of the code that calls this."""


@contextmanager
def changed(**fields: Any) -> Iterator[None]:
    before = current()
    _scope.set(before._replace(**fields))
    try:
        yield
    finally:
        _scope.set(before._replace(wave=current().wave))


def next_wave() -> int:
    """Return the wave of a call that begins now. What follows in this thread waits for it."""
    scope = current()
    _scope.set(scope._replace(wave=scope.wave + 1))
    return scope.wave + 1


def join(contexts: Iterable[Context]) -> None:
    """Record that what follows waits for all calls in these copies of this context."""
    scope = current()
    for context in contexts:
        scope = scope._replace(wave=max(scope.wave, context.get(_scope, scope).wave))
    _scope.set(scope)


# --- The deadline --------------------------------------------------------------------------------------------
#
# All requests of a page to databases must have ended by its deadline, which an application sets in a middleware.
# Commands have none. The client begins no call and no retry after it. The SDK's time-outs are the same for every call,
# and a read time-out begins again with every byte. So the connections lower both to the time that is left. Without it,
# an engine that is stopped holds a page for 15 seconds instead of 10, and one that trickles for ever.
#
# If the deadline passes before a call is sent, nothing is. If it passes later, the error is the SDK's own for a lost
# answer, since nobody knows what became of the call.


def seconds_left() -> float:
    """Return the seconds until the deadline, negative after it; infinite without a deadline."""
    return current().deadline - time.monotonic()


def timeout() -> float | None:
    """Return the seconds until the deadline as a time-out: at least zero, and ``None`` without a deadline."""
    seconds = seconds_left()
    return None if seconds == inf else max(seconds, 0.0)


def require_time(seconds: float = 0.0) -> None:
    """Raise :class:`~dynamodb_lists.connection.errors.Unavailable` if fewer seconds are left until the deadline."""
    if seconds_left() <= seconds:
        raise Unavailable("The page's time was over before the databases had answered everything.")


def wait(attempt: int) -> None:
    """Wait before the next attempt, longer each time; ``attempt`` counts from 0. Raise an error at the deadline.

    The SDK (botocore) repeats requests that fail. The package repeats what the SDK does not: transactions that meet
    other transactions, and keys that DynamoDB hands back from a batch. With the SDK alone, 9 of 300 pages failed when
    one call in a hundred was throttled, and 18 of 200 writes failed when one transaction in twenty met another. With
    both, none failed.
    """
    seconds = random.uniform(0, FIRST_WAIT * 2**attempt)
    require_time(seconds)
    time.sleep(seconds)
