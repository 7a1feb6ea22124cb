"""What slow clients cost a server without a proxy. The server runs as in production, with a small application."""

import socket
from contextlib import ExitStack

from tests.helpers.serving import PART, serving

HALF_A_HEADER = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
HALF_A_BODY = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\nname="
WHOLE = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
LONG_PARTS = 320  # 20 MB: more than the system keeps of an answer
LONG = b"GET /long?%d HTTP/1.1\r\nHost: localhost\r\n\r\n" % LONG_PARTS


def test_an_idle_connection_keeps_no_thread_and_a_client_that_stalls_is_cut_off() -> None:
    with serving(processes=1, threads=2, stalled=1) as served, ExitStack() as stack:
        for sent in [b"", WHOLE] * 50:
            stack.enter_context(served.connect(sent))
        assert [served.get().status for _ in range(20)] == [200] * 20
        for begun in (HALF_A_HEADER, HALF_A_BODY):
            stalling = [stack.enter_context(served.connect(begun)) for _ in range(2)]
            assert list(map(received, stalling)) == [0, 0]
            assert served.get().status == 200, "a thread is free again"
        stalling = [stack.enter_context(served.connect(LONG)) for _ in range(2)]
        for client in stalling:
            client.shutdown(socket.SHUT_WR)
        assert served.get().status == 200, "a thread is free again"
        # One was cut off, or no thread were free. On a slow machine the other may not be yet, and reads on.
        assert min(map(received, stalling)) < LONG_PARTS * len(PART)


def received(client: socket.socket) -> int:
    """How many bytes come until the server ends the connection. The client ends it, too, for which gunicorn waits."""
    size = 0
    with client:
        while part := client.recv(1_000_000):
            size += len(part)
    return size
