"""Slow clients do not delay others. The server runs as in production, with a small application."""

import socket
from contextlib import ExitStack

from tests.helpers.serving import PART, serving

HALF_A_HEADER = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
HALF_A_BODY = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\nname="
WHOLE = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
LONG_PARTS = 320  # 20 MB: more than the server keeps of an answer, so that a thread waits for the reader
READERS = 2  # a quarter of the threads: as many as there are exports at a time
LONG = b"GET /long?%d HTTP/1.1\r\nHost: localhost\r\n\r\n" % LONG_PARTS
SLOW = (("silent", b""), ("header", HALF_A_HEADER), ("body", HALF_A_BODY), ("idle", WHOLE), ("reader", LONG))
"""The kinds of slow clients, and what each sends before it stops."""


def test_two_hundred_slow_clients_of_all_kinds_delay_nobody() -> None:
    with serving(processes=1, threads=8) as served, ExitStack() as stack:
        clients = {
            kind: [stack.enter_context(served.connect(start)) for _ in range(READERS if kind == "reader" else 50)]
            for kind, start in SLOW
        }
        for client in clients["header"]:
            client.sendall(b"a")
        assert [served.get().status for _ in range(20)] == [200] * 20
        for client in clients["header"]:
            client.sendall(b"\r\n\r\n")
            assert client.recv(100).startswith(b"HTTP/1.1 200"), "it was slow, and is served"
        for client in clients["reader"]:
            client.shutdown(socket.SHUT_WR)
            assert received(client) > LONG_PARTS * len(PART)


def received(client: socket.socket) -> int:
    """How many bytes come until the server ends the connection."""
    size = 0
    while part := client.recv(1_000_000):
        size += len(part)
    return size
