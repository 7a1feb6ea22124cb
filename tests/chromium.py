"""Finds Chromium for the browser tests, or installs it: ``python -m tests.chromium``.

Debian's package as root, otherwise Playwright's own build. If neither can be had it says so in one line and ends
with 1, and ``make test`` stops: browser tests are never left out silently.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def find() -> str | None:
    """The path of a Chromium on this machine: ``CHROMIUM``, the PATH, or Playwright's own."""
    for name in filter(None, [os.environ.get("CHROMIUM"), *NAMES]):
        if found := shutil.which(name):
            return found
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return own if Path(own).exists() else None


def install() -> None:
    """Try what this machine allows, quietly."""
    if shutil.which("apt-get") and os.geteuid() == 0:
        quiet = {"env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}, "stdout": subprocess.DEVNULL}
        subprocess.run(["apt-get", "update", "-qq"], check=False, **quiet)  # type: ignore[call-overload]
        subprocess.run(["apt-get", "install", "-y", "-qq", "chromium"], check=False, **quiet)  # type: ignore[call-overload]
    else:
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)


def main() -> int:
    """Make sure that there is a Chromium."""
    if find():
        return 0
    sys.stderr.write("Installing Chromium for the browser tests ...\n")
    install()
    if find():
        return 0
    sys.stderr.write("No Chromium: install it (apt-get install chromium) or name it in CHROMIUM, then test again.\n")
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
