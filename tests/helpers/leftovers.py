"""Ends what a test run has started, however the run ends: by itself, by Ctrl-C, by a time limit or by ``kill -9``.

Engines, servers and demos have sessions of their own, so no signal reaches them all. Each process inherits a variable
that names the run. A process that outlives the run finds them by it (on Linux only).
"""

import os
import signal
import subprocess
import sys
import time
import uuid
from contextlib import suppress
from pathlib import Path

import pytest

VARIABLE = "TEST_RUN"
ROOT = Path(__file__).parents[2]
KEPT = pytest.StashKey[object]()
SECONDS = 60
"""The longest that processes are killed, one after the other. This imports nothing that takes long to load."""


def pytest_configure(config: pytest.Config) -> None:
    """Leave nothing behind."""
    if not hasattr(config, "workerinput"):
        config.stash[KEPT] = end_with_this_process()


def end_with_this_process() -> "subprocess.Popen[bytes]":
    """Let all processes that this one starts from now on, and their children, end with this one. Keep the returned
    process.
    """
    os.environ.pop(VARIABLE, None)  # so that a run which this one is a part of does not end the one that waits
    run = uuid.uuid4().hex
    here, _ = os.pipe()  # nobody else inherits the other end, so it is closed when this process has ended
    waiting = subprocess.Popen(
        [sys.executable, "-m", "tests.helpers.leftovers", run],
        cwd=ROOT,
        stdin=here,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    os.close(here)
    os.environ[VARIABLE] = run
    return waiting


def _kill(mark: bytes) -> bool:
    """Kill every process that has inherited the mark; returns whether there was one."""
    found = False
    for environ in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):  # it has ended, or belongs to another user
            if mark in environ.read_bytes().split(b"\0"):
                os.kill(int(environ.parent.name), signal.SIGKILL)
                found = True
    return found


if __name__ == "__main__":
    sys.stdin.read()
    end = time.monotonic() + SECONDS
    while _kill(f"{VARIABLE}={sys.argv[1]}".encode()) and time.monotonic() < end:
        time.sleep(0.01)
