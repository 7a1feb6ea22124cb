"""``backup``: copies of the files of one machine, taken while the engine runs and others write."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from io import StringIO
from pathlib import Path
from shutil import copytree
from threading import Event

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from dynamodb_lists.connection import engine
from dynamodb_lists.connection.engine import Engine
from dynamodb_lists.tests.helpers.waiting import eventually
from orders import queries as orders
from tests.conftest import connect
from tests.helpers import faults
from tests.helpers.orders import make_order, store

DATA, ACCOUNTS = "engine.sqlite3", "portal.sqlite3"
Placed = list[tuple[str, str]]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a portal on this machine, with databases of one row. ``own_engine`` uses it for its file, too."""
    monkeypatch.setattr(settings, "DYNAMODB_ENGINE", "embedded")
    monkeypatch.setattr(settings, "DYNAMODB_NAMED_ENDPOINT", "")
    monkeypatch.setitem(settings.DATABASES["default"], "ENGINE", "django.db.backends.sqlite3")
    monkeypatch.setattr(settings, "DYNAMODB_ENGINE_FILE", tmp_path / DATA)
    monkeypatch.setitem(settings.DATABASES["default"], "NAME", str(tmp_path / ACCOUNTS))
    write(tmp_path / ACCOUNTS)
    return tmp_path


def write(file: Path) -> None:
    with closing(sqlite3.connect(file)) as database:
        database.executescript("CREATE TABLE users (name TEXT); INSERT INTO users VALUES ('anna')")


def users_in(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as database:
        return [name for (name,) in database.execute("SELECT name FROM users")]


def modes(folder: Path) -> dict[str, int]:
    return {file.name: file.stat().st_mode & 0o777 for file in folder.iterdir()}


def run(command: str, folder: Path) -> str:
    out = StringIO()
    call_command(command, str(folder), stdout=out)
    return out.getvalue()


def place(guest: str, placed: Placed, stop: Event) -> None:
    """Place orders, each with its items and counts in one transaction, until told to stop."""
    while not stop.is_set():
        key = guest, f"{guest}-{len(placed)}"
        store([make_order(key[1], guest)])
        placed.append(key)


def back_up_beside_writers(copies: Path) -> Placed:
    """Run ``backup`` between writes of two writers; returns what was acknowledged before it began."""
    placed: dict[str, Placed] = {"ann": [], "bo": []}
    stop = Event()
    with ThreadPoolExecutor(len(placed)) as pool:
        writers = [pool.submit(place, guest, done, stop) for guest, done in placed.items()]
        try:
            assert eventually(lambda: all(len(done) > 2 for done in placed.values()))
            before = [list(done) for done in placed.values()]
            assert f"{copies} holds: {DATA}, {ACCOUNTS}." in run("backup", copies)
            after = sum(map(len, placed.values()))
            assert eventually(lambda: sum(map(len, placed.values())) > after), "the writers go on"
        finally:
            stop.set()
    assert not any(writer.exception() for writer in writers)
    return [key for done in before for key in done]


def test_a_copy_beside_writers_has_all_that_was_acknowledged_and_no_half_of_a_transaction(
    home: Path, own_engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults.settle_in(monkeypatch, 0)
    faults.fill()
    copies, other = home / "copies", home / "other"
    acknowledged = back_up_beside_writers(copies)
    assert modes(copies) == {DATA: 0o600, ACCOUNTS: 0o600}
    with closing(sqlite3.connect(copies / DATA)) as copy:
        assert copy.execute("PRAGMA journal_mode").fetchone() == ("delete",), "SQLite can read it on a read-only medium"

    copytree(copies, other)
    assert users_in(other / ACCOUNTS) == ["anna"]
    binary = engine.find_binary(settings.BASE_DIR)
    with engine.start(binary, engine.free_port(), other / DATA) as running:
        connect(running.url)
        assert orders.orders_as_stored(acknowledged).keys() == {order_id for _, order_id in acknowledged}
        assert faults.verify() == ("", True)


def test_nothing_is_overwritten_and_what_is_damaged_or_missing_is_not_copied(home: Path) -> None:
    write(home / DATA)
    copies, more = home / "copies", home / "more"
    run("backup", copies)
    with pytest.raises(CommandError, match=f"Move away first: {copies / DATA}$"):
        run("backup", copies)
    whole = (home / DATA).read_bytes()
    for damaged in (b"pk,sk", whole[:4096], whole[:4096] + b"x" * 4096):
        (home / DATA).write_bytes(damaged)
        with pytest.raises(CommandError, match=f"{home / DATA} cannot be copied to {more / DATA}: "):
            run("backup", more)
        assert modes(more) == {}
    (home / DATA).unlink()
    with pytest.raises(CommandError, match=f"{home / DATA} cannot be copied"):
        run("backup", more)
    assert not (home / DATA).exists()


def test_accounts_in_another_database_are_left_to_its_own_tool(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.DATABASES["default"], "ENGINE", "django.db.backends.postgresql")
    write(home / DATA)
    assert "Not copied: the staff accounts." in run("backup", home / "copies")
    assert modes(home / "copies") == {DATA: 0o600}


@pytest.mark.parametrize("setting", [("DYNAMODB_ENGINE", "aws"), ("DYNAMODB_NAMED_ENDPOINT", "http://localhost:1")])
def test_other_engines_are_told_what_to_use(
    home: Path, monkeypatch: pytest.MonkeyPatch, setting: tuple[str, str]
) -> None:
    monkeypatch.setattr(settings, *setting)
    with pytest.raises(CommandError, match="On AWS, use point-in-time recovery"):
        run("backup", home / "copies")
    assert modes(home) == {ACCOUNTS: 0o644}
