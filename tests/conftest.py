"""Fixtures: the real engine in memory, empty tables, and the users.

Alice is staff and does the daily work, mary is a manager, dana is staff without a permission, charlie is not staff.
Every access test names its user; a plain ``client`` is anonymous.
"""

import functools
import gc
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from botocore.auth import SigV4Auth
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection
from django.db.transaction import Atomic
from django.template.base import Template
from django.test import Client
from django.test.utils import _TestState

from accounts.change_numbers import ACCESS, changes_of
from accounts.sessions import STARTED
from dynamodb_lists.connection import client as client_module
from dynamodb_lists.connection import engine, scope
from dynamodb_lists.connection.client import forget
from dynamodb_lists.connection.engine import Engine
from dynamodb_lists.reading import fetching
from dynamodb_lists.schema import tables
from dynamodb_lists.tests.helpers import dynamodb_local
from dynamodb_lists.tests.helpers.examples import load_profile
from dynamodb_lists.tests.helpers.sdk import models_of_the_sdk, short_waits
from dynamodb_lists.writing import changes
from tests.helpers import contents, people
from tests.helpers.contents import delete_all, forget_counts
from tests.helpers.proxy import Proxy

__all__ = ["models_of_the_sdk", "short_waits"]
"""Fixtures of the package's tests."""

pytest_plugins = [
    "dynamodb_lists.tests.clock",
    "tests.helpers.browsing",
    "tests.helpers.leftovers",
    "tests.helpers.scheduling",
]
load_profile()


def pytest_configure() -> None:
    """Stop in one line if the tests cannot run on the engine that ``ENGINE`` names."""
    if problem := dynamodb_local.problem():
        raise pytest.UsageError(problem)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore Ctrl-C


def pytest_collection_finish() -> None:
    """Exclude imported modules from later garbage collections, and collect less often: it takes a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 50, 50)


@pytest.fixture(scope="session")
def endpoint() -> Iterator[str]:
    """The endpoint that ``DYNAMODB_ENDPOINT_URL`` names, or an engine in memory; with all tables."""
    with _engine_in_memory() as url:
        settings.DYNAMODB_ENDPOINT_URL = url
        list(tables.migrate())
        yield url
        delete_all()


@contextmanager
def _engine_in_memory() -> Iterator[str]:
    if dynamodb_local.wanted():
        with dynamodb_local.running() as url:
            yield url
    elif url := os.environ.get("DYNAMODB_ENDPOINT_URL", ""):
        yield url
    else:
        with engine.start(engine.find_binary(settings.BASE_DIR), engine.free_port()) as running:
            yield running.url


@pytest.fixture(autouse=True, scope="session")
def own_folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A folder of this process and those that it starts, so that tests run beside ``make run``."""
    settings.VAR_DIR = tmp_path_factory.mktemp("var")
    settings.DYNAMODB_ENGINE_FILE = settings.VAR_DIR / "engine.sqlite3"
    os.environ["VAR_DIR"] = str(settings.VAR_DIR)


@pytest.fixture(autouse=True, scope="session")
def small_revisions() -> Iterator[None]:
    """Count the changes of each thing from 1, so that tests can name revisions. Real revisions begin with the time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(changes, "first_revision", lambda: 1)
        yield


@pytest.fixture(autouse=True, scope="session")
def commits() -> Iterator[None]:
    """Run what waits for a commit once only the test's own transaction is left, which is never committed."""
    usual = Atomic.__exit__

    def leave(self: Atomic, *error: Any) -> None:
        usual(self, *error)
        if connection.atomic_blocks and connection.atomic_blocks[-1]._from_testcase:  # type: ignore[attr-defined]
            while connection.run_on_commit:
                connection.run_on_commit.pop(0)[1]()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Atomic, "__exit__", leave)
        yield


@pytest.fixture(autouse=True, scope="session")
def unsigned() -> Iterator[None]:
    """Let requests to an engine of the tests have the header of a signature, without computing one each time.

    No engine checks it, and it takes a fifteenth of the processor time of a test. Tests of the package sign.
    """

    def sign(self: SigV4Auth, request: Any) -> None:
        for name, value in contents.SIGNED.items():
            request.headers[name] = value

    with pytest.MonkeyPatch.context() as patch:
        if not os.environ.get("DYNAMODB_ENDPOINT_URL"):
            patch.setattr(SigV4Auth, "add_auth", sign)
        yield


@pytest.fixture(autouse=True, scope="session")
def plain_templates(django_test_environment: None) -> None:
    """Do not copy the context of each template for ``response.context``, which no test reads."""
    Template._render = _TestState.saved_data.template_render  # type: ignore[attr-defined]


