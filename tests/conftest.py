"""The real engine in memory, empty tables, and three people: alice is staff, charlie is not, nobody is logged in."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from hotelapp.dynamodb import engine, tables
from hotelapp.dynamodb.client import forget
from hotelapp.dynamodb.engine import Engine

pytest_plugins = ["tests.browsing"]
hypothesis_settings.register_profile(
    "project",
    deadline=None,  # speed is measured in benchmarks/, never in a test
    print_blob=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
hypothesis_settings.load_profile("project")


@pytest.fixture(scope="session")
def endpoint() -> Iterator[str]:
    """The endpoint that ``DYNAMODB_ENDPOINT_URL`` names, or an engine in memory; with all tables."""
    if os.environ.get("DYNAMODB_ENDPOINT_URL"):
        yield from _with_tables()
        return
    with engine.start(engine.find_binary(settings.BASE_DIR), engine.free_port()) as running:
        settings.DYNAMODB_ENDPOINT_URL = running.url
        yield from _with_tables()


def _with_tables() -> Iterator[str]:
    list(tables.create_missing())
    yield str(settings.DYNAMODB_ENDPOINT_URL)
    tables.delete_all()


@pytest.fixture
def empty_tables(endpoint: str) -> None:
    """Every table, empty."""
    cache.clear()
    tables.delete_all()
    list(tables.create_missing())


def connect(url: str | None) -> None:
    """Let this process talk to another endpoint."""
    settings.DYNAMODB_ENDPOINT_URL = url
    forget()


@pytest.fixture
def own_engine(empty_tables: None, tmp_path: Path) -> Iterator[Engine]:
    """An engine of the test's own, on a file. Who logs in does so after that: sessions are in it, too."""
    before = settings.DYNAMODB_ENDPOINT_URL
    with engine.start(
        engine.find_binary(settings.BASE_DIR), engine.free_port(), tmp_path / "engine.sqlite3"
    ) as running:
        connect(running.url)
        list(tables.create_missing())
        yield running
    connect(before)


@pytest.fixture
def alice(db: Any) -> User:
    """A member of staff."""
    return User.objects.create_user("alice", password="alice", is_staff=True)


@pytest.fixture
def charlie(db: Any) -> User:
    """Somebody with an account, but no staff access."""
    return User.objects.create_user("charlie", password="charlie")


@pytest.fixture
def staff(empty_tables: None, alice: User) -> Client:
    """Alice's browser. Her session is in a table, too: she logs in once the tables are empty, and never before."""
    return logged_in(alice)


@pytest.fixture
def outsider(empty_tables: None, charlie: User) -> Client:
    """Charlie's browser."""
    return logged_in(charlie)


def logged_in(user: User) -> Client:
    """A browser in which somebody has logged in."""
    client = Client()
    client.force_login(user)
    return client
