"""Fixtures for tests with a real Chromium, on the demo's data, with alice logged in."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from typing import Any, Literal
from urllib.parse import urljoin

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.management import call_command
from django.core.signals import request_finished, request_started
from playwright.sync_api import Browser, CDPSession, ConsoleMessage, Error, Page, ViewportSize, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from dynamodb_lists.tests.helpers import chromium
from dynamodb_lists.tests.helpers.waiting import PATIENCE
from tests.conftest import logged_in
from tests.helpers import contents

NewPage = Callable[..., Page]
EXPECTED, EVAL = ("Failed to load resource", "htmx:"), "htmx:evalDisallowedError"
OFFLINE = "ERR_INTERNET_DISCONNECTED"
LEAVE = """if (location.href !== "about:blank") {
    if (location.origin !== "null") sessionStorage.clear(); // the page of an error has none
    location = "about:blank";
}"""
STORED = "cookies,indexeddb,local_storage,service_workers,websql,cache_storage"
TYPED_AGAIN = 3
MOST_DOCUMENTS = 150
"""The pages that Chromium may keep in memory after they were left. It would keep all, which took a gigabyte. If it
dropped them after each test, it would compile every script again.
"""

DESK: ViewportSize = {"width": 1280, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}


class Requests:
    """The requests that the server answers now. They share the connection to SQL with the test."""

    def __init__(self) -> None:
        self._count = 0
        self._changed = threading.Condition()

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count the requests that begin and end inside the block."""
        request_started.connect(self._begin)
        request_finished.connect(self._end)
        yield
        request_started.disconnect(self._begin)
        request_finished.disconnect(self._end)

    def wait(self) -> None:
        """Wait until no request is left."""
        with self._changed:
            assert self._changed.wait_for(lambda: self._count == 0, timeout=PATIENCE), (
                "The server does not end a request."
            )

    def _begin(self, **_: object) -> None:
        self._add(1)

    def _end(self, **_: object) -> None:
        self._add(-1)

    def _add(self, change: int) -> None:
        if threading.current_thread() is threading.main_thread():  # a request of the test client
            return
        with self._changed:
            self._count += change
            self._changed.notify_all()


@dataclass(frozen=True)
class Window:
    """A page that the tests use one after the other, and its session of the DevTools protocol."""

    page: Page
    devtools: CDPSession
    origin: str
    requests: Requests

    def open(
        self, scripts: bool = True, viewport: ViewportSize = DESK, color_scheme: Literal["light", "dark"] = "light"
    ) -> Page:
        """Return the page, with or without JavaScript, in this size and with this colour scheme."""
        self.devtools.send("Emulation.setScriptExecutionDisabled", {"value": not scripts})
        self.page.bring_to_front()  # a page in the background gets no focus
        self.page.set_viewport_size(viewport)
        self.page.emulate_media(media="null", forced_colors="none", color_scheme=color_scheme)
        return self.page

    def reset(self) -> None:
        """Forget everything except for the browser's cache of styles, scripts and fonts."""
        self.page.unroute_all(behavior="ignoreErrors")  # a test that failed may have left some, and requests that wait
        self.page.context.set_offline(False)
        self.page.evaluate(LEAVE)  # goto() would start a new process
        self.page.wait_for_url("about:blank")
        if self.devtools.send("Memory.getDOMCounters")["documents"] > MOST_DOCUMENTS:
            self.devtools.send("HeapProfiler.collectGarbage")
        self.devtools.send("Storage.clearDataForOrigin", {"origin": self.origin, "storageTypes": STORED})
        self.devtools.send("Page.resetNavigationHistory")
        self.page.context.clear_cookies()
        self.requests.wait()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium with an empty profile."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # Playwright's loop runs in this thread; the server has its own
    path = chromium.find()
    assert path, "run: python -m tests.helpers.chromium"
    expect.set_options(timeout=1000 * PATIENCE)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=chromium.FLAGS, timeout=1000 * PATIENCE)
        yield launched
        launched.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture(scope="session")
