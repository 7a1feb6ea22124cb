"""Tables of their own for tests under pytest, which loads this itself once the package is installed.

``-p no:dynamodb_lists`` leaves it out.
"""

from collections.abc import Iterator

import pytest

from dynamodb_lists import testing


def pytest_addoption() -> None:
    """Let tests begin. pytest calls this before it reads settings, so before anything declares a list."""
    testing.begin_tests()


@pytest.fixture(scope="session")
def own_tables() -> Iterator[None]:
    """The tables of this process, which are created at first and deleted at the end."""
    testing.create_tables()
    yield
    testing.delete_tables()


@pytest.fixture
def empty_tables(own_tables: None) -> None:
    """The tables of this process, without any item."""
    testing.empty_tables()
