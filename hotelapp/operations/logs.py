"""The format of the logs: one JSON object a line, or text for people. Neither can be forged nor hold personal data.

The standard library is enough. A package for JSON logs would add the names of the fields. It would not leave out the
values that messages of libraries and errors repeat.
"""

import json
import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from traceback import walk_tb
from typing import Any

from botocore import exceptions as aws
from django.core.exceptions import ImproperlyConfigured
from django.db.utils import OperationalError
from django.template.exceptions import TemplateDoesNotExist

from dynamodb_lists.connection import scope

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
OWN = (
    *("dynamodb_lists", "portal", "accounts", "hotelapp"),
    *("hotels", "rooms", "orders", "reviews", "notes", "search", "saved_views"),
)
"""The loggers of the portal. Only their level is a setting: at DEBUG, the SDK would log whole items."""

LEFT_OUT = frozenset({"logger", "process", "method", "path", "status", "view"})
"""Fields that a line of text does not have: nobody at a terminal needs them, or the message says them."""

LENGTH = 2000  # characters of a message
WARNINGS = "py"
"""The first part of the logger of Python's warnings, which name files."""

PATH = "(path)"
"""Stands for the path of an address, which may name a guest, in messages of libraries."""


class RequestFilter(logging.Filter):
    """Puts what is logged about a request into the request's own line, so that each request is one line.

    Django logs each response of 400 and above, and each error of a view, with the request as an attribute of the
    record. Code of the portal does the same with ``extra={"request": request}``.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        line = getattr(getattr(record, "request", None), "log_line", None)
        if isinstance(error, BlockingIOError):  # the client has stalled, and the server has ended its connection
            return False
        if error is not None:
            return line is None or not line.take(record.name, error)
        if line is not None and record.name.startswith("django.security"):
            return not line.take(record.name, None)
        return record.name != "django.request"  # it says the status again


class JsonFormatter(logging.Formatter):
    """One JSON object a line. JSON escapes control characters; everything beyond ASCII is escaped, too."""

    def format(self, record: logging.LogRecord) -> str:
        return json.dumps(fields_of(record), default=str)


class TextFormatter(logging.Formatter):
    """One line of text, for a terminal. With ``debug`` an error is followed by Python's whole traceback."""

    def __init__(self, debug: bool = False) -> None:
        super().__init__()
        self.debug = debug

    def format(self, record: logging.LogRecord) -> str:
        fields = fields_of(record)
        parts = [str(fields.pop("time"))[11:19], fields.pop("level"), fields.pop("message")]
        shown = {name: value for name, value in fields.items() if value and name not in LEFT_OUT}
        parts += [f"{name}={json.dumps(value, ensure_ascii=False, default=str)}" for name, value in shown.items()]
        # What a terminal may not show, such as a line break, is written as an escape.
        text = " ".join(parts)
        line = "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
        if self.debug and record.exc_info:
            line += "\n" + self.formatException(record.exc_info)
        return line


def fields_of(record: logging.LogRecord) -> dict[str, Any]:
    """Return the fields of a line. ``extra={"fields": {...}}`` adds some."""
    request_id = scope.current().request_id
    fields = {
        "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "level": record.levelname,
        "logger": record.name,
        "process": record.process,
        **({"request_id": request_id} if request_id else {}),
        "message": message_of(record),
        **getattr(record, "fields", {}),
    }
    if record.exc_info and record.exc_info[1]:
        fields["error"] = described(record.exc_info[1])
    return fields


def message_of(record: logging.LogRecord) -> str:
    """Return the message, in which errors are shortened to what a log may hold, and paths of addresses are left out."""
    own = record.name.partition(".")[0] in {*OWN, WARNINGS}
    if isinstance(record.msg, BaseException):
        return in_short(record.msg)
    template, values = str(record.msg), record.args or ()
    try:
        if isinstance(values, Mapping):
            message = template % {name: _argument(value, own) for name, value in values.items()}
        else:
            message = template % tuple(_argument(value, own) for value in values) if values else template
    except (KeyError, TypeError, ValueError):  # the values do not fit the template; neither is worth losing the line
        message = template
    return message.strip()[:LENGTH]


def configuration(log_format: str, level: str, *, debug: bool = False) -> dict[str, Any]:
    """Return the configuration of Python's logging, for Django (``LOGGING``) and for a server that is not Django's.

    It is complete: it also replaces the handlers of Django, which mail errors to administrators, and of gunicorn
    (``logconfig_dict``). Lines go to standard error.
    """
    formatter = {"()": JsonFormatter} if log_format == "json" else {"()": TextFormatter, "debug": debug}
    levels = {  # of loggers that have handlers of their own, or would repeat each request with its path
        "django": "INFO",
        "django.server": "ERROR",
        "gunicorn.error": "INFO" if log_format == "json" else "WARNING",
        "gunicorn.access": "CRITICAL",
        "gunicorn.http.wsgi": "ERROR",  # it warns of each HEAD
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": formatter},
        "filters": {"requests": {"()": RequestFilter}},
        "handlers": {"lines": {"class": "logging.StreamHandler", "formatter": "lines", "filters": ["requests"]}},
        "root": {"handlers": ["lines"], "level": "WARNING"},
        "loggers": {
            **{name: {"level": level} for name in OWN},
            **{name: {"handlers": [], "level": own, "propagate": True} for name, own in levels.items()},
        },
    }


def _argument(value: object, own: bool) -> object:
    if isinstance(value, BaseException):
        return in_short(value)
    return PATH if isinstance(value, str) and value.startswith("/") and not own else value


# --- Errors as logs may hold them: where and why, without data of guests, keys, items or secrets --------------
#
# The message of an error often repeats a value: a key that was missing, an item that DynamoDB refused, a row that SQL
# found twice. So a log has the message only of errors whose messages name code or machines. For other errors a log has
# the type, the error code, and the lines of code. A log never has source text or values of variables. Without this,
# eight of eight errors that name a guest put the guest into the log, each in 12 lines.

FRAMES, CAUSES, TOLD = 12, 5, 300
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
    return code if isinstance(code, str) and code else _answered(error).get("Code") or type(error).__name__


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
    answered = _answered(error)
    if code := answered.get("Code"):
        operation = getattr(error, "operation_name", "")
        told = answered.get("Message", "") if code in TELLING_CODES else ""
        return " ".join(filter(None, (code, operation and f"in {operation}", told)))[:TOLD]
    if isinstance(error, OSError) and error.strerror:  # without the name of the file
        return error.strerror
    if isinstance(error, TELLING):
        return str(error)[:TOLD]
    known = [getattr(error, name, "") for name in ("code", "hint")]
    return ". ".join(text for text in known if isinstance(text, str) and text)


def _answered(error: BaseException) -> Mapping[str, str]:
    """Return code and message of the answer that botocore's ClientError holds; PynamoDB's errors have no answer."""
    response = getattr(error, "response", None)
    return response.get("Error", {}) if isinstance(response, Mapping) else {}
