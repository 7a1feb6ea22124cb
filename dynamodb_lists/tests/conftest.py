"""Fixtures: an engine in memory, and the tables of trials and of their log in it."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from dynamodb_lists.connection import engine
from dynamodb_lists.connection.client import forget
from dynamodb_lists.connection.configuration import Configuration, read_from
from dynamodb_lists.connection.engine import Engine
from dynamodb_lists.schema import tables as schema
from dynamodb_lists.tests.helpers import dynamodb_local, examples
from dynamodb_lists.tests.helpers.configured import configured
from dynamodb_lists.tests.helpers.sdk import models_of_the_sdk, short_waits
from dynamodb_lists.tests.trials import LOG, TRIALS

__all__ = ["models_of_the_sdk", "short_waits"]
"""Fixtures of the package's tests."""

pytest_plugins = ["dynamodb_lists.tests.clock"]
examples.load_profile()


def pytest_configure() -> None:
    """Stop in one line if the tests cannot run on the engine that ``ENGINE`` names."""
    if problem := dynamodb_local.problem():
        raise pytest.UsageError(problem)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What reads and writes an engine may depend on which one it is. Pages and connections that fail do not."""
    for item in items:
        if "endpoint" in getattr(item, "fixturenames", ()) and not {"admin", "connection"} & {*item.path.parts}:
            item.add_marker(pytest.mark.engine)


@pytest.fixture(scope="session")
def endpoint() -> Iterator[str]:
    """An engine in memory, for which the package is configured."""
    with ExitStack() as stack:
        if dynamodb_local.wanted():
            url = stack.enter_context(dynamodb_local.running())
        else:
            url = stack.enter_context(engine.start(engine.find_binary(dynamodb_local.ROOT), engine.free_port())).url
        found = Configuration(endpoint_url=url, region="us-east-1", secret="of the tests", read_timeout=60.0)
        read_from(lambda: found)
        forget()
        yield url


@pytest.fixture(scope="session")
def tables(endpoint: str) -> None:
    """The tables of trials and of their log. A test has an organisation of its own in them."""
    create_tables()


def create_tables() -> None:
    """Create the tables that tests share."""
    for name in (TRIALS, LOG):
        schema.create_table(name)


@pytest.fixture
def own_engine(tables: None, tmp_path: Path) -> Iterator[Engine]:
    """An embedded engine for one test, on a file."""
    binary, file = engine.find_binary(dynamodb_local.ROOT), tmp_path / "engine.sqlite3"
    with engine.start(binary, engine.free_port(), file) as running, configured(endpoint_url=running.url):
        create_tables()
        yield running
