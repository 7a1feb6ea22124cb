"""The proxy that other tests lose answers with: it changes nothing, unless it is told to."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from dynamodb_lists.tests.helpers.waiting import PATIENCE, eventually
from tests.storm.proxy import Fault, Proxy

BODY = b"an answer of some length"


class Echo(BaseHTTPRequestHandler):
    """A server that counts what it gets, by method and body."""

    protocol_version = "HTTP/1.1"
    got: list[tuple[str, bytes]]

    def do_POST(self) -> None:
        """The body comes back, with two cookies."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.got.append((self.command, body))
        self.send_response_only(201)
        for cookie in ("a=1", "b=2"):
            self.send_header("Set-Cookie", cookie)
        self.send_header("Content-Length", str(len(BODY)))
        self.end_headers()
        self.wfile.write(b"" if self.command == "HEAD" else BODY)

    do_GET = do_HEAD = do_PUT = lambda self: self.do_POST()  # noqa: E731

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture
def got() -> list[tuple[str, bytes]]:
    """The method and body of each request that has come to the server."""
    return []


@pytest.fixture
def http_proxy(got: list[tuple[str, bytes]]) -> Iterator[Proxy]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("CountingEcho", (Echo,), {"got": got}))
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    with Proxy(f"http://127.0.0.1:{server.server_port}") as proxy:
        yield proxy
    server.shutdown()
    server.server_close()


def send(proxy: Proxy, method: str = "POST", target: str = "", patience: float = PATIENCE) -> Any:
    """The status, the cookies and the body of the answer; the error's name if none comes."""
    connection = HTTPConnection(proxy.url.removeprefix("http://"), timeout=patience)
    try:
        connection.request(method, "/some/page?a=b", b"x", {"X-Amz-Target": target} if target else {})
        answer = connection.getresponse()
        return answer.status, answer.headers.get_all("Set-Cookie"), answer.read()
    except (OSError, HTTPException) as error:
        return type(error).__name__
    finally:
        connection.close()


def test_it_passes_on_every_method_as_it_is(http_proxy: Proxy, got: list[tuple[str, bytes]]) -> None:
    for method in ("GET", "POST", "PUT", "HEAD"):
        body = b"" if method == "HEAD" else BODY
        assert send(http_proxy, method) == (201, ["a=1", "b=2"], body)
    assert got == [(method, b"x") for method in ("GET", "POST", "PUT", "HEAD")]


@pytest.mark.parametrize(
    ("fault", "seen", "passed_on"),
    [
        (Fault.CLOSE, "RemoteDisconnected", 0),
        (Fault.HANG, "TimeoutError", 0),
        (Fault.LATE, "TimeoutError", 1),
        (Fault.LOSE, "RemoteDisconnected", 1),
        (Fault.STALL, "TimeoutError", 1),
        (Fault.CUT, "IncompleteRead", 1),
        (Fault.BLANK, "IncompleteRead", 1),
    ],
)
def test_each_fault(http_proxy: Proxy, got: list[tuple[str, bytes]], fault: Fault, seen: str, passed_on: int) -> None:
    with http_proxy.failing(fault, "POST", times=1) as failing:
        assert send(http_proxy, patience=0.3 if seen == "TimeoutError" else PATIENCE) == seen
        assert eventually(lambda: failing.met and not http_proxy.open)
        assert len(got) == passed_on
        assert send(http_proxy)[0] == 201
    assert failing.met == 1


def test_only_the_named_operations_fail(http_proxy: Proxy) -> None:
    with http_proxy.failing(Fault.CLOSE, "PutItem"):
        assert send(http_proxy, target="DynamoDB_20120810.Query")[0] == 201
        assert send(http_proxy, target="DynamoDB_20120810.PutItem") == "RemoteDisconnected"
    assert send(http_proxy, target="DynamoDB_20120810.PutItem")[0] == 201


def test_a_share_of_the_requests_of_many_threads_fails(http_proxy: Proxy, got: list[tuple[str, bytes]]) -> None:
    with http_proxy.failing(Fault.LOSE, share=0.3) as failing, ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: send(http_proxy), range(60)))
    assert 5 < failing.met < 35
    assert answers.count("RemoteDisconnected") == failing.met
    assert len(got) == 60


def test_while_it_refuses_connections_open_ones_are_closed_too(http_proxy: Proxy) -> None:
    kept = HTTPConnection(http_proxy.url.removeprefix("http://"), timeout=PATIENCE)
    kept.request("GET", "/", b"x")
    kept.getresponse().read()
    url = http_proxy.url
    with http_proxy.refusing():
        assert send(http_proxy) == "ConnectionRefusedError"
        assert kept.sock.recv(1) == b""
    kept.close()
    assert http_proxy.url == url
    assert send(http_proxy)[0] == 201
