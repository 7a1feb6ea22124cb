"""A small Django project with an admin, on the engine of the tests."""

import os
from collections.abc import Iterator
from typing import Any

import django
import pytest
from django.core.management import call_command
from django.template.base import Template
from django.test import Client
from django.test.utils import _TestState, setup_test_environment

from dynamodb_lists.connection.configuration import connection

os.environ["DJANGO_SETTINGS_MODULE"] = "dynamodb_lists.tests.admin.settings"
django.setup()
setup_test_environment()
Template._render = _TestState.saved_data.template_render  # type: ignore[attr-defined]
"""Templates do not copy their context for ``response.context``, which no test reads."""

from django.contrib.admin.models import LogEntry  # noqa: E402
from django.contrib.auth.models import Permission, User  # noqa: E402

from dynamodb_lists import NotFound  # noqa: E402
from dynamodb_lists.tests.admin.library.models import BOOKS, LIBRARIES, LOANS, Book  # noqa: E402


@pytest.fixture(scope="session")
def migrated(endpoint: str) -> None:
    """The tables of accounts, permissions and the log in SQLite, and those of the lists."""
    assert connection().read().endpoint_url == endpoint
    call_command("migrate", verbosity=0)
    for listed in (BOOKS, LOANS, LIBRARIES):
        listed.create_table()


def client_of(name: str, *permissions: str, superuser: bool = False) -> Client:
    """Return the browser of a member of the staff who has these permissions."""
    user = User.objects.create(username=name, is_staff=True, is_superuser=superuser)
    for each in permissions:
        user.user_permissions.add(Permission.objects.get(content_type__app_label="library", codename=each))
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def ada(migrated: None) -> Client:
    """Ada may do everything."""
    User.objects.filter(username="ada").delete()
    return client_of("ada", superuser=True)


@pytest.fixture(scope="session")
def hostile(migrated: None) -> Client:
    """Mallory may see and do everything, and types addresses by hand."""
    return client_of("mallory", superuser=True)


@pytest.fixture
def nothing_stored(migrated: None) -> Iterator[None]:
    """An empty log, and afterwards none of the rows that tests of forms add."""
    LogEntry.objects.all().delete()
    yield
    stored: tuple[tuple[Any, dict[str, str]], ...] = (
        (BOOKS, {"id": "H-1"}),
        (LOANS, {"library": "L9", "id": "N-1"}),
    )
    for listed, key in stored:
        try:
            listed.delete(listed.get(consistent=True, **key))
        except NotFound:
            continue


@pytest.fixture
def book(migrated: None) -> Book:
    return BOOKS.create(Book(shelf="H-1", title="Hobbit", author="Tolkien", genre="Fantasy", year=1937, summary="S"))
