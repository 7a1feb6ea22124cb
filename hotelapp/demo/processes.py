"""The server's process in the demo: start it, wait until it answers, and stop it with all its children."""

import ctypes
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

from dynamodb_lists.connection.engine import stop
from hotelapp import serving

Process = subprocess.Popen[bytes]
START_SECONDS = 120.0
STOP_SECONDS = 6.0  # then requests that still run are cut off
PR_SET_PDEATHSIG = 1  # prctl(2)
_LIBC = ctypes.CDLL(None)


def end_with_parent() -> None:
    """Let the kernel stop this process when its parent has ended, even by ``kill -9``. Only Linux can.

    To be called in a new process before its program starts.
    """
    if sys.platform == "linux":
        _LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


@contextmanager
def server(folder: Path, port: int) -> Iterator[Process]:
    """The portal's server, in production's way, once it answers."""
    process = subprocess.Popen(
        [sys.executable, "-m", serving.__name__],
        cwd=folder,
        env=os.environ | {"SERVER_ADDRESS": f"127.0.0.1:{port}"},
        start_new_session=True,
        preexec_fn=end_with_parent,  # noqa: PLW1509 (no other thread of the demo is at work now)
    )
    try:
        _wait(process, port)
        yield process
    finally:
        stop(process, STOP_SECONDS)


def _wait(process: Process, port: int) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5):
            return
        time.sleep(0.05)
    raise CommandError("The server did not start. See its messages above.")
