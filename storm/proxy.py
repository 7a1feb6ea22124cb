"""A proxy between the portal and the engine that hangs, closes connections, or loses answers."""

import socket
from contextlib import suppress
from enum import StrEnum
from random import Random
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Event, Thread
from typing import Protocol

HANG_SECONDS = 30.0
"""How long a request hangs at most. It ends when the proxy's manner changes."""

UPSTREAM_SECONDS = 30.0


class Manner(StrEnum):
    """What the proxy does with a request."""

    PASS = "pass"
    CLOSE = "close"
    """Close the connection. The engine does not see the request."""

    LOSE = "lose"
    """Let the engine do what it is asked, and close the connection instead of answering."""

    HANG = "hang"
    """Let the engine do what it is asked, and never answer."""


class Readable(Protocol):
    """A file that can be read."""

    def readline(self) -> bytes:
        """The next line."""

    def read(self, size: int) -> bytes:
        """The next bytes."""


class Proxy(ThreadingTCPServer):
    """A proxy for HTTP/1.1, in threads. While its manner is not ``PASS``, a ``share`` of the requests suffers."""

    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 128

    def __init__(self, target: int, random: Random) -> None:
        super().__init__(("127.0.0.1", 0), _Connection)
        self.target = target
        self.port: int = self.server_address[1]
        self._random = random
        self._manner, self._share = Manner.PASS, 0.0
        self.changed = Event()
        Thread(target=self.serve_forever, name="proxy", daemon=True).start()

    def behave(self, manner: Manner, share: float = 1.0) -> None:
        """Treat a share of the requests in another manner from now on. Requests that hang are closed."""
        self._manner, self._share = manner, share
        self.changed.set()
        self.changed = Event()

    def manner(self) -> Manner:
        """What to do with the next request."""
        return self._manner if self._random.random() < self._share else Manner.PASS

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: connections break all the time."""

    def close(self) -> None:
        """Stop. The port is free then."""
        self.changed.set()
        self.shutdown()
        self.server_close()


class _Connection(StreamRequestHandler):
    """A connection of the portal, with a connection of its own to the engine."""

    server: Proxy
    disable_nagle_algorithm = True

    def handle(self) -> None:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.server.target), UPSTREAM_SECONDS) as engine:
            engine.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)
            with engine.makefile("rb") as answers:
                while (request := read_message(self.rfile)) and self._pass_on(request, engine, answers):
                    pass

    def _pass_on(self, request: bytes, engine: socket.socket, answers: Readable) -> bool:
        """Whether the connection goes on after this request."""
        changed, manner = self.server.changed, self.server.manner()
        if manner is Manner.CLOSE:
            return False
        engine.sendall(request)
        answer = read_message(answers)
        if manner is Manner.HANG:
            changed.wait(HANG_SECONDS)
        if manner is Manner.PASS:
            self.wfile.write(answer)
        return bool(answer) and manner is Manner.PASS


def read_message(file: Readable) -> bytes:
    """The next request or answer, head and body; empty if the connection was closed before its end."""
    lines = [file.readline()]
    while lines[-1] not in {b"\r\n", b""}:
        lines.append(file.readline())
    if not lines[-1]:
        return b""
    fields = dict(line.lower().split(b":", 1) for line in lines[1:-1])
    if b"chunked" in fields.get(b"transfer-encoding", b""):
        return b"".join(lines) + _chunks(file)
    length = int(fields.get(b"content-length", b"0"))
    body = file.read(length)
    return b"".join([*lines, body]) if len(body) == length else b""


def _chunks(file: Readable) -> bytes:
    parts = []
    while True:
        line = file.readline()
        size = int(line.split(b";")[0] or b"0", 16)
        parts += [line, file.read(size + 2)]
        if not size:
            return b"".join(parts)
