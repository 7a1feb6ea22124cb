"""Test tables under pytest, which loads this plugin if the package is installed, without ``-p no:dynamodb_lists``."""

from collections.abc import Iterator

import pytest

from dynamodb_lists import testing


def pytest_addoption() -> None:
    """Begin tests. pytest calls this before it reads settings, and so before lists are declared."""
    testing.begin_tests()


@pytest.fixture(scope="session")
def own_tables() -> Iterator[None]:
    """Create the tables of this process, and delete them at the end of the session."""
    testing.create_tables()
    yield
    testing.delete_tables()


@pytest.fixture
def empty_tables(own_tables: None) -> None:
    """Give a test the tables of this process, without any item."""
    testing.empty_tables()
