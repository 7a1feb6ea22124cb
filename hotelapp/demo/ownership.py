"""One demo at a time owns the folder ``var``. What an earlier one left running is found and stopped.

``kill -9`` of the demo, or of make, leaves the engine and the server behind. They have inherited an open, locked file
of the demo. So nothing needs to be noted while they run, and no process number can be mistaken: the processes to stop
are those that hold the lock.
"""

import fcntl
import json
import os
import select
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO

from hotelapp import private_files

DEMO_LOCK, PROCESSES_LOCK = "demo.lock", "processes.lock"
STOP_SECONDS, KILL_SECONDS = 10.0, 30.0
PROC = Path("/proc")


class FolderInUse(Exception):
    """Another demo runs in this folder. The message says where, and how to stop it."""


@contextmanager
def owned(folder: Path, port: int, say: Callable[[str], object]) -> Iterator[int]:
    """Own the folder. The value is an open file that every process of this demo must inherit.

    It stops what an earlier demo left behind, and says so. Raises :class:`FolderInUse` if another demo runs.
    """
    with ExitStack() as stack:
        demo = stack.enter_context(_open(folder / DEMO_LOCK))
        if not _lock(demo) and not (_is_left_behind(demo) and _stop_holders(demo, say)):
            raise FolderInUse(_message(demo))
        processes = stack.enter_context(_open(folder / PROCESSES_LOCK))
        if not _lock(processes) and not _stop_holders(processes, say):
            raise FolderInUse(f"Processes of an earlier demo hold {processes.name}. Stop those that lsof names for it.")
        _note(demo, port)
        yield processes.fileno()


def parent_is_gone(parent: int) -> bool:
    """Whether the make that started this process has ended. ``parent`` is 0 if it was not make."""
    return bool(parent) and os.getppid() != parent


def parent() -> int:
    """The number of the process that started this one, if that is make; else 0, because a shell may end."""
    return os.getppid() if "MAKELEVEL" in os.environ else 0


def _open(file: Path) -> IO[str]:
    private_files.make_file(file)
    return file.open("a+", encoding="utf-8")


def _lock(file: IO[str]) -> bool:
    with suppress(BlockingIOError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False


def _note(demo: IO[str], port: int) -> None:
    """Write down who owns the folder. Only messages need it, and the question whether make is gone."""
    with suppress(OSError):  # a full disk
        demo.truncate(0)
        os.write(demo.fileno(), json.dumps({"pid": os.getpid(), "parent": parent(), "port": port}).encode())


def _noted(demo: IO[str]) -> dict[str, int]:
    demo.seek(0)
    with suppress(ValueError):
        noted: dict[str, int] = json.loads(demo.read())
        return noted
    return {}


def _message(demo: IO[str]) -> str:
    noted = _noted(demo)
    pid = noted.get("pid", "unknown")
    return (
        f"This demo runs already: http://localhost:{noted.get('port', '?')}/ (process {pid}). "
        f"Stop it with Ctrl-C where it runs, or run: kill {pid}"
    )


def _is_left_behind(demo: IO[str]) -> bool:
    """Whether the make that started the owner has ended, so that nobody can stop the owner with Ctrl-C."""
    noted = _noted(demo)
    with suppress(OSError, KeyError):
        status = (PROC / str(noted["pid"]) / "status").read_text(encoding="utf-8")
        return bool(noted["parent"]) and f"\nPPid:\t{noted['parent']}\n" not in status
    return False


def _stop_holders(file: IO[str], say: Callable[[str], object]) -> bool:
    """Stop the processes that hold the lock, first kindly. Returns whether the file could be locked then."""
    with ExitStack() as stack:
        holders = dict(_holders(file, stack))
        if holders:
            say("Stopping what an earlier demo left running: " + ", ".join(f"process {pid}" for pid in holders))
        for sign, seconds in ((signal.SIGTERM, STOP_SECONDS), (signal.SIGKILL, KILL_SECONDS)):
            for handle in holders.values():
                with suppress(ProcessLookupError):
                    signal.pidfd_send_signal(handle, sign)
                    signal.pidfd_send_signal(handle, signal.SIGCONT)  # a stopped process does not see SIGTERM
            if _wait_for(file, list(holders.values()), seconds):
                return True
    return False


def _holders(file: IO[str], stack: ExitStack) -> Iterator[tuple[int, int]]:
    """The processes that hold the file's lock, each with a handle that cannot come to mean another process (Linux)."""
    wanted = os.fstat(file.fileno())
    for folder in PROC.glob("[0-9]*"):
        pid = int(folder.name)
        if pid == os.getpid():
            continue
        with suppress(OSError):  # it has ended, or belongs to another user
            handle = os.pidfd_open(pid)
            stack.callback(os.close, handle)
            if any(_holds(folder, link, wanted) for link in (folder / "fd").iterdir()):
                yield pid, handle


def _holds(folder: Path, link: Path, wanted: os.stat_result) -> bool:
    """Whether this open file of a process is the one that is locked. Somebody may merely read the same file."""
    with suppress(OSError):
        if os.path.samestat(link.stat(), wanted):
            return "\nlock:" in (folder / "fdinfo" / link.name).read_text(encoding="ascii")
    return False


def _wait_for(file: IO[str], handles: list[int], seconds: float) -> bool:
    """Wait until the processes have ended and the lock is free."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        handles = [handle for handle in handles if not select.select([handle], [], [], 0)[0]]
        if not handles and _lock(file):
            return True
        time.sleep(0.05)
    return False
