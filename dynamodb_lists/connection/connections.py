"""The connections to DynamoDB. They keep the deadline, and hand out only answers that can be used.

An answer is read to its end and judged before its connection is used again. urllib3 closes that of an answer that is
cut, too long, too late, or that cannot be used.
"""

import io
import socket
from contextlib import closing
from http.client import HTTPResponse
from math import inf
from threading import Lock
from typing import Any

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

from dynamodb_lists.connection.answers import Unusable, judged
from dynamodb_lists.connection.deadlines import left

MOST_BYTES = 40_000_000
"""The most bytes of an answer. DynamoDB's longest has 16 MB of items, which are longer as JSON."""

MIN_SECONDS = 0.001
"""The shortest time-out of a socket; 0 would mean that it does not wait at all."""

REMEMBERED = 1000
"""The numbers of so many answers are remembered, those that came last."""

_seen: dict[str, None] = {}
_lock = Lock()


def guard(client: Any) -> None:
    """Let a client of botocore have such connections. Call it before the first request."""
    for scheme, pool, connection in (
        ("http", HTTPConnectionPool, HTTPConnection),
        ("https", HTTPSConnectionPool, HTTPSConnection),
    ):
        guarded = type("Connection", (Guarded, connection), {"model": client.meta.service_model})
        pool_class = type("Pool", (pool,), {"ConnectionCls": guarded})
        client._endpoint.http_session._pool_classes_by_scheme[scheme] = pool_class


class _Receiver(io.RawIOBase):
    """Reads an answer from a socket until the deadline. A time-out alone begins again with every byte."""

    def __init__(self, raw: io.RawIOBase, sock: socket.socket) -> None:
        self._raw, self._sock = raw, sock

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        seconds = left()
        if seconds <= 0:
            raise TimeoutError("The page's time is over.")
        if seconds < inf:
            self._sock.settimeout(min(seconds, self._sock.gettimeout() or seconds))
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Response(HTTPResponse):
    """An answer whose head and body come from such a receiver."""

    fp: Any

    def __init__(self, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        self.fp = io.BufferedReader(_Receiver(self.fp.detach(), sock))


class Guarded(HTTPConnection):
    """A connection that knows to what its next answer is one, and judges it."""

    model: Any
    response_class = _Response

    def connect(self) -> None:
        """Connect, and wait at most until the deadline."""
        self.timeout = max(min(left(), self.timeout or inf), MIN_SECONDS)
        super().connect()

    def request(self, method: Any, url: Any, body: Any = None, headers: Any = None, **options: Any) -> None:
        super().request(method, url, body, headers, **options)
        target = headers["X-Amz-Target"]
        name = (target.decode() if isinstance(target, bytes) else target).rpartition(".")[2]
        self._operation, self._asked = self.model.operation_model(name), body

    def getresponse(self) -> Any:
        """The answer, read to its end; its object is in ``answer``. Raises :class:`Unusable`."""
        response: Any = super().getresponse()
        with closing(response._fp):
            body = _whole(response)
        request_id, checksum = (response.headers.get(name) for name in ("x-amzn-requestid", "x-amz-crc32"))
        if request_id and not _is_new(request_id):
            raise Unusable("An answer was sent twice.")
        response.answer = judged(self._operation, self._asked, response.status, checksum, body)
        # The body has no chunks any more. The SDK would obey the other one past the deadline.
        for name in ("Transfer-Encoding", "x-amz-retry-after"):
            response.headers.discard(name)
        response._fp, response.chunked, response.length_remaining = io.BytesIO(body), False, len(body)
        return response


def _whole(response: Any) -> bytes:
    """The body of an answer that says how long it is, or that it goes on until the connection is closed."""
    sizes, size = response.headers.getlist("Content-Length"), response.length_remaining
    is_told = len(sizes) + ("Transfer-Encoding" in response.headers) <= 1 and bool(sizes) == (size is not None)
    if not is_told or (size or 0) > MOST_BYTES:
        raise Unusable("An answer does not say how long it is, or it is too long.")
    body: bytes = response.read(None if sizes else MOST_BYTES)
    return body


def _is_new(request_id: str) -> bool:
    """Whether no answer of late had this number. DynamoDB gives each its own."""
    with _lock:
        is_new = request_id not in _seen
        _seen[request_id] = None
        if len(_seen) > REMEMBERED:
            del _seen[next(iter(_seen))]
        return is_new
