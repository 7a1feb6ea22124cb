"""The command of ``make run``: everything starts, works, keeps its data, and stops on one signal."""

import os
import re
import runpy
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.core.management import CommandError, call_command

from dynamodb_lists.connection import engine
from dynamodb_lists.tests.helpers.waiting import PATIENCE, eventually
from hotelapp.demo import env_file
from hotelapp.demo.management.commands import run_demo
from hotels import queries as hotels
from hotels.seeding import HOTELS
from reviews import queries as reviews
from tests.conftest import connect
from tests.helpers import leftovers
from tests.helpers.small_demo import SIZES


def environment(folder: Path, **more: str) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        leftovers.VARIABLE: os.environ[leftovers.VARIABLE],
        "VAR_DIR": str(folder / "var"),
        "ENV_FILE": str(folder / ".env"),
        "DYNAMODB_ENGINE_HOST": engine.HOST,
        "DYNAMODB_READ_TIMEOUT": f"{PATIENCE:.0f}",
        **more,
    }


def run(*args: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *args]
    return subprocess.run(command, env=env, cwd=settings.BASE_DIR, capture_output=True, text=True, check=False)


@contextmanager
def demo(port: int, env: dict[str, str], *, until: str) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """A running demo, and what it printed ``until`` a line with this text."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.helpers.small_demo", "run_demo", "--port", str(port)],
        env=env,
        cwd=settings.BASE_DIR,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout
    said = ""
    try:
        for line in process.stdout:
            said += line
            if until in line:
                break
        yield process, said
    finally:
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=PATIENCE)[0]
        assert "Traceback" not in said


def page(port: int, path: str) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=PATIENCE) as answer:
        return str(answer.read().decode())


def port_of_the_engine(env: dict[str, str]) -> int:
    [found] = re.findall(r"DYNAMODB_ENGINE_PORT=(\d+)", Path(env["ENV_FILE"]).read_text())
    return int(found)


def gone(port: int) -> bool:
    def refuses() -> bool:
        with socket.socket() as probe:
            return bool(probe.connect_ex(("127.0.0.1", port)))

    return eventually(refuses)


@contextmanager
def reading_from(port: int) -> Iterator[None]:
    """Let this process read what the demo's engine has."""
    before = settings.DYNAMODB_ENDPOINT_URL
    cache.clear()
    connect(f"http://{engine.HOST}:{port}")
    try:
        yield
    finally:
        connect(before)


