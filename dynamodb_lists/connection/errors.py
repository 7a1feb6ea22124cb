"""The one exception family of the package. Each error keeps its cause. The client translates those of the SDKs."""

from collections.abc import Mapping, Sequence
from typing import Any

UNREADABLE = (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError)
"""The errors of code that reads what is not as it expects."""

MAYBE_WRITTEN = "Nobody knows whether the last write was made."


class DynamoDBError(Exception):
    """Base of the family. The message says what is wrong and what the reader can do."""


class NotConfigured(DynamoDBError):
    """Something that the package needs was not configured. The message names it."""


class WrongDeclaration(DynamoDBError, TypeError):
    """A list is declared in a way that DynamoDB cannot keep, or with a field that its entity does not have."""


class UnknownField(DynamoDBError, LookupError):
    """A query names a field that its list cannot filter or sort by."""


class NoBoundedWay(DynamoDBError, LookupError):
    """No key of a table answers a query within the read units of a page. The message says by what the list is read.

    ``unsorted`` tells whether the rows can be read without their sort.
    """

    def __init__(self, message: str, *, unsorted: bool = False) -> None:
        super().__init__(message)
        self.unsorted = unsorted


class WrongValue(DynamoDBError, ValueError):
    """A value of an entity or of a condition is not what its ``field`` takes, which is blank if it is of none."""

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field


class KeyPartError(WrongValue):
    """A value cannot be a part of a key: it holds ``#`` or a control character, or it is a number that does not fit."""

    def of(self, field: str) -> "KeyPartError":
        """The same, which names the field if nothing has named it."""
        return self if self.field or not field else KeyPartError(f"{field}: {self}", field)


class BadCursor(DynamoDBError, ValueError):
    """A cursor was altered, cut short, or created for another list, filter, sort or page size."""


class NotFound(DynamoDBError, LookupError):
    """The item does not exist."""


class UnknownValue(DynamoDBError, LookupError):
    """A selection or a form names a value that does not exist, such as a genre that no book has."""

    def __init__(self, facet: str, value: str) -> None:
        super().__init__(f"There is no {facet.replace('_', ' ')} “{value}” here.")
        self.facet = facet
        self.value = value


class Conflict(DynamoDBError):
    """A condition of a write did not hold: the item is not as the writer saw it.

    ``items`` are the items of a transaction that did not meet their conditions, as they were then, in DynamoDB's JSON.
    An item that is ``missing``, but had to exist, is not among them.
    """

    def __init__(self, message: str = "", items: Sequence[Mapping[str, Any]] = (), *, missing: bool = False) -> None:
        super().__init__(message)
        self.items, self.missing = items, missing


class AlreadyExists(Conflict):
    """Another item has the id of a new one."""


class ChangedMeanwhile(Conflict):
    """Somebody changed or deleted an item after its editor read it. ``stored`` is its entity now, if it is known."""

    def __init__(self, message: str = "Somebody else changed this meanwhile.", stored: Any | None = None) -> None:
        super().__init__(message)
        self.stored = stored


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


class Unreadable(Unavailable, ValueError):
    """An item that was read is not as its model says. ``__cause__`` is the error of the code that reads it."""


class NotFilledYet(Unavailable, LookupError):
    """A query needs a sort, a filter or words that are declared, and that its table does not have yet."""

    def __init__(self, title: str, name: str) -> None:
        super().__init__(f"{title} cannot be found by {name!r} yet: manage.py migrate_lists has to fill it.")


class Refused(Unavailable):
    """DynamoDB refused a call and will refuse it again. ``hint`` says what an administrator must do."""

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
