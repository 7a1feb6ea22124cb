"""PostgreSQL for tests of accounts: run a command with a throw-away cluster, and stop the cluster.

``make test DATABASE=postgresql`` runs pytest so. The cluster is in a temporary folder, listens on a free port of this
machine alone, and belongs to the user ``postgres`` if root starts it, because PostgreSQL refuses to run as root.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dynamodb_lists.connection import engine

START_SECONDS = 60.0
OWNER = "postgres"
OPTIONS = ("fsync=off", "listen_addresses=127.0.0.1", "unix_socket_directories=")


@contextmanager
def running() -> Iterator[str]:
    """The URL of a new, empty cluster. Raises :class:`RuntimeError` if PostgreSQL is missing or does not start."""
    user = OWNER if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        data, port = Path(folder) / "data", engine.free_port()
        if user:
            shutil.chown(folder, user)
        init = [_program("initdb"), "--auth=trust", f"--username={OWNER}", "--no-sync", "-D", str(data)]
        subprocess.run(init, check=True, cwd=folder, user=user, stdout=subprocess.DEVNULL)
        options = [part for option in OPTIONS for part in ("-c", option)]
        command = [_program("postgres"), "-D", str(data), "-p", str(port), *options]
        with (
            (Path(folder) / "log").open("w+") as log,
            subprocess.Popen(command, cwd=folder, user=user, stdout=log, stderr=log) as process,
        ):
            try:
                _wait(process, port, Path(log.name))
                yield f"postgres://{OWNER}@127.0.0.1:{port}/postgres"
            finally:
                process.send_signal(signal.SIGQUIT)  # ends at once; nothing is kept


def _wait(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    ready = [_program("pg_isready"), "--quiet", "--host=127.0.0.1", f"--port={port}"]
    deadline = time.monotonic() + START_SECONDS
    while subprocess.run(ready, check=False).returncode:
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"PostgreSQL did not start. {log.read_text()}")
        time.sleep(0.05)


def _program(name: str) -> str:
    """The path of a program. Debian keeps those of the server away from the ``PATH``."""
    found = shutil.which(name) or next(map(str, sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))), None)
    if found is None:
        raise RuntimeError(f"{name} is missing: install PostgreSQL (Debian: apt-get install postgresql).")
    return found


def main(command: list[str]) -> int:
    """Run a command whose ``TEST_DATABASE_URL`` names the cluster; returns its status."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the cluster is stopped, too
    with running() as url:
        return subprocess.run(command, check=False, env={**os.environ, "TEST_DATABASE_URL": url}).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
