"""Servers that show the same rooms: the portal, its floor, the stock changelist, and dynamodb-admin."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from urllib.parse import urlencode

from django.conf import settings

from benchmarks import common, data, portal
from benchmarks.portal import PAGE
from benchmarks.processes import child, listening
from benchmarks.stock.serving import SECRET, USERS
from dynamodb_lists.connection import engine
from hotelapp.serving.options import ServerOptions
from rooms import keys
from rooms.declaration import ROOMS
from rooms.models import RoomModel
from tests.helpers import postgresql

PROCESSES = ServerOptions().processes
CHANGELIST = "/admin/stock/room/?o=2.3.4.1"
"""Sorted by the columns view, size, type and number: the order of the portal's list."""

DYNAMODB_ADMIN = "dynamodb-admin@5.3.3"
FIRST, LAST = "first", "last"
WITH_COUNTS = " with the counts of its filters"
"""What is added to the name of a page of the changelist that shows, as the portal does, a number beside each choice."""

PORTAL, FLOOR, ADMIN = "portal", "floor", "dynamodb-admin"
ON_SQLITE, ON_POSTGRESQL = "changelist on SQLite", "changelist on PostgreSQL"


@dataclass(frozen=True)
class RunningServer:
    """A running server: its port, the addresses of each page, and the processes of the server and its database."""

    port: int
    pages: Mapping[str, Sequence[str]]
    cookies: Sequence[str]
    process: int
    database: int | None = None


def started(stack: ExitStack, rooms: int) -> Iterator[tuple[str, RunningServer | str]]:
    """Every server by its name; in place of one that cannot be had here, the reason."""
    cookies = [_cookie(f"staff{number}") for number in range(USERS)]
    yield PORTAL, stack.enter_context(_portal(cookies))
    yield FLOOR, stack.enter_context(_floor(cookies))
    yield ON_SQLITE, stack.enter_context(_changelist(f"sqlite:///{common.WORK / 'stock.sqlite3'}", rooms))
    for name, start in ((ON_POSTGRESQL, _on_postgresql), (ADMIN, _dynamodb_admin)):
        try:
            yield name, stack.enter_context(start(rooms))
        except RuntimeError as error:
            yield name, f"{error}"


# --- The portal -----------------------------------------------------------------------------------------


@contextmanager
def _portal(cookies: Sequence[str]) -> Iterator[RunningServer]:
    port, pages = engine.free_port(), _pages()
    environment = {"SERVER_ADDRESS": f"127.0.0.1:{port}", "LOG_LEVEL": "INFO"}  # with a line for each request
    with listening([sys.executable, "-m", "hotelapp.serving"], port, environment) as process:
        yield RunningServer(port, {name: [page] for name, page in pages.items()}, cookies, process, child("dynoxide"))


@contextmanager
def _floor(cookies: Sequence[str]) -> Iterator[RunningServer]:
    port, pages = engine.free_port(), _pages()
    command = [sys.executable, "-m", "benchmarks.floor", str(port), str(PROCESSES), cookies[0], *pages.values()]
    with listening(command, port) as process:
        yield RunningServer(port, {name: [page] for name, page in pages.items()}, cookies, process, child("dynoxide"))


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
    pages = {FIRST: [CHANGELIST], LAST: [f"{CHANGELIST}&p={(rooms - 1) // PAGE + 1}"]}
    pages |= {name + WITH_COUNTS: [f"{page}&_facets=True"] for name, [page] in pages.items()}
    with listening(command, port, environment) as process:
        yield RunningServer(port, pages, json.loads(file.read_text()), process, child("postgres"))


@contextmanager
def _on_postgresql(rooms: int) -> Iterator[RunningServer]:
    """Raises :class:`RuntimeError` if PostgreSQL is not installed."""
    with postgresql.running() as database, _changelist(database, rooms) as server:
        yield server


# --- dynamodb-admin -------------------------------------------------------------------------------------


@contextmanager
def _dynamodb_admin(rooms: int) -> Iterator[RunningServer]:
    """It has one process, which cannot be more. A page is its frame, and the rows, which its script asks for.

    Raises :class:`RuntimeError` if npm cannot install it.
    """
    folder, port, table = common.WORK / ADMIN, engine.free_port(), RoomModel.Meta.table_name
    install = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), DYNAMODB_ADMIN]
    if subprocess.run(install, check=False, capture_output=True).returncode:
        raise RuntimeError(f"npm cannot install {DYNAMODB_ADMIN} here.")
    script = folder / "node_modules" / ADMIN / "dist" / f"{ADMIN}.js"
    environment = {"DYNAMO_ENDPOINT": str(settings.DYNAMODB_ENDPOINT_URL)}
    shown = urlencode({**_partition(), "pageSize": PAGE})
    pages = {FIRST: [f"/tables/{table}?{shown}", f"/tables/{table}/items?{shown}"]}
    if start := _row_before_last(rooms):
        shown = urlencode({**_partition(), "pageSize": PAGE, "startKey": json.dumps(start)})
        pages[LAST] = [f"/tables/{table}?{shown}", f"/tables/{table}/items?{shown}"]
    with listening(["node", script, "--port", str(port), "--host", "127.0.0.1"], port, environment) as process:
        yield RunningServer(port, pages, [""] * USERS, process, child("dynoxide"))


def _partition() -> dict[str, str]:
    """The query string by which it reads the rooms of the hotel, in the order of the table."""
    wanted = {"pk": {"type": "S", "operator": "=", "value": keys.rooms(data.HOTEL.hotel_id)}}
    return {"operationType": "query", "queryableSelection": "table", "filters": json.dumps(wanted)}


def _row_before_last(rooms: int) -> dict[str, str] | None:
    """The key of the row before the last page."""
    positions = sorted(ROOMS.position(room, "") for room in data.rooms(rooms))[: (rooms - 1) // PAGE * PAGE]
    return {"pk": keys.rooms(data.HOTEL.hotel_id), "sk": positions[-1].sort_key} if positions else None
