"""What an earlier demo left running is found and stopped, and nothing else is."""

import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from django.conf import settings

from hotelapp.demo import ownership
from hotelapp.demo.ownership import FolderInUse, owned
from tests.helpers.waiting import eventually

OWNER = """
import subprocess, sys, time
from pathlib import Path
from hotelapp.demo.ownership import owned
with owned(Path(sys.argv[1]), 8123, print) as inherited:
    child = subprocess.Popen(["sleep", "600"], pass_fds=[inherited], start_new_session=True)
    print(child.pid, flush=True)
    time.sleep(600)
"""


@pytest.fixture
def said() -> list[str]:
    """What the demo says."""
    return []


@pytest.fixture
def make(tmp_path: Path) -> Iterator["subprocess.Popen[str]"]:
    """A make that runs a demo, which has started another process and printed its number."""
    make = subprocess.Popen(
        ["sh", "-c", f"{sys.executable} -c '{OWNER}' {tmp_path}; true"],
        env=os.environ | {"MAKELEVEL": "1"},
        cwd=settings.BASE_DIR,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    yield make
    os.killpg(make.pid, signal.SIGKILL)
    make.wait()
    assert make.stdout
    make.stdout.close()


def child(make: "subprocess.Popen[str]") -> int:
    """The number of the process that the demo started."""
    assert make.stdout
    return int(make.stdout.readline())


def owner(make: "subprocess.Popen[str]") -> int:
    """The number of the demo's own process."""
    return int(subprocess.check_output(["pgrep", "-P", str(make.pid)]))


def lives(pid: int) -> bool:
    with suppress(FileNotFoundError, ProcessLookupError):
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    return False


def test_a_demo_that_runs_is_left_alone(make: "subprocess.Popen[str]", tmp_path: Path, said: list[str]) -> None:
    running = child(make)
    with (
        pytest.raises(FolderInUse, match=rf"http://localhost:8123/.*kill {owner(make)}"),
        owned(tmp_path, 8000, said.append),
    ):
        pass
    assert lives(running)
    assert said == []
    assert (tmp_path / ownership.DEMO_LOCK).stat().st_mode & 0o077 == 0


def test_the_processes_of_a_killed_demo_are_stopped(
    make: "subprocess.Popen[str]", tmp_path: Path, said: list[str]
) -> None:
    running, demo = child(make), owner(make)
    os.kill(running, signal.SIGSTOP)
    os.kill(demo, signal.SIGKILL)
    assert eventually(lambda: not lives(demo)), "until then it holds its lock"
    with ExitStack() as stack:
        reader = stack.enter_context(subprocess.Popen(["tail", "-f", tmp_path / ownership.PROCESSES_LOCK]))
        stack.callback(reader.kill)
        assert eventually(lambda: Path(f"/proc/{reader.pid}/cmdline").read_text().startswith("tail"))
        with owned(tmp_path, 8000, said.append):
            assert eventually(lambda: not lives(running))
        assert reader.poll() is None, "it reads the file, but does not hold the lock"
    assert said == [f"Stopping what an earlier demo left running: process {running}"]


def test_a_demo_whose_make_was_killed_is_stopped_with_its_processes(
    make: "subprocess.Popen[str]", tmp_path: Path, said: list[str]
) -> None:
    running, demo = child(make), owner(make)
    os.kill(demo, signal.SIGSTOP)
    os.kill(make.pid, signal.SIGKILL)
    make.wait()
    with owned(tmp_path, 8000, said.append):
        assert not lives(demo)
        assert not lives(running)
    assert [line.rsplit(" ", 1)[1] for line in said] == [str(demo), str(running)]


def test_a_lock_whose_holder_cannot_be_found_is_an_error(
    tmp_path: Path, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another user's processes cannot be seen."""
    monkeypatch.setattr(ownership, "PROC", tmp_path)
    monkeypatch.setattr(ownership, "STOP_SECONDS", 0.1)
    monkeypatch.setattr(ownership, "KILL_SECONDS", 0.1)
    with (tmp_path / ownership.PROCESSES_LOCK).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(FolderInUse, match="hold"), owned(tmp_path, 8000, said.append):
            pass
    assert said == []
