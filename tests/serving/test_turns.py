"""Fair turns: one user, or one address without a login, takes a few threads. More requests wait, or are refused."""

import select
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial

import pytest

from accounts.logins.addresses import NOT_TOLD
from accounts.sessions import known_sessions
from dynamodb_lists.tests.helpers.waiting import eventually
from hotelapp.serving.connections import USER_SHARE, USER_WAITING, holder_of
from tests.helpers.serving import PART, Served, serving
from tests.serving.test_slow_clients import LONG, LONG_PARTS, received

THREADS = 8
AT_ONCE = THREADS // USER_SHARE + 1
PLACES = AT_ONCE + USER_WAITING
MANY, BUSY, GUESSER = 5, "127.0.0.2", "127.0.0.3"
"""How many more come than there are places for; the addresses of those who ask for much."""


@pytest.fixture
def served() -> Iterator[Served]:
    with serving(processes=1, threads=THREADS, read_seconds=600) as served:
        yield served


def request(path: str, cookie: str = "") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\nCookie: sessionid={cookie}\r\n\r\n".encode()


def answers(clients: list[socket.socket]) -> list[bytes]:
    """The beginnings of the answers that have come so far."""
    ready, _, _ = select.select(clients, [], [], 0)
    return [client.recv(15, socket.MSG_PEEK) for client in ready]


def refused(clients: list[socket.socket]) -> int:
    """How many were refused. Nobody else has an answer."""
    found = answers(clients)
    assert set(found) <= {b"HTTP/1.1 503 Se"}
    return len(found)


def is_refused(count: int, clients: list[socket.socket]) -> bool:
    return refused(clients) == count


def test_one_address_takes_its_turns_and_others_are_served(served: Served) -> None:
    with ExitStack() as stack:
        clients = [stack.enter_context(served.connect(request("/wait?600"), BUSY)) for _ in range(PLACES + MANY)]
        assert eventually(partial(is_refused, MANY, clients))
        assert [served.get().status for _ in range(20)] == [200] * 20
        assert refused(clients) == MANY
        pipelined = stack.enter_context(served.connect(request("/") * 20, BUSY))
        text = pipelined.makefile("rb").read()
        assert text.count(b"HTTP/1.1 503") == 1, "the connection is closed, and what was sent behind is not run"
        assert b"Connection: close" in text


def test_the_sessions_of_a_user_count_as_one_and_made_up_ones_as_none(served: Served) -> None:
    for cookie, user in (("phone", "7"), ("laptop", "7"), ("other", "8")):
        assert served.get(f"/user?{user}", Cookie=f"sessionid={cookie}").status == 200
    with ExitStack() as stack:
        for address, cookies in ((BUSY, ["phone", "laptop"] * PLACES), (GUESSER, [f"x{n}" for n in range(PLACES)])):
            waiting = [request("/wait?600", cookie) for cookie in cookies[: PLACES + MANY]]
            clients = [stack.enter_context(served.connect(sent, address)) for sent in waiting]
            expected = max(len(clients) - PLACES, 0)
            assert eventually(partial(is_refused, expected, clients))
        assert served.get(Cookie="sessionid=phone").status == 503
        assert served.get(address=BUSY).status == 200, "the user's requests are not those of the address"
        assert served.get(address=BUSY, Cookie="sessionid=other").status == 200
        assert served.get(address=GUESSER, Cookie="sessionid=new").status == 503
        assert served.get(address=GUESSER, Cookie="sessionid=other").status == 200, "nobody hinders a colleague"


def test_a_slow_reader_has_a_turn_until_he_has_read(served: Served) -> None:
    with ExitStack() as stack:
        readers = [stack.enter_context(served.connect(LONG, BUSY)) for _ in range(AT_ONCE)]
        assert eventually(lambda: len(answers(readers)) == AT_ONCE)
        quick = [stack.enter_context(served.connect(request("/"), BUSY)) for _ in range(USER_WAITING + MANY)]
        assert eventually(partial(is_refused, MANY, quick))
        readers[0].shutdown(socket.SHUT_WR)
        assert received(readers[0]) > LONG_PARTS * len(PART)
        assert eventually(lambda: len(answers(quick)) == USER_WAITING + MANY), "the turn has passed on"
        assert answers(quick).count(b"HTTP/1.1 200 OK") == USER_WAITING


def test_a_holder_is_a_known_user_or_the_network_that_the_trusted_proxy_saw() -> None:
    known_sessions.note("known", 7)
    forwarded = {"X_FORWARDED_FOR": "6.6.6.6, 203.0.113.9:80"}
    for headers, proxy, holder in (
        ({"COOKIE": "a=b; sessionid=known"}, "", "user 7"),
        ({"COOKIE": "sessionid=made-up"}, "", "192.0.2.1"),
        ({}, "", "192.0.2.1"),
        (forwarded, "", "192.0.2.1"),
        (forwarded, "192.0.2.1", "203.0.113.9"),
        (forwarded, "*", "203.0.113.9"),
        ({"X_FORWARDED_FOR": "2001:db8:1:2::9"}, "*", "2001:db8:1:2::"),
        ({"X_FORWARDED_FOR": '"'}, "*", "192.0.2.1"),
        ({"X_FORWARDED_FOR": ":."}, "*", "192.0.2.1"),
        ({"X_FORWARDED_FOR": "unknown"}, "*", str(NOT_TOLD)),
    ):
        assert holder_of(headers, "192.0.2.1", proxy) == holder, headers
