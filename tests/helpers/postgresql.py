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
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dynamodb_lists.connection import engine

OWNER = "postgres"
OPTIONS = "-c fsync=off -c listen_addresses=127.0.0.1 -c unix_socket_directories="


@contextmanager
def running() -> Iterator[str]:
    """The URL of a new, empty cluster. ``pg_ctl`` waits until it answers, and fails if it does not."""
    user = OWNER if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        data, log, port = f"{folder}/data", f"{folder}/log", engine.free_port()
        if user:
            shutil.chown(folder, user)

        def run(program: str, *options: str) -> None:
            command = [_path(program), "-D", data, *options]
            subprocess.run(command, check=True, cwd=folder, user=user, stdout=subprocess.DEVNULL)

        run("initdb", "--auth=trust", f"--username={OWNER}", "--no-sync")
        run("pg_ctl", "--log", log, "-o", f"{OPTIONS} -p {port}", "--wait", "start")
        try:
            yield f"postgres://{OWNER}@127.0.0.1:{port}/postgres"
        finally:
            run("pg_ctl", "--mode=immediate", "stop")  # nothing is kept


def _path(program: str) -> str:
    """Return the path of a program. Debian keeps those of the server away from the ``PATH``."""
    found = shutil.which(program) or next(map(str, sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{program}"))), None)
    if found is None:
        raise RuntimeError(f"{program} is missing: install PostgreSQL (Debian: apt-get install postgresql).")
    return found


def main(command: list[str]) -> int:
    """Run a command whose ``TEST_DATABASE_URL`` names the cluster; returns its status."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the cluster is stopped, too
    with running() as url:
        return subprocess.run(command, check=False, env={**os.environ, "TEST_DATABASE_URL": url}).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
