"""The command of ``make run``: everything starts, works, keeps its data, and stops on one signal."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from django.conf import settings

from hotelapp.dynamodb.connection import engine

UP_SECONDS = 60


def environment(folder: Path, **more: str) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "VAR_DIR": str(folder / "var"),
        "ENV_FILE": str(folder / ".env"),
        "DYNAMODB_ENGINE_HOST": engine.HOST,
        "DYNAMODB_ENGINE_PORT": str(engine.free_port()),
        **more,
    }


def run(*args: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *args]
    return subprocess.run(command, env=env, cwd=settings.BASE_DIR, capture_output=True, text=True, check=False)


@contextmanager
def demo(port: int, env: dict[str, str]) -> Iterator[tuple["subprocess.Popen[str]", list[str]]]:
    """A running demo, and what it printed before it was ready."""
    assert run("-m", "hotelapp.demo.env_file", env=env).returncode == 0
    process = subprocess.Popen(
        [sys.executable, "manage.py", "run_demo", "--port", str(port)],
        env=env,
        cwd=settings.BASE_DIR,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout
    lines: list[str] = []
    try:
        for line in process.stdout:
            lines.append(line)
            if "Ctrl-C" in line:
                break
        yield process, lines
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)
        process.stdout.close()


def answers(port: int) -> bool:
    with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/admin/login/", timeout=5):
        return True
    return False


def gone(port: int) -> bool:
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)):
                return True
        time.sleep(0.1)
    return False


def test_it_comes_up_serves_keeps_its_data_and_stops(tmp_path: Path) -> None:
    env = environment(tmp_path, DEMO_PASSWORD="a password")
    port = engine.free_port()
    with demo(port, env) as (process, lines):
        said = "".join(lines)
        assert f"http://localhost:{port}/" in said
        assert "demo  with the password  a password" in said
        assert "2300 rooms: 2300 written" in said
        assert answers(port)
        assert "there already" in run("manage.py", "create_tables", env=env).stdout
        again = run("manage.py", "run_demo", "--port", str(engine.free_port()), env=env)
        assert again.returncode == 1
        assert f"This demo runs already: http://localhost:{port}/" in again.stderr
        elsewhere = run("manage.py", "run_demo", "--port", str(port), env={**env, "VAR_DIR": str(tmp_path / "other")})
        assert f"Port {port} is taken. Choose another one: make run PORT={port + 1}" in elsewhere.stderr
        assert process.poll() is None
        files = [tmp_path / "var", *(tmp_path / "var").iterdir(), tmp_path / ".env"]
        assert not [path for path in files if path.stat().st_mode & 0o077]
    assert process.returncode == 0
    assert gone(port)
    assert gone(int(env["DYNAMODB_ENGINE_PORT"]))
    with demo(port, env) as (process, lines):
        assert "no demo data was written" in "".join(lines)
        process.kill()
        process.wait()
        assert answers(port)
        with demo(port, env) as (_, more):
            assert "Stopping what an earlier demo left running" in "".join(more)
            assert answers(port)
    assert gone(port)


def test_a_taken_engine_port_is_stepped_round_and_told_to_other_commands(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        env = environment(tmp_path, SEED="0")
        del env["DYNAMODB_ENGINE_PORT"]
        (tmp_path / ".env").write_text(f"DEMO=1\nDYNAMODB_ENGINE_PORT={taken}\n")
        with demo(engine.free_port(), env):
            ports = re.findall(r"DYNAMODB_ENGINE_PORT=(\d+)", (tmp_path / ".env").read_text())
            assert len(ports) == 1
            assert ports[0] != str(taken)
            assert "there already" in run("manage.py", "create_tables", env=env).stdout


def test_an_engine_that_is_missing_is_one_clear_line(tmp_path: Path) -> None:
    env = environment(tmp_path, DYNOXIDE_BINARY=str(tmp_path / "nothing"))
    run("-m", "hotelapp.demo.env_file", env=env)
    done = run("manage.py", "run_demo", "--port", str(engine.free_port()), env=env)
    assert done.returncode == 1
    assert done.stderr.strip().count("\n") == 0
    assert "npm install" in done.stderr


def test_it_is_the_demo_alone_that_is_run_like_this(tmp_path: Path) -> None:
    env = environment(tmp_path, SECRET_KEY="0123456789ab" * 5, DYNAMODB_ENGINE="embedded", ALLOWED_HOSTS="x")
    done = run("manage.py", "run_demo", env=env)
    assert "This command is for the demo" in done.stderr


def test_the_env_file_is_made_once_and_another_ones_is_left_alone(tmp_path: Path) -> None:
    env = environment(tmp_path)
    file = tmp_path / ".env"
    assert run("-m", "hotelapp.demo.env_file", env=env).returncode == 0
    first = file.read_text()
    assert {"DEMO", "SECRET_KEY", "DEMO_USERNAME", "DEMO_PASSWORD"} <= set(re.findall(r"^(\w+)=", first, re.M))
    assert file.stat().st_mode & 0o077 == 0
    run("-m", "hotelapp.demo.env_file", env=env)
    assert file.read_text() == first
    file.write_text("SECRET_KEY=mine\n")
    done = run("-m", "hotelapp.demo.env_file", env=env)
    assert done.returncode == 1
    assert "is not the demo's" in done.stderr
    assert file.read_text() == "SECRET_KEY=mine\n"


@pytest.mark.parametrize(
    ("port", "more", "complaint"),
    [
        ("abc", {}, "PORT must be a whole number from 1 to 65535"),
        ("80000", {}, "PORT must be"),
        ("8123", {"SEED": "maybe"}, "SEED must be one of"),
    ],
)
def test_a_bad_option_is_one_clear_line(tmp_path: Path, port: str, more: dict[str, str], complaint: str) -> None:
    env = environment(tmp_path, **more)
    run("-m", "hotelapp.demo.env_file", env=env)
    done = run("manage.py", "run_demo", "--port", port, env=env)
    assert done.returncode == 1
    assert complaint in done.stderr
    assert done.stderr.strip().count("\n") == 0


def test_a_chosen_login_is_kept_for_the_next_run(tmp_path: Path) -> None:
    run("-m", "hotelapp.demo.env_file", env=environment(tmp_path))
    chosen = "$wéird #1 'pass' \\ word"
    run("-m", "hotelapp.demo.env_file", env=environment(tmp_path, DEMO_PASSWORD=chosen))
    run("-m", "hotelapp.demo.env_file", env=environment(tmp_path))
    assert (tmp_path / ".env").read_text().count("DEMO_PASSWORD=") == 1
    code = "from hotelapp import environment; import sys; sys.stdout.write(environment.text('DEMO_PASSWORD'))"
    assert run("manage.py", "shell", "-v", "0", "-c", code, env=environment(tmp_path)).stdout == chosen


@pytest.mark.parametrize("missing", ["npm", "python3.11"])
def test_make_says_what_is_missing(tmp_path: Path, missing: str) -> None:
    """The Makefile runs in an empty folder, on a machine without npm or without Python."""
    for name in ("Makefile", "package.json", "requirements.txt"):
        (tmp_path / name).write_text((settings.BASE_DIR / name).read_text())
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    for tool in {"sh", "npm", "python3.11"} - {missing}:
        (bin_folder / tool).symlink_to(shutil.which(tool) or f"/bin/{tool}")
    done = subprocess.run(
        ["/usr/bin/make", "--no-print-directory", "-C", str(tmp_path), "run", "PYTHON=python3.11"],
        env={"PATH": str(bin_folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert done.stdout.splitlines()[-1].startswith("npm is missing" if missing == "npm" else "Python 3.11 is missing")
    assert not (tmp_path / ".venv").exists()
