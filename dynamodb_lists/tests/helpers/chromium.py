"""The Chromium of browser tests, and how it is started."""

import os
import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The headless shell, Debian's package of this name, is preferred: it takes a quarter less processor time."""

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--js-flags=--no-opt --no-maglev",  # a page is too short-lived for the optimizing compilers to pay off
]


def find() -> str | None:
    """The path of a Chromium on this machine: that in ``CHROMIUM``, one on the PATH, or Playwright's."""
    for name in filter(None, [os.environ.get("CHROMIUM"), *NAMES]):
        if path := shutil.which(name):
            return path
    with sync_playwright() as playwright:
        bundled = playwright.chromium.executable_path
    return bundled if Path(bundled).exists() else None
