"""Places: exports and passwords take no more than their share of a process, and nobody else waits for them."""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from accounts import backends
from accounts.logins import limits
from dynamodb_lists import Unavailable
from dynamodb_lists.connection import scope
from portal.lists import exports
from rooms.entities import Room
from rooms.views.rooms import RoomsPage
from tests.helpers.logins import is_in, log_in
from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.helpers.workbooks import read_workbook

EXPORT, WORKBOOK = (f"/hotels/{ABC}/rooms/?format={name}" for name in ("csv", "xlsx"))


@pytest.fixture(autouse=True)
def nobody_exports(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports, "_of_accounts", {})


@pytest.fixture
def one_export(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports, "PLACES", BoundedSemaphore(1))


@pytest.mark.django_db
@pytest.mark.usefixtures("empty_tables", "one_export")
def test_an_export_beside_too_many_others_is_refused_and_pages_are_not(manager: Client) -> None:
    make_hotel([make_room("101")])
    with exports.PLACES:
        refused: Any = manager.get(EXPORT)
        assert (refused.status_code, refused["Retry-After"]) == (503, "5")
        assert "Too many requests arrived at the same moment" in refused.content.decode()
        assert {call.purpose for call in refused.wsgi_request.ledger.calls} == {"session"}, "it has read nothing else"
        assert manager.get(EXPORT.partition("?")[0]).status_code == 200
    for _ in range(2):
        assert b"101" in manager.get(EXPORT).getvalue()
    unread = manager.get(EXPORT)
    assert manager.get(EXPORT).status_code == 503, "an export lasts until its client has read it"
    unread.close()  # the client is gone before the first line
    manager.head(EXPORT).close()
    exports.csv_response("mary", "rooms", ["number"], [])  # a middleware puts another answer in its place
    assert b"101" in manager.get(EXPORT).getvalue()


@pytest.mark.django_db
@pytest.mark.usefixtures("empty_tables")
def test_exports_of_one_account_leave_places_to_others(
    manager: Client, admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_hotel([make_room("101")])
    monkeypatch.setattr(exports, "PLACES_OF_EACH", 2)
    unread = [manager.get(address) for address in (EXPORT, WORKBOOK)]
    assert manager.get(EXPORT).status_code == 503
    assert b"101" in admin_client.get(EXPORT).getvalue()
    for each in unread:
        each.close()
    assert b"101" in manager.get(EXPORT).getvalue()


@pytest.mark.django_db
@pytest.mark.usefixtures("empty_tables")
def test_an_excel_file_that_takes_too_long_is_given_up(
    manager: Client, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    """An export has a deadline of its own, which is longer than that of a page."""
    make_hotel([make_room("101")])
    settings.PAGE_DEADLINE_SECONDS = 10
    monkeypatch.setattr(exports, "LONGEST", -1.0)
    refused: Any = manager.get(WORKBOOK)
    assert (refused.status_code, refused["Retry-After"]) == (503, "5")
    monkeypatch.setattr(exports, "LONGEST", 60.0)
    seen = []

    def watched(_: object, form: object, rows: Iterator[Room]) -> Iterator[Room]:
        seen.append(scope.current().deadline - time.monotonic())
        yield from rows

    monkeypatch.setattr(RoomsPage, "exported", watched)
    assert read_workbook(manager.get(WORKBOOK).getvalue()).rows
    assert settings.PAGE_DEADLINE_SECONDS < seen[0] <= exports.LONGEST


@pytest.mark.django_db
@pytest.mark.usefixtures("empty_tables", "one_export")
def test_an_excel_file_is_whole_or_a_page_that_says_why(
    manager: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is sent before the last row is read. What was begun leaves no file behind, and no place."""
    make_hotel([make_room("101"), make_room("102")])
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def cut(_: object, form: object, rows: Iterator[Room]) -> Iterator[Room]:
        yield next(rows)
        raise Unavailable("The database did not answer.")

    with monkeypatch.context() as patch:
        patch.setattr(RoomsPage, "exported", cut)
        assert manager.get(WORKBOOK).status_code == 503
    manager.get(WORKBOOK).close()  # the client is gone before the first byte
    whole = manager.get(WORKBOOK)
    assert not [*tmp_path.iterdir()]
    assert [row["Number"] for row in read_workbook(whole.getvalue()).rows] == ["101", "102"]


@pytest.fixture
def one_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backends, "PLACES", {familiar: BoundedSemaphore(1) for familiar in (True, False)})


@pytest.mark.django_db
@pytest.mark.usefixtures("empty_tables", "one_password")
def test_a_login_beside_too_many_others_is_refused_but_not_in_a_known_browser(
    alice: User, caplog: pytest.LogCaptureFixture
) -> None:
    known, unknown = Client(), Client()
    log_in(known, "alice", "alice")
    known.post("/admin/logout/")
    with backends.PLACES[False]:
        for _ in range(limits.FAILURES + 1):
            refused = log_in(unknown, "alice", "wrong")
            assert (refused.status_code, refused["Retry-After"]) == (503, "5")
        page = refused.content.decode()
        assert "Too many requests arrived at the same moment" in page
        assert "Nothing was changed" in page
        assert "wrong" not in page
        assert "Traceback" not in caplog.text
        assert unknown.get("/admin/login/").status_code == 200
        log_in(known, "alice", "alice")
        assert is_in(known)
        logged_in = Client()  # without the cookie of a known browser
        logged_in.force_login(alice)
        old = {"old_password": "alice", "new_password1": "quiet lake 3", "new_password2": "quiet lake 3"}
        with backends.PLACES[True]:
            refused = logged_in.post("/admin/password_change/", old).content.decode()
            assert "Nothing was changed" in refused
            assert "may be changed already" not in refused
        assert logged_in.post("/admin/password_change/", old).status_code == 302
    log_in(unknown, "alice", "quiet lake 3")
    assert is_in(unknown), "no refusal has counted as a failure"
