"""Lets a botocore client keep a page's deadline, and take places for its calls.

The SDK's time-outs are the same for every call, and a read time-out begins again with every byte. So the connections
below lower both to what is left until the deadline. Two events of the client (``before-call`` and ``needs-retry``)
begin no call and no retry after it.

If the deadline passes before a call is sent, :class:`~hotelapp.dynamodb.connection.errors.Overdue` is raised. If it
passes later, the error is the SDK's own for a lost answer, since nobody knows what became of the call.
"""

import io
import socket
from http.client import HTTPResponse
from typing import Any

from botocore.awsrequest import (
    AWSHTTPConnection,
    AWSHTTPConnectionPool,
    AWSHTTPSConnection,
    AWSHTTPSConnectionPool,
)
from urllib3.util import Timeout

from hotelapp.dynamodb.connection import deadlines, places

MIN_SECONDS = 0.001
"""The shortest time-out of a socket; 0 would mean that it does not wait at all."""


def watch(client: Any) -> None:
    """Let a botocore client keep deadlines and take places. Call it once for each client, before its first call."""
    client._endpoint.http_session._pool_classes_by_scheme.update(http=_Pool, https=_SecurePool)
    events = client.meta.events
    events.register("before-call.dynamodb", _begin)
    # First, because an error of a later handler would end the event, and the place would never be free again.
    events.register_first("after-call.dynamodb", lambda **_: places.leave(answered=True))
    events.register_first("after-call-error.dynamodb", lambda **_: places.leave(answered=False))
    events.register_first("needs-retry.dynamodb", _give_up)


def _begin(**_: Any) -> None:
    deadlines.check()
    places.enter()


def _give_up(attempts: int, caught_exception: Exception | None, **_: Any) -> bool | None:
    """``False`` if the deadline leaves no time for a retry; ``None`` leaves the decision to the SDK.

    The SDK waits at most ``2 ** (attempts - 1)`` seconds if it is throttled, and only milliseconds after lost answers.
    """
    longest_wait = 0 if caught_exception else 2 ** (attempts - 1)
    return False if deadlines.left() <= longest_wait else None


class _TimedReader(io.RawIOBase):
    """Reads from a socket until the deadline."""

    def __init__(self, raw: io.RawIOBase, sock: socket.socket) -> None:
        self._raw = raw
        self._sock = sock

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        left = deadlines.left()
        if left <= 0:
            raise TimeoutError("The page's time is over.")
        self._sock.settimeout(min(left, self._sock.gettimeout() or left))
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _TimedResponse(HTTPResponse):
    """An answer whose every read ends at the deadline. Without one, it is an ordinary answer."""

    def __init__(self, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        if deadlines.left() < float("inf"):
            self.fp = io.BufferedReader(_TimedReader(self.fp.detach(), sock))


class _Connection(AWSHTTPConnection):
    response_class: Any = _TimedResponse


class _SecureConnection(AWSHTTPSConnection):
    response_class: Any = _TimedResponse


class _Pool(AWSHTTPConnectionPool):
    ConnectionCls: Any = _Connection

    def urlopen(self, *args: Any, **kwargs: Any) -> Any:
        return super().urlopen(*args, **{**kwargs, "timeout": _shortened(self.timeout)})


class _SecurePool(AWSHTTPSConnectionPool):
    ConnectionCls: Any = _SecureConnection

    def urlopen(self, *args: Any, **kwargs: Any) -> Any:
        return super().urlopen(*args, **{**kwargs, "timeout": _shortened(self.timeout)})


def _shortened(timeout: Timeout) -> Timeout:
    """The client's time-outs, or what is left until the deadline if that is less."""
    left = max(deadlines.left(), MIN_SECONDS)
    return Timeout(connect=min(left, timeout.connect_timeout), read=min(left, timeout.read_timeout))  # type: ignore[type-var]
