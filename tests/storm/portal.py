"""What fails in a storm: the engine, the server, and the proxies before each of them."""

import os
import signal
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

STOP_SECONDS, ORPHAN_SECONDS = 10.0, 20.0
"""How long the server may live when it must stop, and its workers when it was killed. Requests have 8 seconds."""

READ_TIMEOUT = 1
"""Seconds after which the portal gives up waiting for an answer of the engine. The default is too long for a storm."""


class Portal:
    """The portal under test. ``work`` is the folder of its logs; the data are where the settings say."""

    server: Process | None = None
    engine: engine.Engine

    def __init__(self, work: Path, random: Random) -> None:
        self.work, self.server_log = work, work / "server.log"
        self.port = engine.free_port()
        self.before_engine = Proxy(f"http://127.0.0.1:{settings.DYNAMODB_ENGINE_PORT}", random.getrandbits(32))
        self.before_server = Proxy(f"http://127.0.0.1:{self.port}", random.getrandbits(32))
        self.before_engine.start()
        self.before_server.start()

    @property
    def environment(self) -> Mapping[str, str]:
        """The variables of the server and of commands: they reach the engine through its proxy."""
        return {
            "DYNAMODB_ENDPOINT_URL": self.before_engine.url,
            "DYNAMODB_READ_TIMEOUT": str(READ_TIMEOUT),
            "SERVER_ADDRESS": f"127.0.0.1:{self.port}",
        }

    def start_engine(self) -> None:
        """Start the engine on its file."""
        binary, port = engine.find_binary(ROOT), settings.DYNAMODB_ENGINE_PORT
        self.engine = engine.start(binary, port, settings.DYNAMODB_ENGINE_FILE, self.work / "engine.log")

    def kill_engine(self) -> None:
        """Kill the engine, and wait for its end."""
        self.engine.process.kill()
        self.engine.stop()

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

    def kill_server(self) -> bool:
        """Kill the server's first process, which cannot end the others then; whether they end by themselves in time."""
        assert self.server
        self.server.kill()
        return self._is_gone(ORPHAN_SECONDS)

    def _is_gone(self, seconds: float) -> bool:
        """Whether nothing listens on the server's port any more, within some seconds. What is left then is killed."""
        deadline = time.monotonic() + seconds
        while (taken := listens(self.port)) and time.monotonic() < deadline:
            time.sleep(0.1)
        if self.server:
            with suppress(ProcessLookupError):
                os.killpg(self.server.pid, signal.SIGKILL)
            self.server.wait()
        return not taken

    def stop(self) -> bool:
        """Stop everything; whether the server ended within its time."""
        if self.server:
            self.server.terminate()
        ended = self._is_gone(STOP_SECONDS)
        self.engine.stop()
        self.before_engine.stop()
        self.before_server.stop()
        return ended
