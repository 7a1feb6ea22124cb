"""The statuses of all requests, by kind of request."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from threading import Lock

ALLOWED = frozenset({200, 302, 400, 404, 409, 429, 503})
"""The statuses that a storm may bring about. Any other one is a fault of the portal."""

NO_ANSWER = 0
"""Stands for the status of a request that got no answer, or only a part of one."""


class Traffic:
    """Every answer of a storm. All browsers share it.

    ``lost_share`` is the share of forms whose answers get lost on the way: the browser hangs up without reading it.
    """

    lost_share = 0.0

    def __init__(self) -> None:
        self.statuses: dict[str, Counter[int]] = defaultdict(Counter)
        self.examples: dict[int, str] = {}
        self._lock = Lock()

    def add(self, kind: str, status: int, request: str) -> None:
        """Note an answer. The first request with each status is kept as an example."""
        with self._lock:
            self.statuses[kind][status] += 1
            self.examples.setdefault(status, request)

    @property
    def faults(self) -> dict[int, int]:
        """How often each status was seen that must not be seen."""
        total = sum(self.statuses.values(), Counter[int]())
        return {status: count for status, count in sorted(total.items()) if status not in {*ALLOWED, NO_ANSWER}}


def longest(seconds: Sequence[float]) -> float:
    """The largest of the numbers; 0 without numbers."""
    return max(seconds, default=0.0)
