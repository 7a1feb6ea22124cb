"""The folder in which the processes of one server count: prometheus-client's multiprocess mode.

Each process has files of its own in it, so whichever process is asked has the numbers of all. The folder is named after
the process that started the others. A worker that is killed leaves its numbers there, and they stay a part of the sums,
which never go down. A new server begins with an empty folder and removes those of servers that have ended. This needs
no hooks of the server, so it works with any that starts its workers as processes.
"""

import os
import shutil
import socket
import time
from pathlib import Path

FILE_BYTES = 1 << 21
FOREIGN_SECONDS = 24 * 3600
KINDS = ("counter", "histogram")


def prepared(root: Path) -> Path:
    """The folder of this process's server below ``root``, with this process's files in it.

    The files take their place on the disk at once, because a write to a mapped file kills the process if the disk is
    full. Raises ``OSError`` if it is full now.
    """
    folder = root / _identity(os.getppid())
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _remove_stale(root)
    for kind in KINDS:
        file = folder / f"{kind}_{os.getpid()}.db"  # the name that prometheus-client gives it
        if not file.exists():
            _reserve(file)
    return folder


def _reserve(file: Path) -> None:
    """Create a file of zeros under another name first, so that nobody reads a part of it."""
    unfinished = file.with_suffix(".new")
    with unfinished.open("wb") as output:
        os.posix_fallocate(output.fileno(), 0, FILE_BYTES)
    unfinished.rename(file)


def _remove_stale(root: Path) -> None:
    """Remove the folders of this machine's servers that have ended, and those of other machines after a day.

    Each new container is another machine to its volume.
    """
    host = socket.gethostname()
    for folder in root.iterdir():
        if not folder.name.startswith(f"{host}.") and folder.stat().st_mtime < time.time() - FOREIGN_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)
    for folder in root.glob(f"{host}.*"):
        pid = folder.name.removeprefix(f"{host}.").partition(".")[0]
        if pid.isdecimal() and folder.name != _identity(int(pid)):
            shutil.rmtree(folder, ignore_errors=True)


def _identity(pid: int) -> str:
    """A process's machine, number and start time; numbers are used again, so the time tells two servers apart."""
    try:
        started = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[19]
    except FileNotFoundError:
        started = "unknown"
    return f"{socket.gethostname()}.{pid}.{started}"
