"""The one exception family: what can go wrong between a page and its table, each with its cause kept."""

from collections.abc import Iterable, Iterator
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
    """DynamoDB cannot be reached or is throttling; the same request may work a moment later.

    ``code`` is the error's name: DynamoDB's, or if it said nothing the SDK's.
    """

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.code = code


class Refused(Unavailable):
    """DynamoDB refused a call, and will refuse it again until an administrator has done something: see ``hint``."""

    def __init__(self, message: str, code: str, hint: str) -> None:
        super().__init__(f"{message.rstrip('.')}. {hint}", code)
        self.hint = hint


_LASTING = {
    "A table is missing: run manage.py create_tables.": ["ResourceNotFound"],
    "A partition is full: with local indexes it holds 10 GB.": ["ItemCollectionSizeLimitExceeded"],
    "The portal asked for what DynamoDB does not take.": ["Validation", "ValidationError"],
    "The portal's AWS credentials are missing, out of date, or not allowed to do this.": [
        "AccessDenied",
        "ExpiredToken",
        "IncompleteSignature",
        "InvalidSignature",
        "MissingAuthenticationToken",
        "NoCredentialsError",
        "PartialCredentialsError",
        "UnrecognizedClient",
    ],
}
"""The errors that do not pass, by what is to be mended; named as in a transaction's reasons, without "Exception"."""


@contextmanager
def translated() -> Iterator[None]:
    """Turn what the SDKs raise into :class:`Unavailable` or :class:`Refused`, the original kept as ``__cause__``."""
    try:
        yield
    except (PynamoDBException, BotoCoreError, ClientError) as error:
        code, *reasons = _codes(error)
        if hint := _hint([code, *reasons]):
            raise Refused(f"The database refused a call: {error}", code, hint) from error
        raise Unavailable(f"The database did not answer: {error}", code) from error


def _hint(codes: Iterable[str]) -> str:
    """What is to be mended before the request can work; blank if it may work a moment later."""
    names = {code.removesuffix("Exception") for code in codes}
    return next((hint for hint, lasting in _LASTING.items() if not names.isdisjoint(lasting)), "")


def _codes(error: Exception) -> list[str]:
    """An error's code, and after it the reasons of a cancelled transaction."""
    cause = getattr(error, "cause", None) or error
    name = type(cause).__name__
    code = cause.response.get("Error", {}).get("Code", name) if isinstance(cause, ClientError) else name
    return [code, *(reason.code for reason in getattr(error, "cancellation_reasons", []) if reason)]
