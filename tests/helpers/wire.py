"""Bytes on one connection to the portal's own server, which serves in this process and with the test's database."""

import logging
import os
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPResponse
from io import BytesIO
from types import SimpleNamespace
from typing import Any, NamedTuple

from gunicorn.workers.gthread import TConn

from hotelapp.serving import PortalServer, PortalWorker, ServerOptions


class Answer(NamedTuple):
    """An answer, as a client reads it that knows what it has asked for."""

    status: int
    headers: Any
    body: bytes


class _Stream(BytesIO):
    """Stays open when the first answer is read."""

    def close(self) -> None:
        pass


class _Log(logging.Logger):
    """The log of a worker, with what gunicorn adds to it."""

    def access(self, *_: object) -> None:
        pass


def request(method: str, url: str, *headers: str, body: bytes = b"") -> bytes:
    """Return a request in bytes."""
    sized = [f"Content-Length: {len(body)}"] if body else []
    return "\r\n".join([f"{method} {url} HTTP/1.1", "Host: testserver", *headers, *sized, "", ""]).encode() + body


def received(application: Any, *sent: bytes, **options: Any) -> bytes:
    """Return all that the server sends on a connection after these bytes. The client then sends no more."""
    server = PortalServer(application, ServerOptions(**options))
    arguments: Any = (1, os.getppid(), [], server, 30, server.cfg, _Log("gunicorn.error"))
    worker: Any = PortalWorker(*arguments)
    worker.wsgi = server.load()
    ours, theirs = socket.socketpair()
    with closing(worker.tmp), ThreadPoolExecutor(1) as pool, ours:
        reading = pool.submit(_exchange, ours, b"".join(sent))
        connection: Any = TConn(server.cfg, theirs, ("127.0.0.1", 1), ("127.0.0.1", 8000))
        while worker.handle(connection):
            pass
        connection.close(graceful=True)
        return reading.result()


def _exchange(client: socket.socket, sent: bytes) -> bytes:
    client.sendall(sent)
    client.shutdown(socket.SHUT_WR)
    return b"".join(iter(lambda: client.recv(1 << 16), b""))


def answers(raw: bytes, *methods: str) -> Iterator[Answer]:
    """Yield the answers to requests by these methods, one after the other. Nothing may follow."""
    stream = _Stream(raw)
    for method in methods:
        response = HTTPResponse(SimpleNamespace(makefile=lambda _: stream), method=method)  # type: ignore[arg-type]
        response.begin()
        yield Answer(response.status, response.headers, response.read())
    assert not stream.read(), "bytes that nobody asked for"
