"""A server of a small application, in processes of its own: ``python -m tests.helpers.serving '{"threads": 4}'``."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from typing import Any

from django.conf import settings

from dynamodb_lists.connection import engine
from dynamodb_lists.tests.helpers.waiting import PATIENCE, eventually

PART = b"x" * 65_536


@dataclass
class Served:
    """A running server: the master process, and the port."""

    process: "subprocess.Popen[bytes]"
    port: int

    def get(self) -> HTTPResponse:
        """Return the answer to a request on a connection of its own. It has been read."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("GET", "/")
        response = connection.getresponse()
        response.read()
        connection.close()
        return response

    def connect(self, sent: bytes = b"") -> socket.socket:
        """Return a connection that has sent these bytes."""
        client = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
        client.sendall(sent)
        return client

    def workers(self) -> list[int]:
        """Return the numbers of the processes that serve."""
        done = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True, check=False)
        return [int(number) for number in done.stdout.split()]


@contextmanager
def serving(**options: Any) -> Iterator[Served]:
    """A server with these options. ``stalled`` is how many seconds a client may stall."""
    port = engine.free_port()
    command = [sys.executable, "-m", "tests.helpers.serving", json.dumps({"address": f"127.0.0.1:{port}", **options})]
    process = subprocess.Popen(command, cwd=settings.BASE_DIR, stdout=subprocess.PIPE, start_new_session=True)
    assert process.stdout
    try:
        assert process.stdout.readline().startswith(b"Serving on")
        served = Served(process, port)
        assert eventually(lambda: len(served.workers()) == options.get("processes", 2))
        yield served
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterator[bytes]:
    """Yield a page that waits, a long answer, or what the application knows about the request."""
    path, query = environ["PATH_INFO"], environ["QUERY_STRING"]
    environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    if path == "/wait":
        time.sleep(float(query))
    start_response("200 OK", [("Content-Type", "text/plain")])
    if path == "/long":
        yield from (PART for _ in range(int(query)))
    forwarded = {name: value for name, value in environ.items() if "FORWARDED" in name}
    yield json.dumps([environ["REMOTE_ADDR"], environ["wsgi.url_scheme"], forwarded]).encode()


if __name__ == "__main__":
    settings.configure(SERVER_THREADS=16)

    from hotelapp import serving as server

    options = json.loads(sys.argv[1])
    server.STALLED_SECONDS |= dict.fromkeys(server.STALLED_SECONDS, options.pop("stalled", 10))
    server.serve(application, server.ServerOptions(**options))
