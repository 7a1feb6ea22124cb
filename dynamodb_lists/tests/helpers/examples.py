"""How many examples a test has: usually a few, in ``make fuzz`` more, and all of those that are alike."""

import os
from collections.abc import Iterable
from typing import TypeVar

from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import engine as shrinking

DEPTH = float(os.environ.get("DEPTH", "1"))
T = TypeVar("T")


def examples(usual: int) -> int:
    """Return the ``usual`` number of examples of a property test that uses the database, times ``DEPTH``."""
    return max(1, round(usual * DEPTH))


def usual(every: Iterable[T], *chosen: T) -> list[T]:
    """Return one of each kind, those ``chosen``. ``make fuzz`` runs ``every`` one."""
    found = list(every)
    assert set(map(str, chosen)) <= set(map(str, found))
    return list(chosen) if DEPTH <= 1 else found


def load_profile() -> None:
    """Let all property tests have the settings of the project."""
    settings.register_profile(
        "project",
        max_examples=examples(50),
        deadline=None,  # speed is measured in benchmarks/, never in a test
        derandomize=DEPTH == 1,  # a fixed sample; make fuzz draws new examples
        print_blob=True,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )
    settings.load_profile("project")
    shrinking.MAX_SHRINKING_SECONDS = int(30 * DEPTH)  # an example that fails may be a slow one; by default, 300 s
