"""Slow clients do not delay others, and are ended. The server runs as in production, with a small application."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from waitress.adjustments import Adjustments

from dynamodb_lists.tests.helpers.waiting import eventually
from hotelapp.serving.connections import TimedChannel
from hotelapp.serving.options import ServerOptions
from tests.helpers.serving import PART, Served, serving

HALF_A_HEADER = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
HALF_A_BODY = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\nname="
WHOLE = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
LONG_PARTS = 160  # 10 MB: more than the server keeps of an answer, so that a thread waits for the reader
READERS = 2  # a quarter of the threads: as many as there are exports at a time
LONG = b"GET /long?%d HTTP/1.1\r\nHost: localhost\r\n\r\n" % LONG_PARTS
SLOW = (("silent", b""), ("header", HALF_A_HEADER), ("body", HALF_A_BODY), ("idle", WHOLE), ("reader", LONG))
"""The kinds of slow clients, and what each sends before it stops."""


@pytest.fixture
def patient() -> Iterator[Served]:
    """A server that ends no client for being slow. It has room for few connections."""
    times = {"request_seconds": 600, "idle_seconds": 600, "read_seconds": 600}
    with serving(processes=1, threads=8, connections=250, **times) as served:
        yield served


@pytest.fixture
def strict() -> Iterator[Served]:
    """A server that ends slow clients soon."""
    with serving(processes=1, request_seconds=1, idle_seconds=1, read_seconds=1) as served:
        yield served


def test_two_hundred_slow_clients_of_all_kinds_delay_nobody(patient: Served) -> None:
    addresses = (f"127.0.{number // 250 + 1}.{number % 250 + 1}" for number in count())  # each has turns of its own
    with ExitStack() as stack:
        clients = {
            kind: [
                stack.enter_context(patient.connect(start, next(addresses)))
                for _ in range(READERS if kind == "reader" else 50)
            ]
            for kind, start in SLOW
        }
        for client in clients["header"]:
            client.sendall(b"a")
        assert [patient.get().status for _ in range(20)] == [200] * 20
        for client in clients["header"]:
            client.sendall(b"\r\n\r\n")
            assert client.recv(100).startswith(b"HTTP/1.1 200"), "it was slow, and is served"
        for client in clients["reader"]:
            client.shutdown(socket.SHUT_WR)
            assert received(client) > LONG_PARTS * len(PART)
        for kind in (HALF_A_HEADER, HALF_A_BODY, WHOLE, b"") * 100:  # more than there is room for
            stack.enter_context(patient.connect(kind, next(addresses)))
        assert [patient.get().status for _ in range(10)] == [200] * 10


def test_slow_clients_are_ended(strict: Served) -> None:
    with ExitStack() as stack:
        before = sockets(strict)
        clients = {kind: stack.enter_context(strict.connect(start)) for kind, start in SLOW}
        dripping = stack.enter_context(strict.connect(HALF_A_HEADER))
        dripping.settimeout(0.2)
        assert eventually(lambda: refuses(dripping)), "a byte now and then is not enough"
        for kind in ("silent", "header", "body", "idle"):
            assert received(clients[kind]) < 1000
        assert eventually(lambda: sockets(strict) == before), "even if its client reads nothing at all"
        assert received(clients["reader"]) < LONG_PARTS * len(PART)


@pytest.fixture
def channel() -> Iterator[TimedChannel]:
    """A connection that has been answered once."""
    server: Any = SimpleNamespace(options=ServerOptions(), active_channels={})
    one, other = socket.socketpair()
    with one, other:
        channel = TimedChannel(server, one, ("", 0), Adjustments(), {})
        channel.answered = True
        yield channel


def test_the_time_of_a_request_begins_with_its_first_byte(
    channel: TimedChannel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A browser keeps its connection for minutes. Its next request has the whole time again."""
    now = channel.creation_time + 60
    assert not channel.is_late(now)
    monkeypatch.setattr("hotelapp.serving.connections.time.time", lambda: now)
    channel.received(HALF_A_HEADER)
    assert not channel.is_late(now + 19)
    assert channel.is_late(now + 21)


def test_a_reader_must_keep_up(channel: TimedChannel) -> None:
    now, channel.total_outbufs_len = channel.creation_time, 1_000_000
    assert not channel.is_late(now)
    assert not channel.is_late(now + 9.9)
    channel.send(b"x" * 4096 * 10)
    assert not channel.is_late(now + 10)
    assert not channel.is_late(now + 19.9)
    assert channel.is_late(now + 20)


def sockets(served: Served) -> int:
    """How many sockets the server's process has."""
    (worker,) = served.workers()
    found = 0
    for link in Path(f"/proc/{worker}/fd").iterdir():
        with suppress(FileNotFoundError):  # the server has closed it meanwhile
            found += "socket:" in str(link.readlink())
    return found


def received(client: socket.socket) -> int:
    """How many bytes come until the server ends the connection."""
    size = 0
    with suppress(ConnectionResetError):
        while part := client.recv(1_000_000):
            size += len(part)
    return size


def refuses(client: socket.socket) -> bool:
    """Whether the server has ended the connection. If not, send one more byte."""
    try:
        client.send(b"a")
        return not client.recv(100)
    except TimeoutError:
        return False
    except (ConnectionResetError, BrokenPipeError):
        return True
