"""How tests wait for what another process or thread does: for its effect, with a bound that no machine needs."""

import time
from collections.abc import Callable

PATIENCE = 60.0
"""Seconds after which a test fails that waits for an effect: half of what a test may take, so that it says for what.

A loaded machine takes seconds, never a minute.
"""


def eventually(condition: Callable[[], object]) -> bool:
    """Wait until the condition is true; false if it is not within :data:`PATIENCE`."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return False
