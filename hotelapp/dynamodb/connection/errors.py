"""The one exception family of the portal. Each error keeps its cause."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from botocore.exceptions import BotoCoreError, ClientError
from pynamodb.exceptions import PynamoDBException

from hotelapp.dynamodb.connection import ledger

MAYBE_WRITTEN = "Nobody knows whether the last write was made."


class DynamoDBError(Exception):
    """Base of the family. The message says what is wrong and what the reader can do."""


class KeyPartError(DynamoDBError, ValueError):
    """A value cannot be a part of a key: it holds ``#`` or a control character, or it is a number that does not fit."""


class BadCursor(DynamoDBError, ValueError):
    """A cursor was altered, cut short, or created for another list, filter, sort or page size."""


class NotFound(DynamoDBError, LookupError):
    """The item does not exist."""


class UnknownValue(DynamoDBError, LookupError):
    """A selection or a form names a value that does not exist, such as a view that no room has."""

    def __init__(self, facet: str, value: str) -> None:
        super().__init__(f"There is no {facet} “{value}” here.")
        self.facet = facet
        self.value = value


class Conflict(DynamoDBError):
    """A condition of a write did not hold: the item is not as the writer saw it."""


class ChangedMeanwhile(Conflict):
    """Somebody changed or deleted an item after its editor read it."""

    def __init__(self, message: str = "Somebody else changed this meanwhile.") -> None:
        super().__init__(message)


class Unavailable(DynamoDBError):
    """DynamoDB cannot be reached or is throttling; the same request may work a moment later.

    ``code`` is the error code of DynamoDB; without an answer, the name of the SDK's exception. ``maybe_written`` tells
    whether DynamoDB may have made a write all the same, because an answer was lost.
    """

    def __init__(self, message: str, code: str = "", *, maybe_written: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.maybe_written = maybe_written

    def __str__(self) -> str:
        message = super().__str__()
        return f"{message.rstrip('.')}. {MAYBE_WRITTEN}" if self.maybe_written else message


class Overdue(Unavailable):
    """The page's deadline passed before the request was sent."""


class Busy(Unavailable):
    """As many pages as may wait for a database are waiting for one that does not answer; nothing was sent."""


class Crowded(Unavailable):
    """As many requests as may do this at the same time are doing it; nothing was begun. No database is at fault."""


class Refused(Unavailable):
    """DynamoDB refused a call and will refuse it again. ``hint`` says what an administrator must do."""

    def __init__(self, message: str, code: str, hint: str, *, maybe_written: bool = False) -> None:
        super().__init__(f"{message.rstrip('.')}. {hint}", code, maybe_written=maybe_written)
        self.hint = hint


CREDENTIALS_HINT = "The portal's AWS credentials are missing, out of date, or not allowed to do this."
_LASTING = {
    "A table is missing: run manage.py create_tables.": ["ResourceNotFound"],
    "A partition is full: with local indexes it holds 10 GB.": ["ItemCollectionSizeLimitExceeded"],
    "The portal asked for what DynamoDB does not accept.": ["Validation", "ValidationError"],
    CREDENTIALS_HINT: [
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
"""The codes of lasting errors by their hint. A code is written as in a transaction's reasons, without "Exception"."""


@contextmanager
def translated() -> Iterator[None]:
    """Translate the SDKs' exceptions into :class:`Unavailable` or :class:`Refused`. ``__cause__`` is the original."""
    with ledger.recording() as calls:
        try:
            yield
        except (PynamoDBException, BotoCoreError, ClientError) as error:
            code, *reasons = _codes(error)
            if hint := _hint([code, *reasons]):
                message = f"The database refused a call: {_words(error)}"
                raise Refused(message, code, hint, maybe_written=calls.maybe_written) from error
            message = f"The database did not answer: {_words(error)}"
            raise Unavailable(message, code, maybe_written=calls.maybe_written) from error


def _hint(codes: Iterable[str]) -> str:
    """What an administrator must do before the request can work; blank if it may work a moment later."""
    names = {code.removesuffix("Exception") for code in codes}
    return next((hint for hint, lasting in _LASTING.items() if not names.isdisjoint(lasting)), "")


def _words(error: Exception) -> str:
    """An error's text, with that of its cause. PynamoDB leaves the cause of a transaction's error out."""
    cause = str(getattr(error, "cause", None) or "")
    return str(error) if cause in str(error) else f"{error}: {cause}"


def _codes(error: Exception) -> list[str]:
    """An error's code, and after it the reasons of a cancelled transaction."""
    cause = getattr(error, "cause", None) or error
    name = type(cause).__name__
    code = cause.response.get("Error", {}).get("Code", name) if isinstance(cause, ClientError) else name
    return [code, *(reason.code for reason in getattr(error, "cancellation_reasons", []) if reason)]