def window(browser: Browser, live_server: LiveServer) -> Iterator[Window]:
    """The only page of the session. A page of its own for each test would load every style, script and font again."""
    context = chromium.new_context(browser, base_url=live_server.url)
    context.set_default_timeout(1000 * PATIENCE)
    page, requests = context.new_page(), Requests()
    with requests.counted():
        yield Window(page, context.new_cdp_session(page), live_server.url, requests)
    context.close()
    for thread in threading.enumerate():
        if thread.name.endswith("(process_request_thread)"):
            thread.join(
                PATIENCE
            )  # at its end it touches the connection to SQL, which it may as long as the server runs


@pytest.fixture
def new_page(window: Window, alice: User, endpoint: str, filling: contents.Fill | None) -> Iterator[NewPage]:
    """A function that opens a page with the data of ``filling`` or the demo, where alice is logged in.

    A script error and whatever the browser complains of, such as a violation of the Content-Security-Policy, fails the
    test. At first, the page is blank.
    """
    cache.clear()
    if filling:
        contents.start_from(f"{filling.__module__}.{filling.__qualname__}", filling)
    else:
        demo()

    def make(**options: Any) -> Page:
        page = window.open(**options)
        log_in(page, alice, window.origin)
        return page

    complaints: list[str] = []
    with watched(window.page, complaints):
        yield make
        window.reset()
    assert complaints == []


def log_in(page: Page, user: User, address: str) -> None:
    """Give the page a session of the user at the server of this address."""
    session = logged_in(user).cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": urljoin(address, "/")}])


def give_password(page: Page) -> None:
    """Fill in and send the form of a login as alice."""
    enter(page, "[name=username]", "alice")
    enter(page, "[name=password]", "alice")
    page.press("[name=password]", "Enter")


@pytest.fixture
def superuser(alice: User) -> None:
    """Give alice every permission."""
    User.objects.filter(pk=alice.pk).update(is_superuser=True)


@contextmanager
def watched(page: Page, complaints: list[str]) -> Iterator[None]:
    """Collect script errors and what the browser complains of: violations of a policy, bad headers, Alpine's errors.

    Answers with an error status and a server that is away, which htmx logs, are no complaints: tests expect them. What
    htmx would have to evaluate is one, and so is a static file that is missing, unless the test took the network away.
    """

    def fail(error: Error) -> None:
        complaints.append(f"{page.url}: {error}")

    def hear(message: ConsoleMessage) -> None:
        lost_file = message.text.startswith(EXPECTED[0]) and settings.STATIC_URL in message.location["url"]
        lost_file = lost_file and not message.text.endswith(OFFLINE)
        expected = message.text.startswith(EXPECTED) and not message.text.startswith(EVAL)
        if message.type in {"error", "warning"} and (lost_file or not expected):
            complaints.append(f"{page.url}: {message.text} {message.location['url']}")

    page.on("pageerror", fail)
    page.on("console", hear)
    yield
    page.remove_listener("pageerror", fail)
    page.remove_listener("console", hear)


def demo() -> None:
    """Restore the demo data."""
    contents.start_from("demo", seed)


def seed() -> None:
    """Write a smaller amount of the demo's data."""
    call_command("seed_demo", rooms=[240, 60], guests=12, orders=90, reviews=80, stdout=StringIO())


def wait_until(page: Page, condition: Callable[[], object]) -> None:
    """Let the browser go on until the condition is true: ``eventually`` would keep its events waiting."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "what the test waits for does not happen"
        page.wait_for_timeout(10)


def enter(page: Page, selector: str, text: str) -> None:
    """Fill a field of the page, again if the text got lost, as it may in the first field of a page that still loads."""
    page.wait_for_load_state()
    for _ in range(TYPED_AGAIN):
        page.fill(selector, text)
        if page.input_value(selector) == text:
            return


def choose(page: Page, facet: str, value: str) -> None:
    """Tick or untick a choice of a drop-down, which is opened first."""
    if page.locator(f"#drop-{facet}").get_attribute("open") is None:
        page.click(f"#open-{facet}")
    page.click(f'[data-facet="{facet}"][data-value="{value}"]')
