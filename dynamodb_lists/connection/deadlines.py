"""The deadline of a page: a time by which all its requests to databases must have ended.

The scope holds it; an application sets it in a middleware. Commands have no deadline. The
client begins no call and no retry after it. The SDK's time-outs are the same for every call, and a read time-out begins
again with every byte. So the connections below lower both to the time that is left until the deadline.

If the deadline passes before a call is sent, :class:`~dynamodb_lists.connection.errors.Overdue` is raised. If it
passes later, the error is the SDK's own for a lost answer, since nobody knows what became of the call.
"""

import io
import socket
import time
from http.client import HTTPResponse
from math import inf
from typing import Any

from botocore.awsrequest import (
    AWSHTTPConnection,
    AWSHTTPConnectionPool,
    AWSHTTPSConnection,
    AWSHTTPSConnectionPool,
)
from urllib3 import HTTPConnectionPool
from urllib3.util import Timeout

from dynamodb_lists.connection import scope
from dynamodb_lists.connection.errors import Overdue

MOST_BYTES = 40_000_000
"""The most bytes of an answer. DynamoDB's longest has 16 MB of items, which are longer as JSON."""

MIN_SECONDS = 0.001
"""The shortest time-out of a socket; 0 would mean that it does not wait at all."""


def left() -> float:
    """The seconds until the deadline, negative after it; infinite without a deadline."""
    return scope.current().deadline - time.monotonic()


def timeout() -> float | None:
    """The seconds until the deadline as a time-out: at least zero, and ``None`` without a deadline."""
    seconds = left()
    return None if seconds == inf else max(seconds, 0.0)


def check(seconds: float = 0.0) -> None:
    """Raise :class:`~dynamodb_lists.connection.errors.Overdue` if fewer seconds are left until the deadline."""
    if left() <= seconds:
        raise Overdue("The page's time was over before the databases had answered everything.")


def sleep(seconds: float) -> None:
    """Sleep. Raises :class:`~dynamodb_lists.connection.errors.Overdue` at once if that would miss the deadline."""
    check(seconds)
    time.sleep(seconds)


def keep_deadlines(http_session: Any) -> None:
    """Let the connections of botocore's HTTP session end at the deadline. Call it before the first request."""
    http_session._pool_classes_by_scheme.update(http=_Pool, https=_SecurePool)


class BoundedReader(io.RawIOBase):
    """Reads an answer from a socket until the deadline, and at most :data:`MOST_BYTES`."""

    def __init__(self, raw: io.RawIOBase, sock: socket.socket) -> None:
        self._raw = raw
        self._sock = sock
        self._left = MOST_BYTES

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
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


class _BoundedResponse(HTTPResponse):
    """An answer whose every read ends at the deadline, and whose size is bounded."""

    def __init__(self, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        self.fp = io.BufferedReader(BoundedReader(self.fp.detach(), sock))


class _Connection(AWSHTTPConnection):
    response_class: Any = _BoundedResponse


class _SecureConnection(AWSHTTPSConnection):
    response_class: Any = _BoundedResponse


class _TimedPool(HTTPConnectionPool):
    """Connections that wait for the beginning of an answer at most until the deadline."""

    def urlopen(self, *args: Any, **kwargs: Any) -> Any:
        return super().urlopen(*args, **{**kwargs, "timeout": _shortened(self.timeout)})


class _Pool(_TimedPool, AWSHTTPConnectionPool):
    ConnectionCls: Any = _Connection


class _SecurePool(_TimedPool, AWSHTTPSConnectionPool):
    ConnectionCls: Any = _SecureConnection


def _shortened(timeout: Timeout) -> Timeout:
    """The client's time-outs, or what is left until the deadline if that is less."""
    return Timeout(connect=time_out(timeout.connect_timeout), read=time_out(timeout.read_timeout))


def time_out(seconds: Any) -> float:
    """A time-out, or what is left until the deadline if that is less."""
    return min(max(left(), MIN_SECONDS), float(seconds))
