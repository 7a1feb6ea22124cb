"""A test run that is interrupted leaves nothing behind: no worker, no engine, no Chromium, no server."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from dynamodb_lists.tests.helpers.examples import usual
from dynamodb_lists.tests.helpers.waiting import PATIENCE, eventually


def parents() -> Iterator[tuple[int, int]]:
    """Each process with its parent. One that has ended, but that nobody has waited for, is none."""
    for line in subprocess.check_output(["ps", "-eo", "pid=,ppid=,stat="], text=True).splitlines():
        pid, parent, state = line.split()
        if not state.startswith("Z"):
            yield int(pid), int(parent)


def below(root: int) -> set[int]:
    """The processes that a process has started, and theirs."""
    found, all_of_them = {root}, list(parents())
    while more := {pid for pid, parent in all_of_them if parent in found} - found:
        found |= more
    return found - {root}


WAYS = [("run", signal.SIGINT), ("run", signal.SIGKILL), ("worker", signal.SIGKILL), ("group", signal.SIGTERM)]


@pytest.mark.parametrize(("killed", "sign"), usual(WAYS, ("run", signal.SIGKILL)))
def test_an_interrupted_run_leaves_nothing_behind(tmp_path: Path, killed: str, sign: signal.Signals) -> None:
    """``timeout`` sends its signal to the whole group, as a terminal does with Ctrl-C."""
    started, name = tmp_path / "worker", "tests/helpers/run_for_ever.py"
    options = ["-q", "-p", "no:cacheprovider", "-n", "1", "--max-worker-restart", "0"]
    command = [sys.executable, "-m", "pytest", *options, name]
    env = {**os.environ, "STARTED": str(started), "ENGINE": "embedded"}
    expected = ["dynoxide", "tests.helpers.serving"]
    if killed == "run":  # the two ways to end all that is there; Chromium takes seconds to start
        env["BROWSER"] = "1"
        expected.append("--headless")
    with (tmp_path / "output").open("w+") as output:
        run = subprocess.Popen(
            command, cwd=settings.BASE_DIR, env=env, stdout=output, stderr=output, start_new_session=True
        )
        assert eventually(lambda: started.exists() or run.poll() is not None)
        assert run.poll() is None, (tmp_path / "output").read_text()
        processes = below(run.pid)
        names = subprocess.check_output(["ps", "-o", "args=", "-p", ",".join(map(str, processes))], text=True)
        assert all(part in names for part in expected)
        kill = os.killpg if killed == "group" else os.kill
        kill(int(started.read_text()) if killed == "worker" else run.pid, sign)
        run.wait(PATIENCE)
    assert eventually(lambda: not processes & {pid for pid, _ in parents()})
