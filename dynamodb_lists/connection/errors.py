"""The errors of the package. All are a :class:`DynamoDBError`, and keep the error of the SDK as their cause."""

from collections.abc import Mapping, Sequence
from typing import Any

UNREADABLE = (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError)
"""The errors of code that reads what is not as it expects."""

MAYBE_WRITTEN = "Nobody knows whether the last write was made."


class DynamoDBError(Exception):
    """The base of all errors of the package. The message says what is wrong, and what the reader can do."""


class NotConfigured(DynamoDBError):
    """A value of the configuration is missing. The message names it."""


class WrongDeclaration(DynamoDBError, TypeError):
    """DynamoDB cannot keep a list that is declared so, or the declaration names a field that the entity lacks."""


class UnknownField(DynamoDBError, LookupError):
    """A query, a key or a change names a field that the list does not have, or cannot filter, sort or change."""


class NoBoundedWay(DynamoDBError, LookupError):
    """No key of the table answers a query within the read units of a page. The message says which fields do.

    ``unsorted`` tells whether the rows can be read without the sort.
    """

    def __init__(self, message: str, *, unsorted: bool = False) -> None:
        super().__init__(message)
        self.unsorted = unsorted


class WrongValue(DynamoDBError, ValueError):
    """A value does not fit. ``field`` names its field; it is blank for other values, such as the size of a page."""

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field


class KeyPartError(WrongValue):
    """A value cannot be a part of a key: it contains ``#`` or a control character, is blank, or has too many digits."""

    def of(self, field: str) -> "KeyPartError":
        """Return this error with the name of a field, if it has none."""
        return self if self.field or not field else KeyPartError(f"{field}: {self}", field)


class BadCursor(DynamoDBError, ValueError):
    """A cursor was altered, cut short, or created for another list, filter, sort or page size."""


class NotFound(DynamoDBError, LookupError):
    """There is no such item."""


class UnknownValue(DynamoDBError, LookupError):
    """A selection or a form names a value that does not exist, such as a genre that no book has."""

    def __init__(self, facet: str, value: str) -> None:
        super().__init__(f"There is no {facet.replace('_', ' ')} “{value}” here.")
        self.facet = facet
        self.value = value


class Conflict(DynamoDBError):
    """A condition of a write does not hold, because somebody has changed an item meanwhile.

    ``items`` are the stored items that did not meet their conditions, in DynamoDB's JSON. ``missing`` tells whether an
    item that the write needs does not exist.
    """

    def __init__(self, message: str = "", items: Sequence[Mapping[str, Any]] = (), *, missing: bool = False) -> None:
        super().__init__(message)
        self.items, self.missing = items, missing


class AlreadyExists(Conflict):
    """Another item has the id of the new item."""


class ChangedMeanwhile(Conflict):
    """Somebody has changed or deleted an item after its editor read it. ``stored`` is the entity now, if known."""

    def __init__(self, message: str = "Somebody else changed this meanwhile.", stored: Any | None = None) -> None:
        super().__init__(message)
        self.stored = stored


class Unavailable(DynamoDBError):
    """DynamoDB does not answer, or throttles. The same request may succeed a moment later.

    ``code`` is DynamoDB's error code; without an answer, the name of the SDK's exception. ``maybe_written`` tells
    whether a write may have been made, because its answer was lost.
    """

    def __init__(self, message: str, code: str = "", *, maybe_written: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.maybe_written = maybe_written

    def __str__(self) -> str:
        message = super().__str__()
        return f"{message.rstrip('.')}. {MAYBE_WRITTEN}" if self.maybe_written else message


class Unreadable(Unavailable, ValueError):
    """A stored item is not as its model declares. ``__cause__`` is the error of the code that reads it."""


class NotFilledYet(Unavailable, LookupError):
    """A query needs an index or words that are declared, and that ``migrate_lists`` has not filled yet."""

    def __init__(self, title: str, name: str) -> None:
        super().__init__(f"{title} cannot be found by {name!r} yet: manage.py migrate_lists has to fill it.")


class Refused(Unavailable):
    """DynamoDB refuses a request, and will refuse it again. ``hint`` says what an administrator must do."""

    def __init__(self, message: str, code: str, hint: str, *, maybe_written: bool = False) -> None:
        super().__init__(f"{message.rstrip('.')}. {hint}", code, maybe_written=maybe_written)
        self.hint = hint


CREDENTIALS_HINT = "The AWS credentials are missing, out of date, or not allowed to do this."
NOT_ACCEPTED_HINT = "The program asked for what DynamoDB does not accept."
TESTS_HINT = "Tests get tables by the fixture empty_tables, or by the test case EmptyTables of dynamodb_lists.testing."
LASTING = {
    "A table is missing. One that exists has another name or region; that of a list is created by create_table(), in "
    "Django by manage.py create_tables.": ["ResourceNotFound"],
    "A partition is full: with local indexes it holds 10 GB.": ["ItemCollectionSizeLimitExceeded"],
    NOT_ACCEPTED_HINT: ["Validation", "ValidationError"],
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
