"""How many examples a test has: usually a few, in ``make fuzz`` more, and all of those that are alike."""

import os
from collections.abc import Iterable
from typing import TypeVar

DEPTH = float(os.environ.get("DEPTH", "1"))
T = TypeVar("T")


def examples(usual: int) -> int:
    """The ``usual`` number of examples of a property test that uses the database, times ``DEPTH``."""
    return max(1, round(usual * DEPTH))


def usual(every: Iterable[T], *chosen: T) -> list[T]:
    """One of each kind, those ``chosen``. ``make fuzz`` runs ``every`` one."""
    found = list(every)
    assert set(map(str, chosen)) <= set(map(str, found))
    return list(chosen) if DEPTH <= 1 else found
