"""The Chromium of browser tests, and how it is started."""

import os
import shutil
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, sync_playwright

from dynamodb_lists.tests.clock.sitecustomize import AHEAD

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

CLOCK = """{
    const present = Date.now.bind(Date);
    Date.now = () => present() + %d; // whole milliseconds, as always
    Date = new Proxy(Date, { construct: (real, given) => new real(...(given.length ? given : [real.now()])) });
}"""


def find() -> str | None:
    """Return the path of a Chromium on this machine: that in ``CHROMIUM``, one on the PATH, or Playwright's."""
    for name in filter(None, [os.environ.get("CHROMIUM"), *NAMES]):
        if path := shutil.which(name):
            return path
    with sync_playwright() as playwright:
        bundled = playwright.chromium.executable_path
    return bundled if Path(bundled).exists() else None


def new_context(browser: Browser, **options: Any) -> BrowserContext:
    """A context whose pages have the time of this process. Playwright's clock would replace their timers, too."""
    context = browser.new_context(**options)
    if AHEAD in os.environ:
        context.add_init_script(CLOCK % (1000 * float(os.environ[AHEAD])))
    return context
