"""The log as an operator reads it: the lines that the portal's own configuration writes, each a JSON object."""

import io
import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from hotelapp.operations import logs

Lines = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """What is logged, in the format of production."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logs.JsonFormatter())
    handler.addFilter(logs.RequestFilter())
    names = ("", *logs.OWN, "django")
    levels = {name: logging.getLogger(name).level for name in names}
    for name in names:
        logging.getLogger(name).setLevel("DEBUG" if name == "hotelapp" else "INFO")
    logging.getLogger().addHandler(handler)
    yield stream
    logging.getLogger().removeHandler(handler)
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


@pytest.fixture
def lines(written: io.StringIO) -> Lines:
    """A function that returns the lines that were written since it was called last."""

    def read() -> list[dict[str, Any]]:
        text = written.getvalue()
        written.seek(0)
        written.truncate()
        return [json.loads(line) for line in text.splitlines()]

    return read
