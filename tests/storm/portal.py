"""The processes of the storm: engine, proxy and server, each of which can be started, stopped and killed."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from random import Random

from django.conf import settings

from dynamodb_lists.connection import engine
from tests.storm.boot import ROOT, TOKEN
from tests.storm.proxy import Proxy

SERVER = [sys.executable, "-m", "hotelapp.serving"]
START_SECONDS, STOP_SECONDS = 30.0, 10.0
READ_TIMEOUT = 1
"""Seconds after which the portal gives up waiting for an answer of the engine. The default is too long for a storm."""

PROC = Path("/proc")


class Portal:
    """The portal under test. ``work`` is the folder of its logs; the data are where the settings say."""

    def __init__(self, work: Path, random: Random) -> None:
        self.work = work
        self.port = engine.free_port()
        self.proxy = Proxy(f"http://127.0.0.1:{settings.DYNAMODB_ENGINE_PORT}", random.getrandbits(32))
        self.proxy.start()
        self.server: subprocess.Popen[bytes] | None = None
        self._engine: engine.Engine | None = None
        self._server_pids: list[int] = []

    @property
    def server_log(self) -> Path:
        """What the server has written."""
        return self.work / "server.log"

    @property
    def environment(self) -> Mapping[str, str]:
        """The environment of the server and of commands: they reach the engine through the proxy."""
        return {
            **os.environ,
            "DYNAMODB_ENDPOINT_URL": self.proxy.url,
            "DYNAMODB_READ_TIMEOUT": str(READ_TIMEOUT),
            "SERVER_ADDRESS": f"127.0.0.1:{self.port}",
        }

    @property
    def engine_pid(self) -> int:
        """The engine's process."""
        assert self._engine, "the engine is not started"
        return self._engine.process.pid

    def start_engine(self) -> None:
        """Start the engine on its file, in place of one that has ended."""
        if self._engine:
            self._engine.stop()
        binary, port = engine.find_binary(ROOT), settings.DYNAMODB_ENGINE_PORT
        self._engine = engine.start(binary, port, settings.DYNAMODB_ENGINE_FILE, self.work / "engine.log")

    def engine_ended(self) -> bool:
        """Whether the engine's process has ended."""
        return self._engine is not None and self._engine.process.poll() is not None

    def signal_engine(self, sign: signal.Signals) -> None:
        """Send a signal to the engine."""
        os.kill(self.engine_pid, sign)
        if sign is signal.SIGKILL:
            assert self._engine
            self._engine.process.wait()

    def start_server(self) -> None:
        """Start the server, and return once it answers. Raises :class:`TimeoutError`."""
        with self.server_log.open("ab") as log:
            self.server = subprocess.Popen(
                SERVER, env=self.environment, cwd=ROOT, stdout=log, stderr=log, start_new_session=True
            )
        deadline = time.monotonic() + START_SECONDS
        while not listens(self.port):
            if time.monotonic() > deadline or self.server.poll() is not None:
                raise TimeoutError(f"The server did not start; see {self.server_log}.")
            time.sleep(0.05)

    def kill_worker(self, random: Random) -> bool:
        """Kill one of the server's workers; whether there was one. A server of a single process has none."""
        assert self.server
        workers = children(self.server.pid)
        if workers:
            with suppress(ProcessLookupError):
                os.kill(random.choice(workers), signal.SIGKILL)
        return bool(workers)

    def kill_server(self) -> None:
        """Kill the server's first process, which cannot end the others then. They must end by themselves."""
        assert self.server
        self._server_pids = children(self.server.pid)
        self.server.kill()
        self.server.wait()

    def kill_orphans(self) -> None:
        """Kill what is left of a server whose first process was killed."""
        for pid in self._server_pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def stop_server(self) -> bool:
        """Stop the server as the demo does; whether it ended within its time."""
        if self.server is None or self.server.poll() is not None:
            return True
        self.server.terminate()
        try:
            self.server.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.server.kill()
            self.server.wait()
            return False
        return True

    def stop_engine(self) -> None:
        """Stop the engine."""
        if self._engine:
            self._engine.stop()


def listens(port: int) -> bool:
    """Whether a process listens on the port."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def wait_until_free(port: int, seconds: float) -> bool:
    """Whether the port becomes free within some seconds."""
    deadline = time.monotonic() + seconds
    while (taken := listens(port)) and time.monotonic() < deadline:
        time.sleep(0.1)
    return not taken


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    with suppress(OSError):
        return [int(child) for task in (PROC / str(pid) / "task").iterdir() for child in _words(task / "children")]
    return []


def left_over() -> Iterator[tuple[int, str]]:
    """Every process that the storm has started, with its command line; without the storm itself and the engine."""
    token = f"{TOKEN}={os.environ[TOKEN]}"
    for folder in PROC.iterdir():
        if re.fullmatch(r"\d+", folder.name) and int(folder.name) != os.getpid():
            with suppress(OSError):
                if token in (folder / "environ").read_text(errors="replace").split("\0"):
                    yield int(folder.name), (folder / "cmdline").read_text().replace("\0", " ").strip()


def kill_left_over() -> list[str]:
    """Kill every process that the storm has started; returns their command lines."""
    found = list(left_over())
    for pid, _ in found:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return [command for _, command in found if command]


def _words(file: Path) -> list[str]:
    return file.read_text().split()
