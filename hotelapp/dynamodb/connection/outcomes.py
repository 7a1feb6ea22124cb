"""What became of the writes that were sent: DynamoDB made them, or refused them, or nobody knows.

The SDK sends a call again if no answer comes. So the last error alone does not say what happened: the answer to the
first attempt may be lost, and the second attempt may be refused. This module sees every attempt, by two events of the
botocore client (``before-parse`` and ``response-received``), and remembers whether anything may have been written.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from botocore.exceptions import ConnectTimeoutError, EndpointConnectionError

from hotelapp.dynamodb.connection.ledger import READS

_NOT_SENT = (ConnectTimeoutError, EndpointConnectionError)
"""Errors of attempts that had no connection. Any other error may come after DynamoDB has read the request."""

_UNDECIDED = {
    "InternalFailure",
    "InternalServerError",
    "RequestTimeout",
    "RequestTimeoutException",
    "ServiceUnavailable",
    "TransactionInProgressException",
}
"""Codes of answers that do not say whether the write is made. Neither does an answer without a code, of some proxy."""

_READING = ("Describe", "List")


@dataclass(slots=True)
class Writes:
    """What became of the writes of a block: whether one is made, and whether one is in doubt."""

    made: bool = False
    in_doubt: bool = False

    @property
    def possible(self) -> bool:
        """Whether anything may have been written."""
        return self.made or self.in_doubt


_watched: ContextVar[tuple[Writes, ...]] = ContextVar("writes", default=())


@contextmanager
def watching() -> Iterator[Writes]:
    """Watch the writes of the block, in this thread and in threads that run in a copy of its context."""
    writes = Writes()
    token = _watched.set((*_watched.get(), writes))
    try:
        yield writes
    finally:
        _watched.reset(token)


def watch(client: Any) -> None:
    """Watch the calls of a botocore client. Call it once for each client."""
    client.meta.events.register("before-parse.dynamodb", _received)
    client.meta.events.register("response-received.dynamodb", _ended)


def _received(event_name: str, response_dict: Mapping[str, Any], **_: Any) -> None:
    """An answer came. If it says that the call succeeded, the write is made, even if the rest cannot be read."""
    if response_dict["status_code"] < HTTPStatus.MULTIPLE_CHOICES:
        _note(event_name, made=True)


def _ended(
    event_name: str,
    response_dict: Mapping[str, Any] | None,
    parsed_response: Any,
    exception: Exception | None,
    **_: Any,
) -> None:
    """An attempt ended, with an answer or with an exception."""
    if exception is not None:
        _note(event_name, in_doubt=not isinstance(exception, _NOT_SENT))
    elif response_dict and response_dict["status_code"] >= HTTPStatus.MULTIPLE_CHOICES:
        code = str(parsed_response.get("Error", {}).get("Code", ""))
        failed = response_dict["status_code"] >= HTTPStatus.INTERNAL_SERVER_ERROR
        _note(event_name, in_doubt=failed or code in _UNDECIDED or not code.isalpha())


def _note(event_name: str, *, made: bool = False, in_doubt: bool = False) -> None:
    """Remember it for every block that is watching. A flag is only ever set, so threads need no lock."""
    operation = event_name.rpartition(".")[2]
    if operation in READS or operation.startswith(_READING):
        return
    for writes in _watched.get():
        if made:
            writes.made = True
        if in_doubt:
            writes.in_doubt = True
