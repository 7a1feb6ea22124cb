"""``python -m benchmarks.server``: processor time of a page of the real server, against Django's changelist.

Eight clients read a page of one server for some seconds, then a page of the other server, in a new order in each round.
The figure of the portal includes its engine; the changelist has SQLite in its own processes.
"""

import json
import re
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from http.client import HTTPConnection
from multiprocessing import get_context
from statistics import median
from typing import NamedTuple

from django.conf import settings

from benchmarks import common, rooms
from benchmarks.stock.serving import SECRET, USERS
from dynamodb_lists.connection import engine
from hotelapp.serving import ServerOptions
from tests.helpers.own_portal import processor_seconds, start

PROCESSES = ServerOptions().processes
CHANGELIST_ADDRESS = "/admin/stock/room/?o=2.3.4.1"
"""Sorted by the columns view, size, type and number: the order of the portal's list."""

PORTAL, CHANGELIST = "portal", "changelist"
FIRST, LAST = "first", "last"
WITH_COUNTS = " with the counts of its filters"
"""What is added to the name of a page of the changelist that shows, as the portal does, a number beside each choice."""

NUMBER = re.compile(r'data-row="(\w+)"|<th class="field-number">.*?>(\w+)<')
MET = {FIRST: 3.5, LAST: 15, f"{FIRST}{WITH_COUNTS}": 8, f"{LAST}{WITH_COUNTS}": 20}
"""How many times the processor time of the portal's page each page of the changelist takes, at least."""


class Server(NamedTuple):
    """A running server: its port, the address of each page, and the processes of the server and its database."""

    port: int
    pages: Mapping[str, str]
    cookies: Sequence[str]
    processes: Sequence[int]

    def seconds(self) -> float:
        """Return the processor time that it has used. A server that leaves work to its database gains nothing."""
        return sum(map(processor_seconds, self.processes))


def main() -> None:
    """Start both servers, load them in turns, and print the figures."""
    options = common.options(
        "Load the portal's server and Django's changelist.", rooms=(100_000, 500), seconds=(4, 1), rounds=(5, 1)
    )
    clients = ProcessPoolExecutor(1, get_context("spawn"))  # a process of their own
    with clients, _portal(options.rooms) as portal, _changelist(options.rooms) as changelist:
        _compare_rows(portal, changelist)
        common.say(f"{options.rooms} rooms, {USERS} clients, {PROCESSES} processes, {options.rounds} rounds")

        def milliseconds(server: Server, page: str) -> float:
            """Return the processor time of a page, of which so many are read for some seconds."""
            before = server.seconds()
            read = clients.submit(_load, server, page, options.seconds).result()
            return 1000 * (server.seconds() - before) / read

        pages = {f"{PORTAL}, {page}": partial(milliseconds, portal, page) for page in portal.pages}
        pages |= {f"{CHANGELIST}, {page}": partial(milliseconds, changelist, page) for page in changelist.pages}
        _report(common.alternated(pages, options.rounds))
    common.finish(options)


# --- The servers --------------------------------------------------------------------------------------------


@contextmanager
def listening(command: Sequence[str], port: int, environment: Mapping[str, str]) -> Iterator[int]:
    """A program that has begun to listen on a port; yields its process."""
    process = start([sys.executable, "-m", *command], port, environment, common.WORK / f"{port}.log")
    try:
        yield process.pid
    finally:
        process.terminate()
        process.wait()


@contextmanager
def _portal(how_many: int) -> Iterator[Server]:
    port, name = engine.free_port(), settings.SESSION_COOKIE_NAME
    environment = {"SERVER_ADDRESS": f"127.0.0.1:{port}", "LOG_LEVEL": "INFO"}  # with a line for each request
    with rooms.filled(rooms.HOTEL, how_many) as database:
        clients = [rooms.logged_in(f"staff{number}") for number in range(USERS)]
        first = f"{rooms.list_of(rooms.HOTEL)}?sort=view&then=size"
        pages = {FIRST: first, LAST: rooms.last_of(clients[0], first)}
        cookies = [f"{name}={client.cookies[name].value}; {SECRET}" for client in clients]
        with listening(["hotelapp.serving"], port, environment) as process:
            yield Server(port, pages, cookies, [process, database.process.pid])


@contextmanager
def _changelist(how_many: int) -> Iterator[Server]:
    port, environment = engine.free_port(), {"DJANGO_SETTINGS_MODULE": "benchmarks.stock.settings"}
    rooms.file_of([rooms.HOTEL], how_many)
    pages = {FIRST: CHANGELIST_ADDRESS, LAST: f"{CHANGELIST_ADDRESS}&p={(how_many - 1) // rooms.PAGE + 1}"}
    pages |= {name + WITH_COUNTS: f"{page}&_facets=True" for name, page in pages.items()}
    with listening(["benchmarks.stock.serving", str(port), str(PROCESSES)], port, environment) as process:
        yield Server(port, pages, json.loads((common.WORK / "cookies.json").read_text()), [process])


# --- The clients --------------------------------------------------------------------------------------------


def _load(server: Server, which: str, seconds: float) -> int:
    """Read a page for so many seconds, each client over one connection; returns how many pages were read."""

    def read(cookie: str) -> int:
        with closing(HTTPConnection("localhost", server.port, timeout=60)) as connection:
            begun, pages = time.perf_counter(), 0
            while time.perf_counter() < begun + seconds:  # a page that has begun is read to the end
                _page(connection, server.pages[which], cookie)
                pages += 1
            return pages

    with ThreadPoolExecutor(len(server.cookies)) as threads:
        return sum(threads.map(read, server.cookies))


def _page(connection: HTTPConnection, address: str, cookie: str) -> str:
    """Return a whole page, uncompressed. Raises :class:`RuntimeError` if the server does not send it."""
    connection.request("GET", address, headers={"Cookie": cookie})
    response = connection.getresponse()
    content = response.read().decode()
    if response.status != 200:
        raise RuntimeError(f"{address} answered {response.status}: {content[:500]}")
    return content


def _compare_rows(*servers: Server) -> None:
    """End the benchmark if the servers do not show the same rooms in the same order."""
    for which in (FIRST, LAST):
        shown = []
        for server in servers:
            with closing(HTTPConnection("localhost", server.port, timeout=60)) as connection:
                found = NUMBER.finditer(_page(connection, server.pages[which], server.cookies[0]))
            shown.append(list(dict.fromkeys("".join(match.groups("")) for match in found)))
        if not shown[0] or shown[0] != shown[1]:
            raise SystemExit(f"The {which} pages differ: {shown}.")


def _report(times: Mapping[str, Sequence[float]]) -> None:
    """Print a line for each page, and the ratios of the medians."""
    medians = {name: median(values) for name, values in times.items()}
    common.print_table(("page", "ms of processors"), [(name, f"{each:.1f}") for name, each in medians.items()])
    names = {which: (f"{CHANGELIST}, {which}", f"{PORTAL}, {which.removesuffix(WITH_COUNTS)}") for which in MET}
    common.print_targets(
        (f"{over} / {under}", medians[over] / medians[under], MET[which]) for which, (over, under) in names.items()
    )


if __name__ == "__main__":
    main()
