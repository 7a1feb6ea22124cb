"""A proxy between a client and an HTTP server that loses requests and answers, as networks do.

It passes everything on until it is told to fail::

    with Proxy("http://127.0.0.1:8765") as proxy, proxy.failing(Fault.LOSE, "PutItem", times=1) as fault:
        ...  # a client that sends to proxy.url
    assert fault.met == 1

It is thread-safe, knows nothing of the project, and may stand before DynamoDB or before the portal.
"""

import select
import socket
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from http.client import HTTPConnection, HTTPException, HTTPResponse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from threading import Event, Lock, Thread
from typing import Any
from urllib.parse import urlsplit

LONG = 60.0
"""Seconds after which a client that waits for ever is dropped."""

WATCH_SECONDS = 0.02
NOT_PASSED_ON = {"connection", "keep-alive", "transfer-encoding", "content-length"}


class Fault(StrEnum):
    """What happens to a request. The first two never reach the server; the others do."""

    CLOSE = "close before passing on"
    HANG = "hang, and never pass on"
    LATE = "hang, and pass on once the client has given up"
    LOSE = "pass on, and close instead of answering"
    STALL = "pass on, and hang instead of answering"
    CUT = "pass on, and send half of the answer"
    BLANK = "pass on, and send an answer without a body"


@dataclass
class Failing:
    """The requests that fail, and how: the next ``times`` of these operations, or a ``share``. ``met`` counts them."""

    fault: Fault
    operations: Collection[str]
    times: float
    share: float
    met: int = 0


class Proxy:
    """A proxy before the server at ``upstream``. Use it as a context manager, or call :meth:`start` and :meth:`stop`.

    ``seed`` makes the choice of a share of requests repeatable.
    ``open`` is the number of requests that are not done with: their clients may have gone, but they may still arrive.
    """

    def __init__(self, upstream: str, seed: int = 1) -> None:
        self.upstream, self.open = upstream, 0
        self._random, self._lock = Random(seed), Lock()
        self._failing: Failing | None = None
        self._server: _Server | None = None
        self._port = 0

    def __enter__(self) -> "Proxy":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def url(self) -> str:
        """The address to send to. It stays the same while connections are refused."""
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        """Listen, on the same port as before if there was one. A second call does nothing."""
        if self._server:
            return
        server = _Server(("127.0.0.1", self._port), self)
        self._server, self._port = server, server.server_address[1]
        Thread(target=server.serve_forever, args=(WATCH_SECONDS,), daemon=True, name="proxy").start()

    def stop(self) -> None:
        """Close all connections, and refuse new ones, as if nobody listened. A second call does nothing."""
        if self._server:
            self._server.end()
        self._server = None

    @contextmanager
    def failing(
        self, fault: Fault, *operations: str, times: float = float("inf"), share: float = 1.0
    ) -> Iterator[Failing]:
        """Let requests of these operations fail inside the block, or of all. Blocks are not inside one another."""
        self._failing = failing = Failing(fault, operations, times, share)
        try:
            yield failing
        finally:
            self._failing = None

    @contextmanager
    def serving(self) -> Iterator[None]:
        """Count a request as open inside the block."""
        with self._lock:
            self.open += 1
        try:
            yield
        finally:
            with self._lock:
                self.open -= 1

    def fault_of(self, operation: str) -> Fault | None:
        """Return what happens to the next request of this operation; ``None`` if it is passed on unharmed."""
        with self._lock:
            failing = self._failing
            if failing is None or failing.met >= failing.times or operation not in (failing.operations or [operation]):
                return None
            if self._random.random() >= failing.share:
                return None
            failing.met += 1
            return failing.fault


class _Server(ThreadingHTTPServer):
    """One listening socket, and its connections."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], proxy: Proxy) -> None:
        self.proxy, self.ended = proxy, Event()
        self.connections: set[socket.socket] = set()
        super().__init__(address, _Connection)

    def end(self) -> None:
        """Close the listening socket and every connection."""
        self.ended.set()
        self.shutdown()
        self.server_close()
        for connection in list(self.connections):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a connection in a thread of its own."""
        self.connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Close a connection."""
        self.connections.discard(request)
        super().shutdown_request(request)

    def handle_error(self, *_: object) -> None:
        """A client that closes its connection is no news."""


class _Connection(BaseHTTPRequestHandler):
    """A client's connection, with a connection of its own to the server."""

    server: _Server
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def setup(self) -> None:
        """Prepare the connection to the server, which is opened by the first request."""
        super().setup()
        self.upstream = HTTPConnection(urlsplit(self.server.proxy.upstream).netloc, timeout=LONG)

    def finish(self) -> None:
        """Close the connection to the server, too."""
        self.upstream.close()
        with suppress(OSError, ValueError):
            super().finish()

    def __getattr__(self, name: str) -> Any:
        """Serve every method alike."""
        if name.startswith("do_"):
            return self._serve
        raise AttributeError(name)

    def log_message(self, *_: object) -> None:
        """Nothing."""

    def _serve(self) -> None:
        """Pass one request on, unless it is to fail."""
        with self.server.proxy.serving():
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            fault = self.server.proxy.fault_of(self._operation())
            if fault in {Fault.HANG, Fault.LATE}:
                self._wait_for_the_client_to_go()
            answer = None if fault in {Fault.HANG, Fault.CLOSE} else self._pass_on(body)
            if fault == Fault.STALL:
                self._wait_for_the_client_to_go()
            if answer is None or fault in {Fault.LATE, Fault.LOSE, Fault.STALL}:
                self.close_connection = True
            else:
                self._answer(*answer, fault)

    def _operation(self) -> str:
        """Return the operation of DynamoDB, or the HTTP method of any other request."""
        return self.headers.get("X-Amz-Target", "").rpartition(".")[2] or self.command

    def _pass_on(self, body: bytes) -> tuple[HTTPResponse, bytes] | None:
        """Return the server's answer; ``None`` if it cannot be had."""
        headers = {name: value for name, value in self.headers.items() if name.lower() not in NOT_PASSED_ON}
        try:
            self.upstream.request(self.command, self.path, body, headers)
            response = self.upstream.getresponse()
            return response, response.read()
        except (OSError, HTTPException):
            return None

    def _answer(self, response: HTTPResponse, body: bytes, fault: Fault | None) -> None:
        self.send_response_only(response.status, response.reason)
        for name, value in response.getheaders():
            if name.lower() not in NOT_PASSED_ON:
                self.send_header(name, value)
        if response.status not in {204, 304}:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if fault in {Fault.CUT, Fault.BLANK}:
            self.close_connection = True
            body = body[: len(body) // 2] if fault == Fault.CUT else b""
        if self.command != "HEAD":
            self.wfile.write(body)

    def _wait_for_the_client_to_go(self) -> None:
        """Wait until the client closes its connection, at most a minute."""
        ends = time.monotonic() + LONG
        while time.monotonic() < ends and not self.server.ended.is_set():
            ready, _, _ = select.select([self.connection], [], [], WATCH_SECONDS)
            if ready and not self.connection.recv(1, socket.MSG_PEEK):
                return
