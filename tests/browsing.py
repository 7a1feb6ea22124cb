"""Browsers for the tests that drive a real Chromium: with the demo's data, and alice logged in."""

import os
import re
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from tests import chromium

AXE = Path(settings.BASE_DIR) / "node_modules" / "axe-core" / "axe.min.js"
NewPage = Callable[..., Page]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium with an empty profile."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # Playwright's loop runs in this thread; the server has its own
    path = chromium.find()
    assert path, "run: python -m tests.chromium"
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=chromium.FLAGS)
        yield launched
        launched.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def new_page(browser: Browser, live_server: LiveServer, alice: object, empty_tables: None) -> Iterator[NewPage]:
    """A page where alice has logged in, over the demo data; it fails the test if the page's scripts fail."""
    call_command("seed_demo", rooms=[240, 60], guests=12, orders=90, reviews=80, stdout=StringIO())
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def make(**options: Any) -> Page:
        options = {"viewport": {"width": 1280, "height": 900}, **options}
        context = browser.new_context(base_url=live_server.url, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto("/admin/login/?next=/hotels/")
        page.fill("input[name=username]", "alice")
        page.fill("input[name=password]", "alice")
        page.click("button[type=submit]")
        expect(page).to_have_url(re.compile("/hotels/$"))
        return page

    yield make
    for context in contexts:
        context.close()
    assert not errors


def axe(page: Page, scheme: str = "light") -> list[str]:
    """What axe-core objects to on the whole page, the frame included: the rule, and the first element.

    The dark page is the light one in other colours, so only its colours are looked at.
    """
    page.add_script_tag(path=AXE)
    options = {} if scheme == "light" else {"runOnly": ["color-contrast", "link-in-text-block"]}
    found = page.evaluate("options => axe.run(options)", {"resultTypes": ["violations"], **options})
    return [f"{rule['id']}: {rule['nodes'][0]['html']}" for rule in found["violations"]]
