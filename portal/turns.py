"""Turns: how many requests of one holder a process serves at the same time.

Three parts of the portal use them: the server for all requests of a user or an address, exports, and checks of
passwords. Without a limit, one holder could take every thread, and all others would wait. Some requests may wait for a
turn, in a line of the holder. If the line is full, a request is refused at once, before anything was read. This is a
bulkhead (Nygard, Release It!, 2018), like the places of pages that wait for databases.
"""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from threading import TIMEOUT_MAX, Event, Lock

from dynamodb_lists.connection import deadlines
from dynamodb_lists.connection.errors import Crowded

REFUSED = "portal.refused"
"""The key in a request's environment by which the server says that the line of the request's holder is full."""


class Turns:
    """``at_once`` requests of a holder have a turn at the same time, and ``waiting`` more wait for one.

    ``what`` names the work for the log: "exports".
    """

    def __init__(self, what: str, at_once: int, waiting: int = 0) -> None:
        self._what = what
        self._at_once = at_once
        self._most = at_once + waiting
        self._lines: dict[Hashable, list[Callable[[], None]]] = {}
        self._lock = Lock()

    def enter(self, holder: Hashable, begin: Callable[[], None]) -> None:
        """Join the holder's line without waiting. ``begin`` is called when the turn comes, perhaps in another thread.

        Call :meth:`leave` afterwards. Raises :class:`~dynamodb_lists.connection.errors.Crowded` if the line is full.
        """
        with self._lock:
            line = self._lines.get(holder, [])
            if len(line) >= self._most:
                raise Crowded(f"All places for {self._what} are taken.")
            self._lines[holder] = line
            line.append(begin)
            is_next = len(line) <= self._at_once
        if is_next:
            begin()

    def leave(self, holder: Hashable, begin: Callable[[], None]) -> None:
        """Leave the line, after a turn or without one. The next request of the holder begins."""
        with self._lock:
            line = self._lines[holder]
            had_turn = line.index(begin) < self._at_once
            line.remove(begin)
            following = line[self._at_once - 1 : self._at_once] if had_turn else []
            if not line:
                del self._lines[holder]
        for begin_next in following:
            begin_next()

    @contextmanager
    def turn(self, holder: Hashable = None) -> Iterator[None]:
        """Have a turn inside the block, and wait for it until the page's deadline.

        Raises the same as :meth:`enter`, and :class:`~dynamodb_lists.connection.errors.Overdue` at the deadline.
        """
        begun = Event()
        self.enter(holder, begun.set)
        try:
            while not begun.wait(min(max(deadlines.left(), 0), TIMEOUT_MAX)):
                deadlines.check()
            yield
        finally:
            self.leave(holder, begun.set)
