"""Refusal of calls in an outage: while the database answers nobody, further calls of pages are refused at once.

Without it, 40 users of a process of 16 threads waited 12 seconds for a static file while the engine was stopped; with
it, a hundredth of a second. This is a circuit breaker (Nygard, Release It!, 2018).
"""

import time
from math import inf
from threading import Lock

from dynamodb_lists.connection import scope
from dynamodb_lists.connection.configuration import configuration
from dynamodb_lists.connection.errors import Busy

SECONDS = 1.0
"""While the database answers at all, some answer arrives in less."""


class Waiting:
    """The calls of this process that wait for an answer."""

    def __init__(self) -> None:
        self.calls = 0
        self._since = 0.0
        self._lock = Lock()

    def begin(self) -> None:
        """Count a call. Raises :class:`~dynamodb_lists.connection.errors.Busy` for one with a deadline in an outage."""
        now = time.monotonic()
        with self._lock:
            if not self.calls:
                self._since = now
            silent = now - self._since > SECONDS and scope.current().deadline < inf
            if silent and self.calls >= configuration().waiting_calls:
                raise Busy(f"{self.calls} calls wait for a database that does not answer.")
            self.calls += 1

    def end(self, *, answered: bool) -> None:
        """Count a call no more."""
        with self._lock:
            self.calls -= 1
            if answered:
                self._since = time.monotonic()


waiting = Waiting()
