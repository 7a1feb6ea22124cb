"""The server's process in the demo: start it, wait until it answers, and stop it with all its children."""

import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from django.core.management.base import CommandError

from hotelapp import serving

Process = subprocess.Popen[bytes]
START_SECONDS = 120.0
STOP_SECONDS = 6.0  # then requests that still run are cut off


@contextmanager
def server(folder: Path, port: int, inherited: int) -> Iterator[Process]:
    """The portal's server, in production's way, once it answers."""
    process = subprocess.Popen(
        [sys.executable, "-m", serving.__name__],
        cwd=folder,
        env=os.environ | {"SERVER_ADDRESS": f"127.0.0.1:{port}"},
        start_new_session=True,
        pass_fds=[inherited],
    )
    try:
        _wait(process, port)
        yield process
    finally:
        stop(process)


def has_ended(process: Process) -> bool:
    """Whether the process has ended. It stays a zombie, so that its number stays its own until :func:`stop`."""
    if process.returncode is not None:
        return True
    if not hasattr(os, "waitid"):  # macOS
        return process.poll() is not None
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def stop(process: Process) -> None:
    """Stop the process. After :data:`STOP_SECONDS`, kill it and every process of its group."""
    if process.returncode is not None:
        return
    process.terminate()
    deadline = time.monotonic() + STOP_SECONDS
    while not has_ended(process) and time.monotonic() < deadline:
        time.sleep(0.02)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _wait(process: Process, port: int) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and not has_ended(process):
        with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5):
            return
        time.sleep(0.05)
    raise CommandError("The server did not start. See its messages above.")