@pytest.fixture(autouse=True, scope="session")
def requests_of_the_portal(django_test_environment: None) -> Iterator[None]:
    """Let browsers of tests make requests as the server does."""
    from hotelapp.wsgi import PortalRequest  # noqa: PLC0415 (it loads every app)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("django.test.client.WSGIRequest", PortalRequest)
        yield


@pytest.fixture
def filling(request: pytest.FixtureRequest) -> contents.Fill | None:
    """The function that fills the tables before a test: ``fill`` of its module, if it has one."""
    fill: contents.Fill | None = getattr(request.module, "fill", None)
    return fill


@pytest.fixture
def empty_tables(endpoint: str, filling: contents.Fill | None) -> None:
    """Every table, either empty or with the restored data of the module."""
    cache.clear()
    forget_counts()
    fetching.sizes.clear()
    if filling:
        contents.start_from(f"{filling.__module__}.{filling.__qualname__}", filling)
    else:
        contents.empty()


def connect(url: str | None) -> None:
    """Connect this process to another endpoint."""
    settings.DYNAMODB_ENDPOINT_URL = url
    forget()


@pytest.fixture
def own_engine(empty_tables: None, tmp_path: Path) -> Iterator[Engine]:
    """An engine for one test, on a file. Log in after this fixture, because this engine has the sessions, too."""
    before = settings.DYNAMODB_ENDPOINT_URL
    with engine.start(
        engine.find_binary(settings.BASE_DIR), engine.free_port(), tmp_path / "engine.sqlite3"
    ) as running:
        connect(running.url)
        list(tables.migrate())
        yield running
    connect(before)


@pytest.fixture(scope="module")
def proxied(endpoint: str) -> Iterator[tuple[Proxy, Any]]:
    """A proxy before the engine, and what creates the client that talks to it.

    A client serves a module: creating one takes a while, and the SDK allows a client only so many retries.
    """
    with Proxy(endpoint) as proxy:
        yield proxy, functools.cache(client_module._client.__wrapped__)


@pytest.fixture
def proxy(empty_tables: None, proxied: tuple[Proxy, Any], monkeypatch: pytest.MonkeyPatch) -> Iterator[Proxy]:
    """The proxy. This process talks to the engine through it, and it fails where a test tells it to."""
    proxy, create_client = proxied
    monkeypatch.setattr(settings, "DYNAMODB_ENDPOINT_URL", proxy.url)
    monkeypatch.setattr(client_module, "_client", create_client)
    yield proxy
    proxy.start()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hardly wait before a request is sent again. For tests in which every attempt fails: they would wait a second."""
    monkeypatch.setattr(scope, "FIRST_WAIT", 0.0001)


@pytest.fixture
def alice(db: Any) -> User:
    """A member of staff who sees everything, and works with guests and orders."""
    alice = people.show_every_hotel(User.objects.create_user("alice", password="alice", is_staff=True))
    people.permit(alice, *people.DAILY_WORK)
    return alice


@pytest.fixture
def mary(db: Any) -> User:
    """A member of the group of managers. She is not a superuser."""
    mary = people.show_every_hotel(User.objects.create_user("mary", is_staff=True))
    people.join(mary, "Manager")
    return mary


@pytest.fixture
def dana(db: Any) -> User:
    """A member of staff without any permission, who sees every hotel."""
    return people.show_every_hotel(User.objects.create_user("dana", is_staff=True))


@pytest.fixture
def manager(empty_tables: None, mary: User) -> Client:
    """Mary's browser."""
    return logged_in(mary)


@pytest.fixture
def newcomer(empty_tables: None, dana: User) -> Client:
    """Dana's browser."""
    return logged_in(dana)


@pytest.fixture
def portal(proxy: Proxy, mary: User) -> Client:
    """Mary's browser. The portal talks to the engine through the proxy."""
    return logged_in(mary)


@pytest.fixture
def charlie(db: Any) -> User:
    """A user without staff access."""
    return User.objects.create_user("charlie", password="charlie")


@pytest.fixture
def staff(empty_tables: None, alice: User) -> Client:
    """Alice's browser. She logs in after the tables are emptied, because her session is in a table."""
    return logged_in(alice)


@pytest.fixture
def outsider(empty_tables: None, charlie: User) -> Client:
    """Charlie's browser."""
    return logged_in(charlie)


def logged_in(user: User) -> Client:
    """Return a browser in which the user is logged in: with a session as a login stores it, in a sixth of the time."""
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[-1]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session[ACCESS] = changes_of(user).access
    session[STARTED] = int(time.time())
    session.save(must_create=True)
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
    return client
