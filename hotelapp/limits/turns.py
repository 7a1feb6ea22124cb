"""Turns: how many requests of a process may do the same costly thing at the same time.

Some work keeps a thread or the processor for long: an export, or the hash of a password. Without a limit, one user who
asks for much of it would take every thread, and all others would wait. Whoever finds no turn is refused at once, so the
other threads stay free. This is a bulkhead (Nygard, Release It!, 2018), as the places of pages that wait for databases.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import TIMEOUT_MAX, BoundedSemaphore

from hotelapp.dynamodb.connection import deadlines
from hotelapp.dynamodb.connection.errors import Crowded


class Turns:
    """``at_once`` requests have a turn at the same time, and ``waiting`` more wait for one.

    ``what`` names the work for the log: "exports".
    """

    def __init__(self, what: str, at_once: int, waiting: int = 0) -> None:
        self._what = what
        self._turns = BoundedSemaphore(at_once)
        self._line = BoundedSemaphore(at_once + waiting)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Have a turn inside the block.

        Raises :class:`~hotelapp.dynamodb.connection.errors.Crowded` at once if as many as may wait do so already, and
        :class:`~hotelapp.dynamodb.connection.errors.Overdue` if the page's deadline passes meanwhile.
        """
        if not self._line.acquire(blocking=False):
            raise Crowded(f"There are as many {self._what} as this process takes at the same time.")
        try:
            while not self._turns.acquire(timeout=min(max(deadlines.left(), 0), TIMEOUT_MAX)):
                deadlines.check()
            try:
                yield
            finally:
                self._turns.release()
        finally:
            self._line.release()
