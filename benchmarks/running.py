"""Servers that show the same rooms: the portal and the stock changelist, on SQLite and on PostgreSQL."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from urllib.parse import urlencode

from django.conf import settings

from benchmarks import common, portal
from benchmarks.portal import PAGE
from benchmarks.processes import child, listening
from benchmarks.stock.serving import SECRET, USERS
from dynamodb_lists.connection import engine
from hotelapp.serving.options import ServerOptions
from rooms import keys
from tests.helpers import postgresql

PROCESSES = ServerOptions().processes
CHANGELIST = "/admin/stock/room/?o=2.3.4.1"
"""Sorted by the columns view, size, type and number: the order of the portal's list."""

FIRST, LAST = "first", "last"
WITH_COUNTS = " with the counts of its filters"
"""What is added to the name of a page of the changelist that shows, as the portal does, a number beside each choice."""

PORTAL, ON_SQLITE, ON_POSTGRESQL = "portal", "changelist on SQLite", "changelist on PostgreSQL"


@dataclass(frozen=True)
class RunningServer:
    """A running server: its port, the address of each page, and the processes of the server and its database."""

    port: int
    pages: Mapping[str, str]
    cookies: Sequence[str]
    process: int
    database: int | None = None


def started(stack: ExitStack, rooms: int) -> Iterator[tuple[str, RunningServer | str]]:
    """Every server by its name; in place of one that cannot be had here, the reason."""
    cookies = [_cookie(f"staff{number}") for number in range(USERS)]
    yield PORTAL, stack.enter_context(_portal(cookies))
    yield ON_SQLITE, stack.enter_context(_changelist(f"sqlite:///{common.WORK / 'stock.sqlite3'}", rooms))
    try:
        yield ON_POSTGRESQL, stack.enter_context(_on_postgresql(rooms))
    except RuntimeError as error:
        yield ON_POSTGRESQL, f"{error}"


# --- The portal -----------------------------------------------------------------------------------------


@contextmanager
def _portal(cookies: Sequence[str]) -> Iterator[RunningServer]:
    port, pages = engine.free_port(), _pages()
    environment = {"SERVER_ADDRESS": f"127.0.0.1:{port}", "LOG_LEVEL": "INFO"}  # with a line for each request
    with listening([sys.executable, "-m", "hotelapp.serving"], port, environment) as process:
        yield RunningServer(port, pages, cookies, process, child("dynoxide"))


def _pages() -> dict[str, str]:
    first = portal.rooms_of(query=urlencode({"sort": keys.VIEW, "then": keys.SIZE}))
    return {FIRST: first, LAST: portal.last_of(portal.logged_in(), first)}


def _cookie(username: str) -> str:
    name = settings.SESSION_COOKIE_NAME
    return f"{name}={portal.logged_in(username).cookies[name].value}; {SECRET}"


# --- The stock changelist -------------------------------------------------------------------------------


@contextmanager
def _changelist(database: str, rooms: int) -> Iterator[RunningServer]:
    port = engine.free_port()
    environment = {"DJANGO_SETTINGS_MODULE": "benchmarks.stock.settings", "STOCK_DATABASE": database}
    file = common.WORK / f"cookies-{port}.json"
    command = [sys.executable, "-m", "benchmarks.stock.serving", str(port), str(PROCESSES), str(file), str(rooms)]
    pages = {FIRST: CHANGELIST, LAST: f"{CHANGELIST}&p={(rooms - 1) // PAGE + 1}"}
    pages |= {name + WITH_COUNTS: f"{page}&_facets=True" for name, page in pages.items()}
    with listening(command, port, environment) as process:
        yield RunningServer(port, pages, json.loads(file.read_text()), process, child("postgres"))


@contextmanager
def _on_postgresql(rooms: int) -> Iterator[RunningServer]:
    """Raises :class:`RuntimeError` if PostgreSQL is not installed."""
    with postgresql.running() as database, _changelist(database, rooms) as server:
        yield server
