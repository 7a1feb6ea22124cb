"""SQL that is locked, full, away, outdated or damaged gives a 503 page, on a file of SQLite that really is so."""

import logging
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import Permission, User
from django.db import (
    DatabaseError,
    IntegrityError,
    InterfaceError,
    OperationalError,
    ProgrammingError,
    connection,
    connections,
)
from django.http import HttpRequest, HttpResponse
from django.test import Client

from accounts.admin import UNUSED_APPS
from dynamodb_lists import Unavailable
from dynamodb_lists.tests.helpers.scopes import within
from dynamodb_lists.tests.helpers.waiting import PATIENCE
from hotelapp.environment import SQL_SECONDS, database
from hotelapp.operations.request_lines import Statements
from portal import error_pages
from portal.templatetags import portal as framing
from tests.conftest import logged_in

pytestmark = pytest.mark.django_db
LOGIN, GROUP = "/admin/login/", "/admin/auth/group/add/"
LIMITED = {"tcp_user_timeout": 10000, "options": "-c statement_timeout=10000"}
ALICE = {"username": "alice", "password": "alice"}


@pytest.fixture
def root(empty_tables: None, admin_user: User) -> Client:
    return logged_in(admin_user)


@contextmanager
def using(path: Path) -> Iterator[None]:
    """Connect this thread to another file of SQLite."""
    before, other = connections["default"], connections.create_connection("default")
    waits = {**before.settings_dict["OPTIONS"], "timeout": 0.1}
    other.settings_dict = {**before.settings_dict, "NAME": str(path), "OPTIONS": waits}
    connections["default"] = other
    try:
        yield
    finally:
        other.close()
        connections["default"] = before


@pytest.fixture
def file(root: Client, alice: User, tmp_path: Path) -> Iterator[Path]:
    """A file with a copy of the accounts, which this thread uses from now on."""
    path = tmp_path / "portal.sqlite3"
    path.write_bytes(connections["default"].connection.serialize())
    with using(path):
        yield path


def everywhere(client: Client) -> Iterator[Any]:
    """Yield the answers of pages that read SQL in the view, in the admin, before the view, in a form and for htmx."""
    yield client.get("/hotels/")
    yield client.get("/admin/auth/user/")
    yield client.get("/admin/auth/group/")
    yield client.get("/hotels/", headers={"HX-Request": "true"})
    yield Client().post(LOGIN, ALICE)
    client.raise_request_exception = False
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "MIDDLEWARE", [*settings.MIDDLEWARE, f"{__name__}.ReadsTheUser"])
        client.handler.load_middleware()
        yield client.get("/hotels/")
    client.handler.load_middleware()


class ReadsTheUser:
    """A middleware that needs the account, as one for a second factor does."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        assert request.user.is_active
        return self.get_response(request)


def tracebacks(caplog: pytest.LogCaptureFixture) -> int:
    return sum(record.exc_info is not None and record.levelno >= logging.ERROR for record in caplog.records)


def test_a_locked_file_is_a_503_on_every_page(file: Path, root: Client, caplog: pytest.LogCaptureFixture) -> None:
    with closing(sqlite3.connect(file)) as other:
        other.execute("BEGIN EXCLUSIVE")
        began = time.monotonic()
        for number, response in enumerate(everywhere(root), start=1):
            assert response.status_code == 503, number
            assert "HX-Redirect" in response or response["Retry-After"] == "5"
            assert b"Traceback" not in response.content
            assert tracebacks(caplog) == number
            assert time.monotonic() - began < PATIENCE * number
        assert root.get("/nothing/").status_code == 404, "it has no frame, but it is right"
        assert Client().get(LOGIN).status_code == 200, "the login form needs no database"
    assert root.get("/hotels/").status_code == 200
    assert Client().post(LOGIN, ALICE).status_code == 302


def test_a_full_file_is_a_503_and_nothing_is_saved(file: Path, root: Client) -> None:
    offered = Permission.objects.exclude(content_type__app_label__in=UNUSED_APPS)
    rights = [str(key) for key in offered.values_list("pk", flat=True)]
    with closing(connections["default"].cursor()) as cursor:
        cursor.execute("PRAGMA page_count")
        cursor.execute(f"PRAGMA max_page_count = {cursor.fetchone()[0]}")
    statuses = {}
    for number in range(50):
        response = root.post(GROUP, {"name": f"group {number}", "permissions": rights})
        statuses[f"group {number}"] = response.status_code
        if response.status_code != 302:
            break
    assert response.status_code == 503
    assert response["Retry-After"] == "5"
    page = root.get("/admin/auth/group/")
    assert page.status_code == 200, "reading still works"
    assert {name for name in statuses if name in page.content.decode()} >= {
        name for name, status in statuses.items() if status == 302
    }
    with closing(sqlite3.connect(file)) as other:
        assert not other.execute("SELECT 1 FROM auth_group WHERE name = ?", [f"group {number}"]).fetchall()


@pytest.mark.usefixtures("file")
def test_a_file_that_cannot_be_opened_is_a_503(root: Client, tmp_path: Path) -> None:
    for place in ("no-folder/portal.sqlite3", ""):
        with using(tmp_path / place):
            assert [response.status_code for response in everywhere(root)] == [503] * 6


@pytest.mark.usefixtures("file")
def test_an_outdated_or_damaged_file_is_a_503(root: Client, tmp_path: Path) -> None:
    for content in (b"", b"not SQL " * 1000):
        (tmp_path / "other.sqlite3").write_bytes(content)
        with using(tmp_path / "other.sqlite3"):
            assert root.get("/hotels/").status_code == 503


def test_a_failure_while_the_error_page_is_drawn_leaves_it_without_a_frame(
    root: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> framing.Frame:
        raise OperationalError("server closed the connection unexpectedly")

    assert root.get("/hotels/").status_code == 200
    monkeypatch.setattr(framing, "frame_of", fail)
    response = root.get("/hotels/")
    assert (response.status_code, response["Retry-After"], tracebacks(caplog)) == (503, "5", 1)


@pytest.mark.usefixtures("file")
def test_no_statement_begins_after_the_deadline() -> None:
    with within(0), connection.execute_wrapper(Statements()), pytest.raises(Unavailable, match="time was over"):
        User.objects.count()
    assert User.objects.count() == 2


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (IntegrityError("UNIQUE constraint failed"), None),
        (ProgrammingError("syntax error at or near"), None),
        (DatabaseError("Save with update_fields did not affect any rows."), None),
        (ValueError("x"), None),
        (InterfaceError("connection already closed"), Unavailable),
        (OperationalError('FATAL: database "portal" does not exist'), Unavailable),
        (ProgrammingError('relation "auth_user" does not exist'), Unavailable),
    ],
    ids=str,
)
def test_only_failures_of_the_database_are_outages(error: Exception, kind: type | None) -> None:
    failure = error_pages.outage(error)
    assert (failure and type(failure)) is kind


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        ("sqlite:///portal.sqlite3", {"transaction_mode": "IMMEDIATE", "timeout": SQL_SECONDS}),
        ("postgres://a:b@db/portal", {"connect_timeout": 5, **LIMITED}),
        ("postgres://a:b@db/portal?connect_timeout=3", {"connect_timeout": 3, **LIMITED}),
        ("mysql://a:b@db/portal", {}),
    ],
)
def test_connections_are_opened_with_limits(url: str, wanted: dict[str, object]) -> None:
    entry = database(url)
    assert (entry["OPTIONS"], entry["CONN_MAX_AGE"], entry["CONN_HEALTH_CHECKS"]) == (wanted, 600, True)
