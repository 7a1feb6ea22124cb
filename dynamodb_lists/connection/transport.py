"""One attempt of a read over an open connection, for a fraction of the processor time that urllib3 takes.

urllib3 opens connections, with their TLS and time-outs, and keeps them in its pool. On one of them that is open, a
request is a few bytes, and so is the head of an answer (RFC 9112). The first request of a connection, and all through a
proxy, are left to botocore's own session.
"""

import io
import socket
import ssl
from contextlib import suppress
from functools import lru_cache
from http import HTTPStatus
from queue import Empty
from typing import Any, cast
from urllib.parse import urlsplit

from botocore.awsrequest import AWSResponse
from botocore.exceptions import ConnectionClosedError, ReadTimeoutError, SSLError

from dynamodb_lists.connection.deadlines import BoundedReader, time_out

MOST_LINE, MOST_HEADERS = 65_536, 100
"""The longest line, and the most headers, of an answer's head; as in ``http.client``."""


class _Broken(ConnectionError):
    """What the server sends is no answer of HTTP."""


def send(session: Any, request: Any) -> Any:
    """The answer of HTTP to a request. Raises the errors of botocore's session."""
    pool, connection = _idle(session, request.url)
    if connection is None:
        return session.send(request)
    kept = False
    try:
        connection.sock.settimeout(time_out(pool.timeout.read_timeout))
        connection.sock.sendall(_head(request) + request.body)
        answer, kept = _received(connection.sock, request.url)
    except TimeoutError as error:
        raise ReadTimeoutError(endpoint_url=request.url, error=error) from error
    except ssl.SSLError as error:
        raise SSLError(endpoint_url=request.url, error=error) from error
    except (OSError, ValueError) as error:  # a size that is no number
        raise ConnectionClosedError(endpoint_url=request.url, request=request, error=error) from error
    finally:
        if not kept:
            connection.close()
        pool._put_conn(connection)
    return answer


def _idle(session: Any, url: str) -> tuple[Any, Any]:
    """The pool of an address, and one of its open connections; ``None`` if there is none, or through a proxy."""
    pool = _pool(session, url)
    if pool is None:
        return None, None
    with suppress(Empty):
        connection = pool.pool.get(block=False)  # not `_get_conn`, which makes connections before they know their TLS
        if connection is not None and connection.is_connected:
            return pool, connection
        pool._put_conn(connection)
    return pool, None


@lru_cache(1)  # a process has one client, which has one address
def _pool(session: Any, url: str) -> Any:
    """The connections to an address, without a proxy in between; otherwise ``None``."""
    return None if session._proxy_config.proxy_url_for(url) else session._manager.connection_from_url(url)


def _head(request: Any) -> bytes:
    """The head of a request."""
    headers = "".join([f"{name}: {_text(value)}\r\n" for name, value in request.headers.items()])
    path = urlsplit(request.url).path
    return f"POST {path} HTTP/1.1\r\n{headers}Content-Length: {len(request.body)}\r\n\r\n".encode("latin-1")


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def _received(sock: socket.socket, url: str) -> tuple[AWSResponse, bool]:
    """An answer, and whether the connection can be used again."""
    with io.BufferedReader(BoundedReader(sock.makefile("rb", buffering=0), sock)) as stream:
        version, status, headers = _read_head(stream)
        while status == HTTPStatus.CONTINUE:
            version, status, headers = _read_head(stream)
        if headers.get("transfer-encoding", "").lower() == "chunked":
            body, bounded = _chunks(stream), True
        else:
            length = headers.get("content-length")
            body, bounded = _exactly(stream, int(length)) if length else stream.read(), bool(length)
    answer: Any = AWSResponse(url, status, cast(Any, headers), None)
    answer._content = body
    return answer, bounded and version == b"HTTP/1.1" and headers.get("connection", "").lower() != "close"


def _read_head(stream: Any) -> tuple[bytes, int, dict[str, str]]:
    """The version, the status and the headers of an answer, by their names in lower case."""
    version, status, *_ = (*_line(stream).split(b" ", 2), b"", b"")
    if not version.startswith(b"HTTP/1.") or not status.isdigit():
        raise _Broken("The answer is not one of HTTP.")
    headers: dict[str, str] = {}
    for _ in range(MOST_HEADERS):
        if not (line := _line(stream)):
            return version, int(status), headers
        name, _, value = line.decode("latin-1").partition(":")
        headers[name.lower()] = value.strip()
    raise _Broken("The answer has too many headers.")


def _line(stream: Any) -> bytes:
    """The next line, without its end."""
    line: bytes = stream.readline(MOST_LINE)
    if not line.endswith(b"\n"):
        raise _Broken("The answer ends in its head, or a line of that is too long.")
    return line.rstrip(b"\r\n")


def _exactly(stream: Any, size: int) -> bytes:
    body: bytes = stream.read(size)
    if len(body) != size:
        raise _Broken("The answer is cut short.")
    return body


def _chunks(stream: Any) -> bytes:
    """A body in chunks, each after its size. What follows the last one is dropped."""
    parts = []
    while size := int(_line(stream).partition(b";")[0] or b"x", 16):
        parts.append(_exactly(stream, size))
        _line(stream)
    while _line(stream):
        pass
    return b"".join(parts)
