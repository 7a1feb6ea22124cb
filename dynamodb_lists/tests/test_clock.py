"""Tests run at the time that ``NOW`` names, in all of their processes, and every wait is as long as it was."""

import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from dynamodb_lists.tests.clock import sitecustomize
from dynamodb_lists.tests.helpers.wheels import ROOT

INSIDE = """
import subprocess, sys, time
from datetime import UTC, datetime
from pathlib import Path
from playwright.sync_api import sync_playwright
from dynamodb_lists.tests.helpers import chromium

CODE = "import time; print(time.time(), time.monotonic())"

def child(code, env=None):
    return subprocess.check_output([sys.executable, "-c", code], text=True, env=env).split()

def test_clocks():
    begun = time.time()
    again = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {CODE!r}])"
    for code, env in ((CODE, None), (again, {}), (f"import other; {CODE}", {"PYTHONPATH": str(Path(__file__).parent)})):
        told, monotonic = map(float, child(code, env))
        assert begun - 0.1 < told < time.time() + 0.1
        assert monotonic <= time.monotonic()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.FLAGS)
        page = chromium.new_context(browser).new_page()
        page.goto("data:text/html,")
        for told in page.evaluate("[Date.now(), +new Date(), Date.parse(new Date().toISOString())]"):
            assert begun - 0.1 < told / 1000 < time.time() + 0.1
        assert page.evaluate("Number.isInteger(Date.now()) && new Date(0).getTime() === 0")
        browser.close()
    (year, month, day), hour = datetime.now(UTC).timetuple()[:3], datetime.now(UTC).hour
    assert (year, month, day, hour) == (2028, 2, 29, 23)
"""


def test_every_process_has_the_chosen_time(tmp_path: Path) -> None:
    """The inner run has a worker, so its clock is that of a process that another one has started."""
    (tmp_path / "test_inside.py").write_text(INSIDE, encoding="utf-8")
    (tmp_path / "other.py").touch()
    plugin = ["-p", "dynamodb_lists.tests.clock", "-p", "no:django", "-p", "no:cacheprovider", "-n", "1"]
    done = run([*plugin, "-c", "/dev/null", str(tmp_path)], "2028-02-29T23:20")
    assert done.returncode == 0, done.stdout
    assert "clock: NOW=2028-02-29T23:20\n" in done.stdout


def test_a_time_that_cannot_be_read_is_one_line() -> None:
    done = run(["-p", "dynamodb_lists.tests.clock", "-c", "/dev/null", "--collect-only", __file__], "tomorrow")
    assert done.returncode == 1
    assert done.stderr == "NOW must be a time such as 2027-01-31T23:20; it is 'tomorrow'.\n"


def test_this_run_has_the_time_that_it_says() -> None:
    ahead = float(os.environ.get(sitecustomize.AHEAD, "0"))
    assert abs(datetime.now(UTC).timestamp() - sitecustomize.real_time() - ahead) < 1


def run(options: list[str], now: str) -> "subprocess.CompletedProcess[str]":
    """A test run at a time, which it chooses although this one has chosen another."""
    command, env = [sys.executable, "-m", "pytest", *options], {**os.environ, "NOW": now}
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
