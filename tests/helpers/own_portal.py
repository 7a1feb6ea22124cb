"""A portal of its own for a storm or a benchmark: settings that touch nothing of the user's, and its processes.

Processes are looked at in ``/proc``, so this needs Linux.
"""

import os
import secrets
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import django

from dynamodb_lists.connection import engine

ROOT = Path(__file__).resolve().parents[2]
PROC = Path("/proc")
START_SECONDS = 120.0
KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "VIRTUAL_ENV", "DYNOXIDE_BINARY")
"""The variables of the user's environment that processes need to start."""


def boot(folder: Path, **others: str) -> None:
    """Configure Django for this process and its children, with all data in a folder, and other variables if need be.

    Nothing of the user's environment, ``.env`` or ``var/`` is read or written. Call it before any model is imported.
    """
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    os.environ.clear()
    os.environ |= kept | {
        "DJANGO_SETTINGS_MODULE": "hotelapp.settings",
        "ENV_FILE": "",
        "SECRET_KEY": secrets.token_urlsafe(60),
        "DEMO": "1",
        "VAR_DIR": str(folder),
        "DYNAMODB_ENGINE": "embedded",
        "DYNAMODB_ENGINE_PORT": str(engine.free_port()),
    }
    os.environ |= others
    django.setup()


def start(command: Sequence[str | Path], port: int, environment: Mapping[str, str], log: Path) -> "Process":
    """Start a program, and return once it listens on a port. Raises :class:`TimeoutError` if it does not."""
    with log.open("ab") as out:
        process = subprocess.Popen(
            command, env={**os.environ, **environment}, cwd=ROOT, stdout=out, stderr=out, start_new_session=True
        )
    deadline = time.monotonic() + START_SECONDS
    while not listens(port):
        if process.poll() is not None or time.monotonic() > deadline:
            process.kill()
            raise TimeoutError(f"{command[:3]} does not listen on its port. {log.read_text(errors='replace')[-2000:]}")
        time.sleep(0.05)
    return process


Process = subprocess.Popen[bytes]


def listens(port: int) -> bool:
    """Return whether a process listens on the port."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def children(pid: int) -> list[int]:
    """Return the processes that a process has started."""
    with suppress(OSError):
        tasks = (PROC / str(pid) / "task").iterdir()
        return [int(child) for task in tasks for child in (task / "children").read_text().split()]
    return []


def processor_seconds(pid: int) -> float:
    """Return the processor time that a process and all that come from it have used."""
    clock = ~pid << 3 | 2  # what clock_getcpuclockid(3) gives on Linux
    return time.clock_gettime(clock) + sum(map(processor_seconds, children(pid)))
