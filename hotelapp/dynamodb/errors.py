"""The one exception family: what can go wrong between a page and its table, each with its cause kept."""

from collections.abc import Iterator
from contextlib import contextmanager

from botocore.exceptions import BotoCoreError, ClientError
from pynamodb.exceptions import PynamoDBException


class DynamoDBError(Exception):
    """Base of the family. The message says what is wrong and, where somebody can act, what to do."""


class KeyPartError(DynamoDBError, ValueError):
    """A value cannot be a part of a key: it holds ``#`` or a control character, or its number does not fit."""


class BadCursor(DynamoDBError, ValueError):
    """A cursor was altered, cut short, or made for another query."""


class NotFound(DynamoDBError, LookupError):
    """The item does not exist."""


class UnknownValue(DynamoDBError, LookupError):
    """A selection names a value that no item has, or had, in a facet."""

    def __init__(self, facet: str, value: str) -> None:
        super().__init__(f"There is no {facet} “{value}” here.")
        self.facet = facet
        self.value = value


class Conflict(DynamoDBError):
    """A write was refused because the item is not as the writer saw it."""


class Unavailable(DynamoDBError):
    """DynamoDB cannot be reached, is throttling, or refused a call; the same request may work a moment later."""


@contextmanager
def translated() -> Iterator[None]:
    """Turn what the SDKs raise into :class:`Unavailable`, the original kept as ``__cause__``."""
    try:
        yield
    except (PynamoDBException, BotoCoreError, ClientError) as error:
        raise Unavailable(f"The database did not answer: {error}") from error
