"""The time at which tests run: the present, or that of the variable ``NOW``, such as ``NOW=2027-01-31T23:20`` in UTC.

A run prints its time. The time holds in every process that a test starts, and in Chromium (``helpers/chromium.py``).
Only the embedded engine keeps the machine's time, by which it deletes expired items. So tests may fail at a time in the
past.
"""

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import time_machine

from dynamodb_lists.tests.clock import sitecustomize
from dynamodb_lists.tests.clock.sitecustomize import AHEAD, PACKAGES

NOW = "NOW"


def pytest_report_header() -> str:
    """Return the first line of a run, which says how to run it again at this time."""
    return f"clock: {NOW}={datetime.now(UTC):%Y-%m-%dT%H:%M}"


def _move(text: str) -> None:
    """Run from this time on. Whoever finds the variable again chooses anew."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise SystemExit(f"{NOW} must be a time such as 2027-01-31T23:20; it is {text!r}.") from None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    os.environ[AHEAD] = str(moment.timestamp() - sitecustomize.real_time())
    os.environ[PACKAGES] = str(Path(time_machine.__file__).parents[1])
    here = Path(sitecustomize.__file__).parent
    os.environ["PYTHONPATH"] = f"{here}:{os.environ.get('PYTHONPATH', '')}".rstrip(":")
    sitecustomize.move()


def _keep_in_children() -> None:
    """Processes with an environment of their own get the variables of the clock, too."""
    usual: Any = subprocess.Popen.__init__
    own, first = {name: os.environ[name] for name in (AHEAD, PACKAGES)}, Path(sitecustomize.__file__).parent

    def launch(self: Any, *args: Any, env: Any = None, **options: Any) -> None:
        if env is not None:
            env = {**env, **own, "PYTHONPATH": f"{first}:{env.get('PYTHONPATH', '')}".rstrip(":")}
        usual(self, *args, env=env, **options)

    subprocess.Popen.__init__ = launch  # type: ignore[method-assign]


if chosen := os.environ.pop(NOW, ""):
    _move(chosen)
if AHEAD in os.environ:
    _keep_in_children()
