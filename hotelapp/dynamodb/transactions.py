"""All-or-nothing writes that wait their turn: a transaction is repeated while others hold its items."""

import random
import time
from collections.abc import Callable

from pynamodb.connection import Connection
from pynamodb.exceptions import TransactWriteError
from pynamodb.transactions import TransactWrite

from hotelapp.dynamodb.errors import Conflict, Unavailable, translated

MAX_WRITES = 100
"""The most writes that DynamoDB takes in one transaction."""

ATTEMPTS = 8
FIRST_WAIT = 0.02  # seconds; doubled each time, and drawn at random below that, so that writers do not march in step
_PASSING = {"TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"}


def commit(connection: Connection, stage: Callable[[TransactWrite], None]) -> None:
    """Run one transaction; ``stage`` puts its writes in, and is called again for each attempt.

    Raises :class:`~hotelapp.dynamodb.errors.Conflict` if a condition did not hold, and
    :class:`~hotelapp.dynamodb.errors.Unavailable` if it could not go through in eight attempts.
    """
    for attempt in range(ATTEMPTS):
        try:
            with translated(), TransactWrite(connection=connection) as transaction:
                stage(transaction)
            return
        except Unavailable as error:
            codes = _cancellation_codes(error)
            if "ConditionalCheckFailed" in codes:
                raise Conflict("The item is not as it was seen.") from error
            if not codes or codes - _PASSING or attempt == ATTEMPTS - 1:
                raise
        time.sleep(random.uniform(0, FIRST_WAIT * 2**attempt))


def _cancellation_codes(error: Unavailable) -> set[str]:
    cause = error.__cause__
    if not isinstance(cause, TransactWriteError):
        return set()
    if cause.cause_response_code == "TransactionInProgressException":
        return {"TransactionConflict"}
    return {reason.code for reason in cause.cancellation_reasons if reason is not None}
