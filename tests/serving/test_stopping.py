"""The server ends within its time, replaces a process that dies, and leaves none behind."""

import os
import signal
from contextlib import ExitStack

import pytest

from dynamodb_lists.tests.helpers.waiting import PATIENCE, eventually
from tests.helpers.serving import serving

WAITING = b"GET /wait?60 HTTP/1.1\r\nHost: localhost\r\n\r\n"


def is_gone(pid: int) -> bool:
    """Return whether the process has ended. One that its parent has not noticed yet counts."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rsplit(")", 1)[1].split()[0] == "Z"
    except FileNotFoundError:
        return True


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_it_ends_within_its_time_whatever_clients_do(sign: signal.Signals) -> None:
    """SIGTERM lets running requests be answered; SIGINT (an interrupt) ends the server at once."""
    with serving(stop_seconds=PATIENCE if sign == signal.SIGINT else 1, threads=8) as served, ExitStack() as stack:
        workers = served.workers()
        running = stack.enter_context(served.connect(WAITING.replace(b"60", b"0.5")))
        for _ in range(4):
            stack.enter_context(served.connect(WAITING))
            stack.enter_context(served.connect(WAITING[:20]))
        assert served.get().status == 200  # so the other requests have begun
        served.process.send_signal(sign)
        if sign != signal.SIGINT:
            assert running.recv(1000).startswith(b"HTTP/1.1 200")
        assert served.process.wait(PATIENCE / 2) == 0
        assert all(map(is_gone, workers))
        with pytest.raises(ConnectionRefusedError):
            served.connect()


def test_a_killed_process_is_replaced_and_all_end_with_the_master() -> None:
    with serving() as served:
        before = served.workers()
        os.kill(before[0], signal.SIGKILL)
        assert eventually(lambda: len(set(served.workers()) - set(before)) == 1)
        assert [served.get().status for _ in range(5)] == [200] * 5
        workers = served.workers()
        os.kill(served.process.pid, signal.SIGKILL)
        assert eventually(lambda: all(map(is_gone, workers)))
        with pytest.raises(ConnectionRefusedError):
            served.connect()
