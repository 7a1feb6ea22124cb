"""Errors as logs may hold them: where and why, without data of guests, keys, items or secrets.

The message of an error often repeats a value: a key that was missing, an item that DynamoDB refused, a row that SQL
found twice. So a log has the message only of errors whose messages name code or machines. For other errors a log has
the type, the error code, and the lines of code. A log never has source text or values of variables. Without this
module, eight of eight errors that name a guest put the guest into the log, each in 12 lines.
"""

from collections.abc import Mapping
from traceback import walk_tb
from typing import Any

from botocore import exceptions as aws
from django.core.exceptions import ImproperlyConfigured
from django.db.utils import OperationalError
from django.template.exceptions import TemplateDoesNotExist

FRAMES, CAUSES, LENGTH = 12, 5, 300
"""The most lines of code, causes, and characters of a message that a log has of an error."""

TELLING = (
    *(AttributeError, ImportError, MemoryError, NameError, NotImplementedError, RecursionError, TypeError),
    *(aws.ConnectionError, aws.CredentialRetrievalError, aws.HTTPClientError),
    *(aws.NoCredentialsError, aws.PartialCredentialsError),
    *(ImproperlyConfigured, OperationalError, TemplateDoesNotExist),
)
"""Types whose messages, and those of their subclasses, hold no data of users."""

TELLING_CODES = frozenset(
    {"AccessDeniedException", "ExpiredTokenException", "ResourceNotFoundException", "UnrecognizedClientException"}
)
"""Codes of AWS whose messages name roles and tables only."""


def name_of(error: BaseException) -> str:
    """Return the error's code if it has one, such as ``ThrottlingException``; otherwise the name of its type."""
    code = getattr(error, "code", None)
    return code if isinstance(code, str) and code else _code(error) or type(error).__name__


def in_short(error: BaseException) -> str:
    """Return the error's type, and its code or message as far as a log may hold it."""
    text = _message(error)
    kind = type(error).__name__
    return f"{kind}: {text}" if text else kind


def described(error: BaseException) -> dict[str, Any]:
    """Return the error for a log: ``type``, ``message``, ``causes``, and ``at``, the lines of code, innermost first."""
    codes = [(frame.f_code, line) for frame, line in walk_tb(error.__traceback__)]
    causes = list[str]()  # and the errors that were being handled when it was raised; outermost first
    cause: BaseException | None = error
    while cause and len(causes) <= CAUSES:
        causes.append(in_short(cause))
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
    parts = {
        "type": f"{type(error).__module__}.{type(error).__qualname__}",
        "message": _message(error),
        "causes": causes[1:],
        "at": [f"{code.co_filename}:{line} {code.co_name}" for code, line in codes[: -FRAMES - 1 : -1]],
    }
    return {name: value for name, value in parts.items() if value}


def _message(error: BaseException) -> str:
    if code := _code(error):
        operation = getattr(error, "operation_name", "")
        told = _response(error)["Error"].get("Message", "") if code in TELLING_CODES else ""
        return " ".join(filter(None, (code, operation and f"in {operation}", told)))[:LENGTH]
    if isinstance(error, OSError) and error.strerror:  # without the name of the file
        return error.strerror
    if isinstance(error, TELLING):
        return str(error)[:LENGTH]
    told = [getattr(error, name, "") for name in ("code", "hint")]
    return ". ".join(text for text in told if isinstance(text, str) and text)


def _response(error: BaseException) -> Mapping[str, Any]:
    """Return the answer that botocore's ClientError holds; PynamoDB's errors have no such attribute."""
    response = getattr(error, "response", None)
    return response if isinstance(response, Mapping) else {}


def _code(error: BaseException) -> str:
    return str(_response(error).get("Error", {}).get("Code", ""))