def test_it_comes_up_serves_keeps_its_data_and_stops(
    settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Two runs, which write little data, see ``tests/helpers/small_demo.py``.

    The first is killed while it writes. The second finds the engine's port taken, completes the data, and is stopped.
    """
    port, engine_port = engine.free_port(), engine.free_port()
    env = environment(tmp_path, DEMO_PASSWORD="a password", DYNAMODB_TABLE_PREFIX=settings.DYNAMODB_TABLE_PREFIX)
    (tmp_path / ".env").write_text(f"DEMO=1\nDYNAMODB_ENGINE_PORT={engine_port}\n")
    assert not complete_env_file(monkeypatch, **env)
    with demo(port, {**env, "HOLD": "1"}, until="3 hotels: 3 written") as (process, said):
        assert f"http://localhost:{port}/" in said
        assert "demo  with the password  a password" in said
        assert "not complete yet" in page(port, "/admin/login/"), "the demo data is written while the portal serves"
        with monkeypatch.context() as patch:
            assert_refused_beside_it(settings, patch, tmp_path / "var")
        process.kill()
        process.wait()
    assert gone(port), "the kernel stops what a killed demo has started"
    assert gone(engine_port)
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind((engine.HOST, engine_port))
        other.listen()
        with demo(port, env, until="45 reviews: 45 written") as (process, said):
            assert_complete(port, engine_port, env, said)
    assert process.returncode == 0
    assert gone(port)
    assert gone(port_of_the_engine(env))


def test_the_demo_stops_when_the_make_that_has_started_it_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAKELEVEL", "1")
    parents = iter([7, 7, 1])
    monkeypatch.setattr(os, "getppid", lambda: next(parents))
    monkeypatch.setattr("time.sleep", lambda _: None)
    run_demo._watch([])
    assert next(parents, None) is None


def assert_refused_beside_it(settings: Any, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Check that a second demo does not start in the same folder."""
    use_folder(settings, monkeypatch, folder)
    file = settings.DYNAMODB_ENGINE_FILE
    owner = file.with_suffix(".lock").read_text()
    with pytest.raises(CommandError) as refused:
        call_command("run_demo")
    command = f"Another engine (process {owner}) is using {file}. Stop its program, or run: kill {owner}"
    assert command in str(refused.value)
    assert f"--db-path\0{file}" in Path(f"/proc/{owner}/cmdline").read_text()


def use_folder(settings: Any, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let ``run_demo`` in this process use the data in a folder."""
    settings.VAR_DIR, settings.DYNAMODB_ENGINE_FILE = folder, folder / "engine.sqlite3"
    settings.DEMO, settings.DYNAMODB_ENGINE, settings.DYNAMODB_NAMED_ENDPOINT = True, "embedded", ""
    for name, value in {"DEMO_USERNAME": "demo", "DEMO_PASSWORD": "demo", "SEED": "", "DYNOXIDE_BINARY": ""}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(run_demo, "SIGNALS", ())  # this process keeps its own answers to signals


def assert_complete(port: int, taken: int, env: dict[str, str], said: str) -> None:
    """Check that the engine has another port, which other commands are told, and that the data is complete."""
    assert "3 hotels: 0 written, 3 already there" in said
    assert port_of_the_engine(env) != taken
    assert eventually(lambda: "not complete yet" not in page(port, "/admin/login/"))
    with reading_from(port_of_the_engine(env)):
        assert sorted(hotel.rooms for hotel in hotels.hotels().stream()) == sorted(SIZES["rooms"])
        assert {sum(reviews.review_counts(hotel.hotel_id).values()) for hotel in HOTELS} == {SIZES["reviews"]}
    files = [Path(env["VAR_DIR"]), *Path(env["VAR_DIR"]).iterdir(), Path(env["ENV_FILE"])]
    assert not [path for path in files if path.stat().st_mode & 0o077]


def complete_env_file(monkeypatch: pytest.MonkeyPatch, **more: str) -> str:
    """Run ``python -m hotelapp.demo.env_file`` in this process; returns why it refuses."""
    with monkeypatch.context() as patch:
        for name, value in more.items():
            patch.setenv(name, value)
        try:
            runpy.run_path(env_file.__file__, run_name="__main__")
        except SystemExit as ended:
            return str(ended.code)
    return ""


def test_the_env_file_is_made_once_and_another_ones_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / ".env"
    for name in ("DEMO_USERNAME", "DEMO_PASSWORD"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ENV_FILE", str(file))
    assert not complete_env_file(monkeypatch)
    first = file.read_text()
    assert {"DEMO", "SECRET_KEY", "DEMO_USERNAME", "DEMO_PASSWORD"} <= set(re.findall(r"^(\w+)=", first, re.M))
    assert file.stat().st_mode & 0o077 == 0
    chosen = "$wéird #1 'pass' \\ word"
    for more in ({"DEMO_PASSWORD": chosen}, {}):
        assert not complete_env_file(monkeypatch, **more)
        assert file.read_text().count("DEMO_PASSWORD=") == 1
        assert re.findall("^SECRET_KEY=.*", file.read_text(), re.M) == re.findall("^SECRET_KEY=.*", first, re.M)
    code = "from hotelapp import environment, settings; import sys; sys.stdout.write(environment.text('DEMO_PASSWORD'))"
    assert run("-c", code, env=environment(tmp_path)).stdout == chosen, "a chosen login is kept for the next run"
    file.write_text("SECRET_KEY=mine\n")
    assert "is not the demo's" in complete_env_file(monkeypatch)
    assert file.read_text() == "SECRET_KEY=mine\n"


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        ({"port": "abc"}, "PORT must be a whole number from 1 to 65535"),
        ({"port": "80000"}, "PORT must be"),
        ({"SEED": "maybe"}, "SEED must be one of"),
        ({"DEMO": False}, "This command is for the demo"),
        ({"DYNOXIDE_BINARY": "/nothing"}, "does not start: .* Run: npm install"),
        ({"DYNOXIDE_BINARY": ""}, "did not start on .*: .* not a valid SQLite database.* Its log is .*"),
        ({"_engine": nullcontext}, r"Port \d+ is taken. Choose another one: make run PORT=\d+"),
    ],
)
def test_what_keeps_it_from_starting_is_one_clear_line(
    settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, more: dict[str, Any], complaint: str
) -> None:
    """The engine's file is damaged. Tables of another version: ``tests/dynamodb/test_tables.py``."""
    use_folder(settings, monkeypatch, tmp_path)
    settings.DYNAMODB_ENGINE_FILE.write_bytes(b"damaged" * 1000)
    settings.DEMO = more.get("DEMO", True)
    for name in {"SEED", "DYNOXIDE_BINARY"} & {*more}:
        monkeypatch.setenv(name, more[name])
    if "DYNOXIDE_BINARY" not in more:
        monkeypatch.setattr(run_demo, "_engine", more.get("_engine"))  # so that it never starts here
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(CommandError, match=complaint) as refused:
        call_command("run_demo", port=more.get("port", str(taken.getsockname()[1])))
    assert refused.value.returncode == 1
    assert "\n" not in str(refused.value)
