"""Turns: exports and passwords take no more than their share of a process, and nobody else waits for them."""

import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client, override_settings

from accounts import backends
from accounts.logins import limits
from dynamodb_lists.connection.errors import Crowded, Overdue, Unavailable
from dynamodb_lists.tests.helpers.scopes import within
from dynamodb_lists.tests.helpers.waiting import PATIENCE, eventually
from portal.lists import exports
from portal.turns import Turns
from rooms.entities import Room
from rooms.views.rooms import RoomsPage
from tests.conftest import logged_in
from tests.helpers.logins import is_in, log_in
from tests.helpers.rooms import ABC, make_hotel, make_room
from tests.helpers.workbooks import read_workbook

EXPORT, WORKBOOK = (f"/hotels/{ABC}/rooms/?format={name}" for name in ("csv", "xlsx"))


def have(turns: Turns, over: Event, begun: Event | None = None) -> None:
    with turns.turn():
        if begun:
            begun.set()
        over.wait(PATIENCE)


def line(turns: Turns) -> int:
    """How many have a turn or wait for one."""
    return sum(map(len, turns._lines.values()))


def test_as_many_as_may_wait_do_so_and_more_are_refused_at_once() -> None:
    turns, over, begun, done = Turns("exports", 1, 1), Event(), Event(), Event()
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(have, turns, over, begun)
        begun.wait(PATIENCE)
        with pytest.raises(Overdue), within(0.01), turns.turn():
            pass
        second = threads.submit(have, turns, done)
        assert eventually(lambda: line(turns) == 2), "the second one waits"
        with pytest.raises(Crowded, match="All places for exports are taken"), turns.turn():
            pass
        over.set()
        first.result(PATIENCE)
        done.set()
        second.result(PATIENCE)
    with pytest.raises(KeyError), turns.turn():
        raise KeyError
    assert not turns._lines, "each of them has given its turn back"


def test_each_holder_has_a_line_of_its_own_in_which_nobody_is_waited_for() -> None:
    turns, begun = Turns("requests", 2, 2), list[str]()
    requests = {name: partial(begun.append, name) for name in ("a1", "a2", "a3", "a4", "a5", "b1")}
    for name in ("a1", "a2", "a3", "a4"):
        turns.enter("a", requests[name])
    with pytest.raises(Crowded):
        turns.enter("a", requests["a5"])
    turns.enter("b", requests["b1"])
    assert begun == ["a1", "a2", "b1"]
    turns.leave("a", requests["a3"])  # one that has waited in vain
    assert begun == ["a1", "a2", "b1"]
    turns.leave("a", requests["a1"])
    assert begun == ["a1", "a2", "b1", "a4"]
    for holder, name in (("a", "a2"), ("a", "a4"), ("b", "b1")):
        turns.leave(holder, requests[name])
    assert (len(begun), turns._lines) == (4, {})


@pytest.fixture
def places() -> int:
    """How many exports there may be at once."""
    return 1


@pytest.fixture
def few_exports(places: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(settings, "EXPORT_PLACES", places)
    for turns in (exports.turns, exports.turns_of_user):
        turns.cache_clear()
    yield
    for turns in (exports.turns, exports.turns_of_user):
        turns.cache_clear()


@pytest.mark.django_db
@pytest.mark.usefixtures("empty_tables", "few_exports")
def test_an_export_beside_too_many_others_is_refused_and_pages_are_not(manager: Client) -> None:
    make_hotel([make_room("101")])
    with exports.turns().turn():
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
    exports.csv_response("rooms", ["number"], [])  # a middleware puts another answer in its place
    assert b"101" in manager.get(EXPORT).getvalue()


@pytest.mark.django_db
@pytest.mark.usefixtures("empty_tables", "few_exports")
def test_an_excel_file_is_whole_or_a_page_that_says_why(
    manager: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is sent before the last row is read. What was begun leaves no file behind, and no turn."""
    make_hotel([make_room("101"), make_room("102")])
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def cut(_: object, rows: Iterator[Room]) -> Iterator[Room]:
        yield next(rows)
        raise Unavailable("The database did not answer.")

    with monkeypatch.context() as patch:
        patch.setattr(RoomsPage, "exported", cut)
        assert manager.get(WORKBOOK).status_code == 503
    manager.get(WORKBOOK).close()  # the client is gone before the first byte
    whole = manager.get(WORKBOOK)
    assert not [*tmp_path.iterdir()]
    assert [row["Number"] for row in read_workbook(whole.getvalue()).rows] == ["101", "102"]


@pytest.mark.django_db
@pytest.mark.usefixtures("empty_tables", "few_exports")
@pytest.mark.parametrize("places", [7])
def test_one_user_has_half_of_the_exports(manager: Client, admin_user: User, places: int) -> None:
    make_hotel([make_room("101")])
    half = places // 2
    held = [manager.get(EXPORT) for _ in range(half + 1)]
    assert [export.status_code for export in held] == [200] * half + [503]
    assert b"101" in logged_in(admin_user).get(EXPORT).getvalue()
    for export in held:
        export.close()
    assert b"101" in manager.get(EXPORT).getvalue()


@pytest.fixture
def one_password() -> Iterator[None]:
    backends.turns.cache_clear()
    with override_settings(PASSWORD_PLACES=1):
        yield
    backends.turns.cache_clear()


@pytest.mark.django_db
@pytest.mark.usefixtures("empty_tables", "one_password")
def test_a_login_beside_too_many_others_is_refused_but_not_in_a_known_browser(
    alice: User, caplog: pytest.LogCaptureFixture
) -> None:
    known, unknown = Client(), Client()
    log_in(known, "alice", "alice")
    known.post("/admin/logout/")
    with backends.turns().turn(False):
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
        with backends.turns().turn(True):
            refused = logged_in.post("/admin/password_change/", old).content.decode()
            assert "Nothing was changed" in refused
            assert "may be changed already" not in refused
        assert logged_in.post("/admin/password_change/", old).status_code == 302
    log_in(unknown, "alice", "quiet lake 3")
    assert is_in(unknown), "no refusal has counted as a failure"
