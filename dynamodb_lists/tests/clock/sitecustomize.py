"""Moves the clock of each Python process that a test starts, before its program begins: ``PYTHONPATH`` has this folder.

This module imports nothing of the package. If the process lacks the package time-machine, ``CLOCK_PACKAGES`` names a
folder with it.
"""

import os
import sys
import time

AHEAD, PACKAGES = "CLOCK_AHEAD", "CLOCK_PACKAGES"


def move() -> None:
    """Let the wall clock be ahead by the seconds that a variable names. It goes on; monotonic clocks stay real."""
    sys.path.append(os.environ[PACKAGES])
    without_pytest = sys.modules.setdefault("pytest", None) is None  # type: ignore[arg-type]  # it takes long to load
    try:
        import time_machine  # noqa: PLC0415
    finally:
        sys.path.pop()
        if without_pytest:
            del sys.modules["pytest"]
    time_machine.travel(real_time() + float(os.environ[AHEAD])).start().time_ns()  # it goes on from the first question


def real_time() -> float:
    """Return the time of the machine, whether this process has moved its clock or not."""
    import time_machine  # noqa: PLC0415

    hatch = time_machine.escape_hatch
    return hatch.time.time() if hatch.is_travelling() else time.time()


if AHEAD in os.environ:
    move()
