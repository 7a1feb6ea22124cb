"""The connections to DynamoDB. They keep the deadline, and hand out only answers that can be used.

An answer is read to its end and judged before anybody has it. Only then can its connection be used again: urllib3
closes that of an answer that is cut, too long, too late, followed by another one, or that cannot be used.
"""

import io
import socket
from functools import partial
from http.client import HTTPResponse
from math import inf
from threading import Lock
from typing import Any

from botocore.awsrequest import (
    AWSConnection,
    AWSHTTPConnection,
    AWSHTTPConnectionPool,
    AWSHTTPSConnection,
    AWSHTTPSConnectionPool,
)
from urllib3 import HTTPConnectionPool
from urllib3.util import Timeout

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
        ("http", AWSHTTPConnectionPool, AWSHTTPConnection),
        ("https", AWSHTTPSConnectionPool, AWSHTTPSConnection),
    ):
        guarded = type("Connection", (_Guarded, connection), {"model": client.meta.service_model})
        timed = type("Pool", (_TimedPool, pool), {"ConnectionCls": guarded})
        client._endpoint.http_session._pool_classes_by_scheme[scheme] = timed


class _Receiver(io.RawIOBase):
    """Reads an answer from a socket until the deadline, and at most :data:`MOST_BYTES`."""

    def __init__(self, raw: io.RawIOBase, sock: socket.socket) -> None:
        self._raw = raw
        self._sock = sock
        self._left = MOST_BYTES
        self.has_ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        if self.has_ended:
            return None
        seconds = left()
        if seconds <= 0:
            raise TimeoutError("The page's time is over.")
        if seconds < inf:
            self._sock.settimeout(min(seconds, self._sock.gettimeout() or seconds))
        read = self._raw.readinto(buffer)
        self._left -= read or 0
        if self._left < 0:
            raise ConnectionAbortedError(f"The answer has more than {MOST_BYTES:,} bytes.")
        return read

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Stream(io.BufferedReader):
    """What has been received. When it is closed, it keeps what followed the answer."""

    raw: _Receiver
    rest = b""

    def close(self) -> None:
        if not self.closed:
            self.raw.has_ended = True  # so it waits for nothing
            self.rest = self.peek()
        super().close()


class _Response(HTTPResponse):
    """An answer that has been read and judged when botocore gets it."""

    fp: Any

    def __init__(self, sock: socket.socket, *args: Any, operation: Any, asked: bytes, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        self._operation, self._asked = operation, asked
        self._stream = self.fp = _Stream(_Receiver(self.fp.detach(), sock))

    def begin(self) -> None:
        """Read the whole answer. Raises :class:`Unusable`."""
        super().begin()
        body = self._whole()
        checksum = self.headers.get("x-amz-crc32")
        self.answer, body = judged(self._operation, self._asked, self.status, checksum, body)
        self.fp, self.length, self.chunked = io.BytesIO(body), len(body), False
        # The body has no chunks any more, and perhaps no price. The SDK would obey the last one past the deadline.
        for name in ("Transfer-Encoding", "x-amz-crc32", "x-amz-retry-after"):
            del self.headers[name]

    def _whole(self) -> bytes:
        sizes = self.headers.get_all("Content-Length", [])
        is_told = len(sizes) + ("Transfer-Encoding" in self.headers) <= 1 and bool(sizes) == (self.length is not None)
        if not is_told or (self.length or 0) > MOST_BYTES:
            raise Unusable("An answer does not say how long it is, or it is too long.")
        body = self.read(None if self.length is not None else MOST_BYTES)
        self._stream.close()
        if self._stream.rest:
            raise Unusable("An answer is followed by what nobody asked for.")
        return body


class _Guarded(AWSConnection):
    """A connection that knows to what its next answer is one."""

    model: Any
    response_class: Any

    def request(self, method: Any, url: Any, body: Any = None, headers: Any = None, *args: Any, **options: Any) -> Any:
        super().request(method, url, body, headers, *args, **options)
        target = headers["X-Amz-Target"]
        name = (target.decode() if isinstance(target, bytes) else target).rpartition(".")[2]
        self.response_class = partial(self._respond, operation=self.model.operation_model(name), asked=body)

    def _respond(self, *args: Any, **options: Any) -> HTTPResponse:
        self._received = _Response(*args, **options)
        return self._received

    def getresponse(self) -> Any:
        """The answer. Raises :class:`Unusable`, also if the server sends one twice."""
        response = super().getresponse()  # type: ignore[misc]
        request_id = response.headers.get("x-amzn-requestid", "")
        if request_id and not _is_new(request_id):
            raise Unusable("An answer was sent twice.")
        response.answer = self._received.answer
        return response


def _is_new(request_id: str) -> bool:
    """Whether no answer of late had this number. DynamoDB gives each its own."""
    with _lock:
        is_new = request_id not in _seen
        _seen[request_id] = None
        if len(_seen) > REMEMBERED:
            del _seen[next(iter(_seen))]
        return is_new


class _TimedPool(HTTPConnectionPool):
    """Connections that wait for the beginning of an answer at most until the deadline."""

    def urlopen(self, *args: Any, **kwargs: Any) -> Any:
        return super().urlopen(*args, **{**kwargs, "timeout": _shortened(self.timeout)})


def _shortened(timeout: Timeout) -> Timeout:
    """The client's time-outs, or what is left until the deadline if that is less."""
    times: Any = timeout.connect_timeout, timeout.read_timeout
    connect, read = (min(max(left(), MIN_SECONDS), seconds) for seconds in times)
    return Timeout(connect=connect, read=read)
