"""What fails in a storm: the engine, the proxy before it, the server, and the disk with the data of both."""

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from random import Random

from django.conf import settings

from dynamodb_lists.connection import engine
from tests.helpers.own_portal import ROOT, Process, children, listens, start
from tests.helpers.proxy import Proxy

STOP_SECONDS = 10.0
READ_TIMEOUT = 1
"""Seconds after which the portal gives up waiting for an answer of the engine. The default is too long for a storm."""


class Portal:
    """The portal under test. ``work`` is the folder of its logs; the data are where the settings say."""

    def __init__(self, work: Path, random: Random) -> None:
        self.work, self.server_log = work, work / "server.log"
        self.port = engine.free_port()
        self.proxy = Proxy(f"http://127.0.0.1:{settings.DYNAMODB_ENGINE_PORT}", random.getrandbits(32))
        self.proxy.start()
        self.server: Process | None = None
        self.engine: engine.Engine | None = None
        self._server_pids: list[int] = []

    @property
    def environment(self) -> Mapping[str, str]:
        """The variables of the server and of commands: they reach the engine through the proxy."""
        return {
            "DYNAMODB_ENDPOINT_URL": self.proxy.url,
            "DYNAMODB_READ_TIMEOUT": str(READ_TIMEOUT),
            "SERVER_ADDRESS": f"127.0.0.1:{self.port}",
        }

    def start_engine(self) -> None:
        """Start the engine on its file, in place of one that has ended."""
        self.stop_engine()
        binary, port = engine.find_binary(ROOT), settings.DYNAMODB_ENGINE_PORT
        self.engine = engine.start(binary, port, settings.DYNAMODB_ENGINE_FILE, self.work / "engine.log")

    def stop_engine(self) -> None:
        """Stop the engine."""
        if self.engine:
            self.engine.stop()

    def signal_engine(self, sign: signal.Signals) -> None:
        """Send a signal to the engine, and wait for its end if it kills."""
        assert self.engine
        self.engine.process.send_signal(sign)
        if sign is signal.SIGKILL:
            self.engine.process.wait()

    def start_server(self) -> None:
        """Start the server, and return once it answers. Raises :class:`TimeoutError`."""
        command = [sys.executable, "-m", "hotelapp.serving"]
        self.server = start(command, self.port, self.environment, self.server_log)

    def kill_worker(self, random: Random) -> None:
        """Kill one of the server's workers."""
        assert self.server
        if workers := children(self.server.pid):
            with suppress(ProcessLookupError):
                os.kill(random.choice(workers), signal.SIGKILL)

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

    def port_is_free(self, seconds: float = 0.0) -> bool:
        """Whether nothing listens on the server's port any more, within some seconds."""
        deadline = time.monotonic() + seconds
        while (taken := listens(self.port)) and time.monotonic() < deadline:
            time.sleep(0.1)
        return not taken


class Disk:
    """The disk with the portal's data, a small file system in memory. Only root can mount one and fill it up."""

    SIZE = "512m"
    BLOCKS = (2**20, 2**12, 1)
    """Bytes that it is filled up with: large blocks first, then what is left."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.filler = folder, folder / "filler"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        mount = ["mount", "-t", "tmpfs", "-o", f"size={self.SIZE},mode=0700", "tmpfs", str(folder)]
        self.mounted = os.geteuid() == 0 and subprocess.run(mount, capture_output=True, check=False).returncode == 0

    def fill(self) -> bool:
        """Let every write fail that needs more room; whether the disk is full."""
        with self.filler.open("wb", buffering=0) as filler:
            for size in self.BLOCKS:
                try:
                    while filler.write(b"\0" * size):
                        pass
                except OSError as error:
                    full = error.errno == errno.ENOSPC
        return full

    def free(self) -> None:
        """Let writes work again."""
        self.filler.unlink(missing_ok=True)

    def unmount(self) -> None:
        """Remove the file system and all that is in it."""
        if self.mounted:
            subprocess.run(["umount", "--lazy", str(self.folder)], check=False)
