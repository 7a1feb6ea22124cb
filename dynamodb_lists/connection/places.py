"""Places: how many pages of a process may wait for databases at the same time.

A database that does not answer makes every page wait that asks it. Without a limit, such pages would occupy all
threads of the process, and pages that need no database would wait, too. A page takes a place while a call of it is in
flight. It waits for a free place as long as the databases answer anybody. If all places are taken and nobody has had an
answer for ``SILENCE`` seconds, further pages are refused at once. This is a bulkhead (Nygard, Release It!, 2018).
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Condition

from dynamodb_lists.connection import deadlines, scope
from dynamodb_lists.connection.configuration import configuration
from dynamodb_lists.connection.errors import Busy

SILENCE = 1.0
"""Seconds. While databases answer at all, some answer arrives in less."""


class Places:
    """The rule, without threads and clock: who gets a place, and until when it is worth waiting for one.

    Times are seconds of any clock that does not go backwards.
    """

    def __init__(self, count: int) -> None:
        self.count = self.free = count
        self._silent_since = 0.0

    def take(self, now: float) -> bool:
        """Take a place; false if none is free."""
        if not self.free:
            return False
        if self.free == self.count:  # nobody was waiting for an answer until now
            self._silent_since = now
        self.free -= 1
        return True

    @property
    def are_short(self) -> bool:
        """Whether half of the places are taken, so that nothing should run that nobody waits for."""
        return self.free * 2 <= self.count

    def give_back(self) -> None:
        """Free a place."""
        self.free += 1

    def answered(self, now: float) -> None:
        """Note that a database has answered."""
        self._silent_since = now

    def patience(self, now: float) -> float:
        """For how many seconds more it is worth waiting for a place; not positive if the databases are silent."""
        return self._silent_since + SILENCE - now


_changed = Condition()


@cache
def of_process() -> Places:
    """The places of this process."""
    return Places(configuration().waiting_pages)


def enter() -> None:
    """Take a place before a call, unless another call of the page has it. Call :func:`leave` after the call.

    Calls outside a page, such as those of commands, take no place.

    Raises :class:`~dynamodb_lists.connection.errors.Busy`, or
    :class:`~dynamodb_lists.connection.errors.Overdue` if the deadline passes meanwhile.
    """
    if page := scope.current().page:
        with page.lock:
            if not page.calls:
                _take()
            page.calls += 1


def leave(*, answered: bool) -> None:
    """Free the page's place after its last call in flight. ``answered`` is whether the database has answered."""
    if page := scope.current().page:
        with page.lock, _changed:
            if answered:
                of_process().answered(time.monotonic())
            page.calls -= 1
            if not page.calls:
                of_process().give_back()
                _changed.notify()


@contextmanager
def taken() -> Iterator[None]:
    """Have a place for the call inside the block. An error counts as no answer. Raises the same as :func:`enter`."""
    enter()
    answered = False
    try:
        yield
        answered = True
    finally:
        leave(answered=answered)


def _take() -> None:
    places = of_process()
    with _changed:
        while not places.take(time.monotonic()):
            deadlines.check()
            patience = places.patience(time.monotonic())
            if patience <= 0:
                raise Busy(f"{places.count} pages wait for databases that do not answer.")
            _changed.wait(min(patience, deadlines.left()))
