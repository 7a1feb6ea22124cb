"""The embedded engine (dynoxide): find the binary, start it, wait until it listens, stop it.

dynoxide speaks DynamoDB's HTTP API. It stores the data in one SQLite file, or in memory if there is no file. It comes
from npm as ``@dynoxide/<platform>``. ``DYNOXIDE_BINARY`` names another binary; without either, the PATH is searched.
"""

import fcntl
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from dynamodb_lists.connection.errors import DynamoDBError

HOST = "127.0.0.1"
START_SECONDS = 60.0
STOP_SECONDS = 3.0  # then it is killed, which loses nothing: SQLite writes ahead
LISTENS = b"listening on"  # dynoxide writes this once it listens on its port
MESSAGE_BYTES = 1000
OTHERS = 0o077  # SQLite creates its files with the mode 644, so that everybody on the machine may read the data


class EngineError(DynamoDBError):
    """The embedded engine is missing or does not start. The message says what to do."""


@dataclass
class Engine(AbstractContextManager["Engine"]):
    """A running engine. Use it as a context manager, or call :meth:`stop`."""

    process: subprocess.Popen[bytes]
    url: str
    lock: IO[str] | None = None

    def stop(self) -> None:
        """Stop the engine and wait until its process has ended. A second call does nothing."""
        stop(self.process, STOP_SECONDS)
        if self.lock:
            self.lock.close()

    def __exit__(self, *_: object) -> None:
        self.stop()


def stop(process: subprocess.Popen[bytes], seconds: float) -> None:
    """Stop a process that leads a group. After ``seconds``, kill every process of the group."""
    process.terminate()
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def find_binary(root: Path) -> Path:
    """Return the path of the engine: ``DYNOXIDE_BINARY``, else the npm package below ``root``, else ``dynoxide`` on the
    PATH.

    Raises: :class:`EngineError` if there is none.
    """
    if named := os.environ.get("DYNOXIDE_BINARY"):
        return Path(named)
    packaged = root / "node_modules" / "@dynoxide"
    binary = next(packaged.glob("*/dynoxide"), None) or shutil.which("dynoxide")  # npm installs that of this machine
    if binary is None:
        raise EngineError(f"The embedded engine is not installed ({packaged} has none). Run: npm install")
    return Path(binary)


def start(
    binary: Path,
    port: int,
    file: Path | None = None,
    log: Path | None = None,
    *,
    host: str = HOST,
    preexec_fn: Callable[[], None] | None = None,
) -> Engine:
    """Start the engine on an address of this machine and return once it listens.

    The engine has no access control, and lets every web page of every origin call it. So ``host`` must be a loopback
    address, and what it holds is open to every user of this machine.

    ``file`` holds the data; without a file, they are in memory. ``preexec_fn`` is called in the new process.
    Raises :class:`EngineError` if another engine uses the file, and with the engine's last line if the process ends, or
    does not listen within a minute.
    """
    lock = locked(file) if file else None
    command = [str(binary), "serve", "--host", host, "--port", str(port)]
    command += ["--db-path", str(file)] if file else []
    with open(log, "a+b", opener=_private) if log else tempfile.TemporaryFile() as output:
        log_end = output.tell()  # earlier engines wrote to the same log
        try:
            process = subprocess.Popen(
                command,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C does not stop the engine; the program stops it, last of all
                pass_fds=[lock.fileno()] if lock else [],  # so the file stays locked even if the program is gone
                preexec_fn=preexec_fn,  # noqa: PLW1509 (only the demo has one, which has no other thread then)
                umask=OTHERS,
            )
        except OSError as error:
            if lock:
                lock.close()
            raise EngineError(f"The embedded engine does not start: {error}. Run: npm install") from error
        engine = Engine(process, f"http://{host}:{port}", lock)
        _wait(engine, lambda: os.pread(output.fileno(), MESSAGE_BYTES, log_end), log)
    if lock:
        with suppress(OSError):  # a full disk; the number is only for messages
            lock.truncate(0)
            os.write(lock.fileno(), str(process.pid).encode())
    return engine


def locked(file: Path) -> IO[str]:
    """Open and lock the file that a running engine of ``file`` holds. Raises: :class:`EngineError` with its process."""
    file.parent.mkdir(parents=True, exist_ok=True)
    lock = open(file.with_suffix(".lock"), "a+", opener=_private)  # noqa: SIM115 (a running engine holds it)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.seek(0)
        owner = lock.read().strip() or "unknown"
        lock.close()
        raise EngineError(
            f"Another engine (process {owner}) is using {file}. Stop its program, or run: kill {owner}"
        ) from error
    return lock


def _private(path: str, flags: int) -> int:
    """Open a file. A new file can be read by its owner alone."""
    return os.open(path, flags, 0o600)


def free_port(wanted: int = 0, host: str = HOST) -> int:
    """Return ``wanted`` if that port is free, else one that the system chooses. Raises: :class:`EngineError`."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, wanted))
        except OSError as error:
            if not wanted:
                raise EngineError(f"This machine has no address {host}: {error}") from error
            return free_port(host=host)
        return int(probe.getsockname()[1])


def _wait(engine: Engine, output: Callable[[], bytes], log: Path | None) -> None:
    """Wait until the engine's output says that it listens. Another program may answer on the port instead."""
    deadline = time.monotonic() + START_SECONDS
    while engine.process.poll() is None and time.monotonic() < deadline:
        if LISTENS in output():
            return
        time.sleep(0.005)
    engine.stop()
    *_, last = output().decode(errors="replace").strip().splitlines() or ["It said nothing."]
    where = f" Its log is {log}." if log else ""
    raise EngineError(f"The embedded engine did not start on {engine.url}: {last.removeprefix('error: ')}{where}")
