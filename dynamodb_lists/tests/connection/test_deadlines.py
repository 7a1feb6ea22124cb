"""Deadlines of calls to DynamoDB: with an engine that is stopped, an engine that trickles, and one that throttles."""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from threading import Event, Thread
from typing import Any

import pytest
from pynamodb.exceptions import TransactWriteError

from dynamodb_lists.connection import scope
from dynamodb_lists.connection.engine import Engine
from dynamodb_lists.connection.errors import Unavailable
from dynamodb_lists.connection.scope import wait
from dynamodb_lists.reading import fetching
from dynamodb_lists.reading.fetching import in_parallel
from dynamodb_lists.tests.helpers.answers import answering, cancelled, refusal
from dynamodb_lists.tests.helpers.configured import configured
from dynamodb_lists.tests.helpers.scopes import within
from dynamodb_lists.tests.helpers.stalls import stopped
from dynamodb_lists.tests.helpers.waiting import PATIENCE
from dynamodb_lists.tests.trials import a_trial, new_org, trials

SOON = 0.3
"""Seconds. Without a deadline, each of these tests would take longer than ``PATIENCE``."""


@contextmanager
def ending(seconds: float = SOON) -> Iterator[None]:
    """Set a deadline, and check that the block ends soon after it."""
    began = time.monotonic()
    with within(seconds):
        yield
    assert time.monotonic() - began < PATIENCE


def test_reads_of_a_stopped_engine_end_at_the_deadline_alone_and_in_parallel(own_engine: Engine) -> None:
    stored = trials.create(a_trial(new_org()))
    read = partial(trials.get, org=stored.org, number=stored.number)
    calls: list[Callable[[], object]] = [read, lambda: in_parallel([read] * 40)]
    with stopped(own_engine):
        for call in calls:
            with ending(), pytest.raises(Unavailable):
                call()
    assert read() == stored


def test_a_write_that_the_deadline_cuts_is_lost_and_not_refused(own_engine: Engine) -> None:
    """The engine may still make the write. So the error must not say that nothing was sent."""
    trial = a_trial(new_org())
    with scope.changed(), stopped(own_engine), ExitStack() as stack:  # its deadline outlasts the call
        begin = answering(lambda **_: stack.enter_context(ending()))  # when it is sent
        with begin, pytest.raises(Unavailable) as cut:
            trials.create(trial)
    assert isinstance(cut.value.__cause__, TransactWriteError), "it is the write that was cut"
    assert "time was over" not in str(cut.value)
    created = trials.create(trial)
    assert trials.get(org=trial.org, number=trial.number) == created, "sent again, it is stored once"
    assert trials.query(org=trial.org).page().total == 1


@pytest.mark.usefixtures("tables")
def test_after_the_deadline_nothing_is_sent() -> None:
    sent: list[Any] = []
    with answering(lambda **_: sent.append(1)), within(0), pytest.raises(Unavailable, match="time (was|is) over"):
        trials.create(a_trial(new_org()))
    assert not sent


@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize("answer", [partial(refusal, "ThrottlingException"), partial(cancelled, "TransactionConflict")])
def test_what_is_throttled_is_not_repeated_beyond_the_deadline(answer: Callable[[], Any]) -> None:
    sent: list[Any] = []

    def refuse(**_: Any) -> Any:
        sent.append(1)
        time.sleep(SOON / 2)
        return answer()

    with answering(refuse), ending(), pytest.raises(Unavailable):
        trials.create(a_trial(new_org()))
    assert len(sent) <= 2, "not three times by the SDK, nor eight by the toolkit"


def test_nobody_sleeps_beyond_a_deadline() -> None:
    with ending(SOON), pytest.raises(Unavailable, match="time (was|is) over"):
        list(map(wait, range(20)))  # up to hours
    assert scope.timeout() is None


@pytest.fixture
def trickle() -> Iterator[str]:
    """An endpoint that sends its answer one byte at a time, and does not end."""
    done = Event()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    Thread(target=drip, args=[server.accept()[0]], daemon=True).start()

        def drip(client: socket.socket) -> None:
            with suppress(OSError), client:
                client.sendall(
                    b"HTTP/1.1 200 OK\r\nContent-Type: application/x-amz-json-1.0\r\nContent-Length: 1000000\r\n\r\n"
                )
                while not done.wait(SOON / 10):
                    client.sendall(b" ")

        thread = Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        done.set()
        server.shutdown(socket.SHUT_RDWR)
        thread.join(PATIENCE)


@pytest.fixture
def unreachable() -> Iterator[str]:
    """An endpoint that accepts no connection, because its queue is full."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as server, ExitStack() as stack:
        for _ in range(4):
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(server.getsockname())
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize("kind", ["trickle", "unreachable"])
def test_an_endpoint_that_trickles_or_cannot_be_reached_is_left_at_the_deadline(
    request: pytest.FixtureRequest, kind: str
) -> None:
    url = request.getfixturevalue(kind)
    with configured(endpoint_url=url, connect_timeout=10 * PATIENCE), ending(), pytest.raises(Unavailable):
        trials.get(org="x", number="x")


def test_parallel_reads_do_not_wait_for_threads_that_other_pages_occupy() -> None:
    done = Event()
    others = [fetching._pool.submit(done.wait, 10 * PATIENCE) for _ in range(fetching._pool._max_workers)]
    with ending(), pytest.raises(Unavailable, match="time (was|is) over"):
        in_parallel([time.monotonic] * 2)
    done.set()
    assert all(other.result() for other in others)
