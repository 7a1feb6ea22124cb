"""The threads that serve pages."""

from collections import Counter
from collections.abc import Callable
from resource import RUSAGE_THREAD, getrusage
from typing import Any

from tests.helpers.wire import received, request

DEEPEST, CALLS = 800, 100


def test_no_depth_of_calls_maps_memory_in_a_loop() -> None:
    mapped = Counter[int]()

    def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        _measure(mapped, 0)
        start_response("200 OK", [])
        return []

    received(application, request("GET", "/"))
    assert max(mapped.values()) < CALLS, mapped.most_common(3)
    assert len(mapped) > DEEPEST


def _measure(mapped: Counter[int], depth: int) -> None:
    """Count the pages of memory that a loop of calls maps, at each depth of calls."""
    before = getrusage(RUSAGE_THREAD).ru_minflt
    for number in range(CALLS):
        _leaf(number, depth)
    mapped[depth] = getrusage(RUSAGE_THREAD).ru_minflt - before
    if depth < DEEPEST:
        _measure(mapped, depth + 1)


def _leaf(first: int, second: int) -> int:
    return first + second
