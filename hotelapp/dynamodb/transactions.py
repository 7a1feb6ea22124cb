"""All-or-nothing writes that wait their turn: a transaction is repeated while others hold its items."""

import random
import time
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from typing import TypeVar
from uuid import uuid4

from pynamodb.connection import Connection
from pynamodb.exceptions import TransactWriteError
from pynamodb.transactions import TransactWrite

from hotelapp.dynamodb.errors import Conflict, Unavailable, translated

T = TypeVar("T")

MAX_WRITES = 100
"""The most writes that DynamoDB takes in one transaction."""

MAX_BYTES = 3_500_000
"""Of a transaction's 4 MB, what is left to the texts of its items."""

ATTEMPTS = 8
FIRST_WAIT = 0.02  # seconds; doubled each time, and drawn at random below that, so that writers do not march in step
_PASSING = {"TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"}
_REFUSED = {"ConditionalCheckFailed", "IdempotentParameterMismatch"}
_WHOLE = {
    "TransactionInProgressException": "TransactionConflict",
    "IdempotentParameterMismatchException": "IdempotentParameterMismatch",
}
"""Errors of a whole transaction, and the reason that each stands for."""


def commit(connection: Connection, stage: Callable[[TransactWrite], None], token: str | None = None) -> None:
    """Run one transaction; ``stage`` puts its writes in, the same ones for each attempt.

    With an idempotency ``token`` (at most 36 characters) DynamoDB runs it once only, however often it is sent within
    ten minutes. Without one it gets one of its own: an attempt whose answer was lost is not done again by the next.
    Raises :class:`~hotelapp.dynamodb.errors.Conflict` if a condition did not hold or the token was used
    for other writes, and :class:`~hotelapp.dynamodb.errors.Unavailable` if it could not go through in eight attempts.
    """
    token = token or str(uuid4())
    for attempt in range(ATTEMPTS):
        try:
            with translated(), TransactWrite(connection=connection, client_request_token=token) as transaction:
                stage(transaction)
            return
        except Unavailable as error:
            codes = _cancellation_codes(error)
            if codes & _REFUSED:
                raise Conflict("The item is not as it was seen.") from error
            if not codes or codes - _PASSING or attempt == ATTEMPTS - 1:
                raise
        wait(attempt)


def packed(
    changes: Iterable[T],
    own: Callable[[T], int],
    shared: Callable[[T], Collection[Hashable]],
    size: Callable[[T], int] = lambda _: 0,
) -> Iterator[list[T]]:
    """Cut changes into transactions as large as DynamoDB takes.

    ``own`` is how many items a change writes by itself; ``shared`` names those that it writes together with others
    of its transaction, each once: counts, totals. ``size`` is about how many bytes it takes, where that may be many.
    """
    batch: list[T] = []
    writes, bytes_, together = 0, 0, set[Hashable]()
    for change in changes:
        also = set(shared(change))
        full = writes + own(change) + len(together | also) > MAX_WRITES or bytes_ + size(change) > MAX_BYTES
        if batch and full:
            yield batch
            batch, writes, bytes_, together = [], 0, 0, set()
        batch.append(change)
        writes += own(change)
        bytes_ += size(change)
        together |= also
    if batch:
        yield batch


def write_all(plan: Callable[[], Iterable[Sequence[T]]], apply: Callable[[Sequence[T]], None]) -> int:
    """Apply every batch of changes that ``plan`` finds missing; gives how many changes were written.

    When somebody else changed an item since the plan read it, what is still missing is planned anew, after a short
    wait. Raises :class:`~hotelapp.dynamodb.errors.Conflict` after eight attempts.
    """
    written = 0
    for attempt in range(ATTEMPTS):
        try:
            for batch in plan():
                apply(batch)
                written += len(batch)
        except Conflict:
            if attempt == ATTEMPTS - 1:
                raise
            wait(attempt)
        else:
            break
    return written


def wait(attempt: int) -> None:
    """Wait before the next attempt, longer each time."""
    time.sleep(random.uniform(0, FIRST_WAIT * 2**attempt))


def _cancellation_codes(error: Unavailable) -> set[str]:
    cause = error.__cause__
    if not isinstance(cause, TransactWriteError):
        return set()
    if cause.cause_response_code in _WHOLE:
        return {_WHOLE[cause.cause_response_code]}
    return {reason.code for reason in cause.cancellation_reasons if reason is not None}
