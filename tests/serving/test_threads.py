"""The threads that serve pages."""

from collections import Counter
from resource import RUSAGE_THREAD, getrusage
from threading import Event

from waitress.task import Task

from dynamodb_lists.tests.helpers.waiting import PATIENCE
from hotelapp.serving.server import Threads

DEEPEST, CALLS = 800, 100


class _Task(Task):
    """Counts the pages of memory that a loop of calls maps, at each depth of calls."""

    def __init__(self) -> None:  # without a request
        self.mapped, self.ended = Counter[int](), Event()

    def service(self) -> None:
        self._measure(0)
        self.ended.set()

    def _measure(self, depth: int) -> None:
        before = getrusage(RUSAGE_THREAD).ru_minflt
        for number in range(CALLS):
            _leaf(number, depth)
        self.mapped[depth] = getrusage(RUSAGE_THREAD).ru_minflt - before
        if depth < DEEPEST:
            self._measure(depth + 1)


def _leaf(first: int, second: int) -> int:
    return first + second


def test_no_depth_of_calls_maps_memory_in_a_loop() -> None:
    task, threads = _Task(), Threads()
    threads.set_thread_count(1)
    threads.add_task(task)
    assert task.ended.wait(PATIENCE)
    threads.shutdown()
    assert max(task.mapped.values()) < CALLS, task.mapped.most_common(3)
