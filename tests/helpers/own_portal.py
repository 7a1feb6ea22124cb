"""A portal of its own for a storm or a benchmark: settings that touch nothing of the user's, and its processes.

Processes are looked at in ``/proc``, so this needs Linux.
"""

import os
import secrets
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import django

from dynamodb_lists.connection import engine

ROOT = Path(__file__).resolve().parents[2]
PROC = Path("/proc")
TICKS = os.sysconf("SC_CLK_TCK")
START_SECONDS = 120.0
KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "VIRTUAL_ENV", "DYNOXIDE_BINARY")
"""The variables of the user's environment that processes need to start."""

TOKEN = "OWN_PORTAL"
"""The variable by which every process is found that was started since :func:`boot`, however often it was forked."""


def boot(folder: Path, **others: str) -> None:
    """Configure Django for this process and its children, with all data in a folder, and other variables if need be.

    Nothing of the user's environment, ``.env`` or ``var/`` is read or written. Call it before any model is imported.
    """
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    os.environ.clear()
    os.environ |= kept | {
        TOKEN: secrets.token_hex(8),
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
    """Whether a process listens on the port."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    with suppress(OSError):
        tasks = (PROC / str(pid) / "task").iterdir()
        return [int(child) for task in tasks for child in (task / "children").read_text().split()]
    return []


def processor_seconds(pid: int) -> float:
    """The processor time that a process and all that come from it have used."""
    fields = (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS + sum(map(processor_seconds, children(pid)))


def thread_seconds(pid: int) -> float:
    """The processor time of all threads of a process that run now: more exact than that of the whole process."""
    times = ((thread / "schedstat").read_text() for thread in (PROC / str(pid) / "task").iterdir())
    return sum(int(text.split()[0]) for text in times) / 1e9


def left_over() -> Iterator[tuple[int, str]]:
    """Every process that was started since :func:`boot`, with its command line; without this one."""
    token = f"{TOKEN}={os.environ[TOKEN]}"
    for folder in PROC.glob("[0-9]*"):
        with suppress(OSError):
            if int(folder.name) != os.getpid() and token in (folder / "environ").read_text(errors="replace").split(
                "\0"
            ):
                yield int(folder.name), (folder / "cmdline").read_text().replace("\0", " ").strip()


def kill_left_over() -> list[str]:
    """Kill every process that was started since :func:`boot`; returns their command lines."""
    found = list(left_over())
    for pid, _ in found:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return [command for _, command in found if command]
