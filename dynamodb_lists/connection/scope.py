"""The scope of the running code: its request, its deadline, and the observers of its calls.

One context variable holds it. A thread that runs in a copy of the context works for the same request. Without it,
7 of the 11 calls of one page of the portal, which other threads make, would have no deadline and no record. A scope is
replaced, never changed, because each thread has a purpose and a wave of its own.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import Context, ContextVar
from math import inf
from typing import Any, NamedTuple


class Scope(NamedTuple):
    """The context of a request. Commands have the defaults.

    ``deadline`` is a time of :func:`time.monotonic`. ``observers`` are told of each call to DynamoDB that has ended.
    ``purpose`` says what the calls are for. ``wave`` is the number of calls, one after the other, that the next call
    has to wait for.
    """

    request_id: str = ""
    deadline: float = inf
    observers: tuple[Callable[[Any], None], ...] = ()
    purpose: str = "other"
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
    """The wave of a call that begins now. What follows in this thread waits for it."""
    scope = current()
    _scope.set(scope._replace(wave=scope.wave + 1))
    return scope.wave + 1


def join(contexts: Iterable[Context]) -> None:
    """Record that what follows waits for all calls in these copies of this context."""
    scope = current()
    for context in contexts:
        scope = scope._replace(wave=max(scope.wave, context.get(_scope, scope).wave))
    _scope.set(scope)
