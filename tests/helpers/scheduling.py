"""The order of tests, which are ``slow``, and which depend on the ``engine`` or on ``days``.

``make times`` runs all tests and writes ``tests/times.json``: the seconds of each file, and of each slow test with all
its parameters. A test that is not in this file counts as quick, and a file as short. ``make times ARGS=FILE`` measures
a new file alone. The tests of the package run apart, with a configuration of their own; the Makefile gives them this
module, too.
"""

import json
from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling  # type: ignore[import-untyped]

ROOT = Path(__file__).parents[2]
FILE = ROOT / "tests" / "times.json"
SLOW = 1.0
"""Seconds from which ``make quick`` leaves a test out, unless it is marked as one of the core flows."""
WRITE = "--write-times"
BROWSER, SESSIONS = "tests/browser/", "tests/accounts/sessions/"
SAME_DATA = {
    "tests/project/test_page_weight.py": BROWSER,
}
"""Files that need the data of another scope, which takes seconds to write, and that scope."""
ENGINE = (
    "tests/dynamodb/test_[!c]*",
    "tests/accounts/sessions/test_store.py",
    "tests/*/test_queries.py",
    "tests/*/test_commands.py",
    "tests/*/test_models.py",
    "tests/rooms/test_numbers.py",
    "tests/rooms/test_rates.py",
)
"""The files whose tests depend on the engine: keys, ranges, walks, cursors, pages, tables, transactions, sessions.

Those of pages, texts and access do not, so they run on one engine in ``.ci/run``, and on both in ``make nightly``.
The package says itself which of its tests do.
"""


DAYS = ("tests/demo/test_seed_demo.py", "tests/overview/*", "tests/hotels/*", "tests/browser/test_overview.py")
"""The files whose tests depend on the day. ``make days`` runs them whole, and of all others what is quick."""


def scope_of(test: str) -> str:
    """Return what one worker runs in one go: a file, files of the same data, or all tests of the browser.

    Each Chromium takes seconds to start, and so does writing much data.
    """
    file = test.partition("::")[0]
    return BROWSER if file.startswith(BROWSER) else SAME_DATA.get(file, file)


class Scheduling(LoadFileScheduling):  # type: ignore[misc]
    """A worker runs a whole scope."""

    def _split_scope(self, nodeid: str) -> str:
        return scope_of(nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Scheduling | None:
    """Distribute scopes to the workers; ``make fuzz`` distributes tests."""
    return Scheduling(config, log) if config.getoption("dist") == "loadfile" else None


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    """Give the markers, and run the longest scopes first, so that no worker is idle at the end.

    Async sessions run before Playwright, whose event loop runs in the same thread: also after pytest-django has sorted.
    """
    times = json.loads(FILE.read_text(encoding="utf-8"))
    scopes: Counter[str] = Counter()
    for file, seconds in times["files"].items():
        scopes[scope_of(file)] += seconds
    names = {item: f"{_folder(config)}{item.nodeid}" for item in items}
    for item, name in names.items():
        if _function(name) in times["slow"]:
            item.add_marker(pytest.mark.slow)
        for mark, patterns in (("engine", ENGINE), ("days", DAYS)):  # the package has no marker "days"
            if any(fnmatch(name.partition("::")[0], pattern) for pattern in patterns):
                item.add_marker(mark)
    items.sort(key=lambda item: -scopes[scope_of(names[item])])
    yield
    items.sort(key=lambda item: not f"{_folder(config)}{item.nodeid}".startswith(SESSIONS))


# --- The measurement ------------------------------------------------------------------------------------


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(WRITE, action="store_true", help="write the seconds of files and slow tests to tests/times.json")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption(WRITE) and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Stopwatch(_folder(config)))


class Stopwatch:
    """Adds up the seconds of each test, with those of its fixtures, as the workers report them."""

    def __init__(self, folder: str) -> None:
        self.seconds: Counter[str] = Counter()
        self.folder = folder

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[f"{self.folder}{_function(report.nodeid)}"] += report.duration  # type: ignore[assignment]

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        if exitstatus in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}:  # as when one says that a file is missing
            FILE.write_text(self.text(), encoding="utf-8")

    def text(self) -> str:
        """The file: one line for each file and for each slow test, in alphabetical order, so that changes are few."""
        files: Counter[str] = Counter()
        for name, seconds in self.seconds.items():
            files[name.partition("::")[0]] += seconds

        def measured(file: str) -> bool:
            return file in files or not (ROOT / file).exists()

        slow = {name: seconds for name, seconds in self.seconds.items() if seconds >= SLOW}
        known = json.loads(FILE.read_text(encoding="utf-8"))
        merged = {
            part: {name: seconds for name, seconds in known[part].items() if not measured(name.partition("::")[0])}
            | {name: round(seconds, 1) for name, seconds in values.items()}
            for part, values in {"files": files, "slow": slow}.items()
        }
        return json.dumps({part: dict(sorted(values.items())) for part, values in merged.items()}, indent=1) + "\n"


def _folder(config: pytest.Config) -> str:
    """Return what the names of tests lack that have a configuration of their own: the folder in which it is."""
    return "" if config.rootpath == ROOT else f"{config.rootpath.relative_to(ROOT).as_posix()}/"


def _function(test: str) -> str:
    """Return a test without its parameters."""
    return test.partition("[")[0]
