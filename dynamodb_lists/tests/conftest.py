"""Fixtures: the embedded engine in memory, and lists of trials in it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from dynamodb_lists import configure
from dynamodb_lists.connection import configuration, engine
from dynamodb_lists.connection.client import forget
from dynamodb_lists.tests.trials import trials

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def tables() -> Iterator[None]:
    """An engine with the table of trials. What was configured before is configured again afterwards."""
    before = list(configuration._read)
    with engine.start(engine.find_binary(ROOT), engine.free_port()) as running:
        configure(endpoint_url=os.environ.get("LISTS_ENDPOINT", running.url), region="us-east-1", secret="of the tests")
        forget()
        trials.create_table()
        yield
    configuration._read[:] = before
    forget()
