"""The log format: each record is one line; nobody can forge a line, and no line repeats data."""

import io
import json
import logging
import logging.config
import sys
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.exceptions import ClientError, ReadTimeoutError
from django.db import IntegrityError, OperationalError
from pynamodb.exceptions import GetError

from dynamodb_lists import NotFound, Refused, Unavailable, in_parallel
from dynamodb_lists.connection import scope
from dynamodb_lists.connection.client import translated
from hotelapp.operations import logs
from tests.operations.conftest import Lines

GUEST = "alex.smith@example.com"
FORGED = 'first\r\n{"level": "INFO"}\x1b[2J\u2028\u202eend'


def record(message: str, *args: Any, name: str = "hotelapp", error: BaseException | None = None) -> logging.LogRecord:
    info = (type(error), error, error.__traceback__) if error else None
    return logging.LogRecord(name, logging.WARNING, __file__, 1, message, args, info)


def raised(error: BaseException) -> BaseException:
    """Return the error, after it was raised while another error was handled."""
    try:
        try:
            raise KeyError(GUEST)
        except KeyError as cause:
            raise error from cause
    except BaseException as caught:  # noqa: BLE001
        return caught


@pytest.mark.parametrize("formatter", [logs.JsonFormatter(), logs.TextFormatter()], ids=["json", "text"])
def test_a_record_is_one_printable_line(formatter: logging.Formatter) -> None:
    line = formatter.format(record("seen %s", FORGED, error=raised(ValueError(FORGED))))
    assert line.isprintable()
    assert len(line.splitlines()) == 1
    assert "first" in line


def test_a_line_of_text_has_what_people_need() -> None:
    entry = record("Saved")
    entry.fields = {"user": "anna", "requests": 0, "cause": "Throttling"}
    assert logs.TextFormatter().format(entry).endswith(' WARNING Saved user="anna" cause="Throttling"')
    entry.fields = {"user": "anna status=200", "causes": ["a b"]}
    assert logs.TextFormatter().format(entry).endswith(' Saved user="anna status=200" causes=["a b"]')
    assert "Traceback" in logs.TextFormatter(debug=True).format(record("x", error=raised(ValueError("y"))))


def aws_error(code: str, message: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": message}}, "GetItem")


@pytest.mark.parametrize(
    "error",
    [
        ValueError(f"could not convert {GUEST}"),
        KeyError(GUEST),
        NotFound(f"There is no GuestModel {GUEST}."),
        Unavailable(f"The database did not answer: {GUEST}", "ThrottlingException"),
        IntegrityError(f"DETAIL: Key (email)=({GUEST}) already exists."),
        aws_error("ValidationException", f"The parameter cannot be converted: {GUEST}"),
        GetError(f"Failed to get item: {GUEST}", aws_error("InternalServerError", GUEST)),
        OSError(2, "No such file or directory", f"/data/{GUEST}.csv"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_no_error_repeats_data(error: Exception) -> None:
    line = logs.JsonFormatter().format(record("It failed: %s", error, error=raised(error)))
    assert GUEST not in line
    assert type(error).__name__ in line


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OperationalError("database is locked"), "database is locked"),
        (AttributeError("'NoneType' object has no attribute 'get'"), "no attribute 'get'"),
        (ReadTimeoutError(endpoint_url="http://db:8000"), "http://db:8000"),
        (aws_error("AccessDeniedException", "arn:x may not dynamodb:Query"), "GetItem arn:x may not dynamodb:Query"),
        (Refused("no", "AccessDeniedException", "Check the role."), "AccessDeniedException. Check the role."),
    ],
    ids=lambda value: type(value).__name__,
)
def test_errors_of_code_and_machines_keep_their_message(error: Exception, told: str) -> None:
    assert told in logs.described(error)["message"]


def test_an_error_has_its_causes_and_a_few_lines_of_code() -> None:
    def deep(left: int) -> None:
        if left:
            deep(left - 1)
        with translated():
            raise GetError("x", aws_error("ThrottlingException", GUEST))

    with pytest.raises(Unavailable) as caught:
        deep(30)
    described = logs.described(caught.value)
    assert described["message"] == "ThrottlingException"
    assert described["causes"] == ["GetError"]
    assert "/dynamodb_lists/connection/client.py:" in described["at"][0]
    assert len(described["at"]) == logs.FRAMES
    assert logs.name_of(aws_error("ThrottlingException", "")) == "ThrottlingException"


def test_libraries_do_not_log_paths_of_addresses() -> None:
    message = logs.message_of(record("Error handling request %s", f"/guests/{GUEST}/?q=x", name="gunicorn.error"))
    assert message == "Error handling request (path)"
    assert logs.message_of(record("Not Found: %(path)s", {"path": "/guests/alex/"}, name="django.x")).endswith("(path)")
    stalled = record("Socket error processing request.", name="gunicorn.error", error=raised(BlockingIOError()))
    assert not logs.RequestFilter().filter(stalled)


def test_what_is_said_about_a_request_without_an_error_has_a_line_of_its_own() -> None:
    entry = record("A second factor was sent")
    entry.request = SimpleNamespace(log_line=None)
    assert logs.RequestFilter().filter(entry)


def test_a_call_that_does_not_fit_its_message_is_logged() -> None:
    assert logs.message_of(record("%d rooms", ValueError("x"))) == "%d rooms"
    assert logs.message_of(record("one", "two")) == "one"


def test_a_warning_names_its_file() -> None:
    entry = record("%s", "/a/file.py:7: DeprecationWarning: this goes away\n", name="py.warnings")
    assert logs.message_of(entry) == "/a/file.py:7: DeprecationWarning: this goes away"


def test_the_lines_of_a_request_have_its_id_in_every_thread(lines: Lines) -> None:
    logger = logging.getLogger("hotelapp.test")
    with scope.changed(request_id="request-1"):
        in_parallel([lambda: logger.info("a"), lambda: logger.info("b")])
    logger.info("outside")
    *inside, outside = lines()
    assert [line["request_id"] for line in inside] == ["request-1"] * 2
    assert "request_id" not in outside


def test_the_configuration_replaces_the_handlers_of_django_and_gunicorn(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["", *logs.configuration("json", "INFO")["loggers"]]
    loggers = [logging.getLogger(name) for name in names]
    before = [(logger, logger.handlers[:], logger.level, logger.propagate, logger.disabled) for logger in loggers]
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    try:
        for name in ("django", "gunicorn.error"):
            logging.getLogger(name).addHandler(logging.StreamHandler(stream))
        logging.config.dictConfig(logs.configuration("json", "WARNING"))
        logging.getLogger("django.core").warning("one")
        logging.getLogger("gunicorn.error").info("two")
        logging.getLogger("gunicorn.access").info("never")
        logging.getLogger("botocore").info("never")
        logging.getLogger("hotelapp.x").info("never")
    finally:
        for logger, handlers, level, propagate, disabled in before:
            logger.handlers[:], logger.propagate, logger.disabled = handlers, propagate, disabled
            logger.setLevel(level)
    assert [json.loads(line)["message"] for line in stream.getvalue().splitlines()] == ["one", "two"]
