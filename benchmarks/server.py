"""``python -m benchmarks.server``: processor time of a page of the real server, against Django's changelist.

Eight clients read a page of one server for some seconds, then a page of the other one, in a new order in each round.
The portal's engine counts with it; the changelist has SQLite in its processes. Pages a second are shown, but have no
target: whatever else uses the processors changes them.
"""

import json
import os
import re
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from multiprocessing import get_context
from random import Random
from statistics import median
from urllib.parse import urlencode

from django.conf import settings
from tqdm import tqdm

from benchmarks import common, portal
from benchmarks.common import Target
from benchmarks.filling import filled_tables
from benchmarks.portal import PAGE
from benchmarks.stock.serving import SECRET, USERS
from dynamodb_lists.connection import engine
from hotelapp.serving.options import ServerOptions
from rooms import keys
from tests.helpers.own_portal import PROC, children, processor_seconds, start

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


@dataclass(frozen=True)
class Server:
    """A running server: its port, the address of each page, and the processes of the server and its database."""

    port: int
    pages: Mapping[str, str]
    cookies: Sequence[str]
    processes: Sequence[int]

    def seconds(self) -> float:
        """The processor time that it has used. A server that leaves work to its database gains nothing."""
        return sum(map(processor_seconds, self.processes))


@dataclass(frozen=True)
class Block:
    """What was measured in some seconds: pages a second, the bytes of one, and its processor milliseconds."""

    rate: float
    page_bytes: float
    milliseconds: float


def main() -> None:
    """Start both servers, load each in turn, and print the figures."""
    options = common.options("Load real servers.", rooms=(100_000, 60), seconds=(4, 1), rounds=(5, 1))
    # It is forked before there are threads, and before anything listens.
    with ProcessPoolExecutor(1, get_context("fork")) as readers, filled_tables(options.rooms), ExitStack() as stack:
        readers.submit(int).result()
        servers = {PORTAL: stack.enter_context(_portal()), CHANGELIST: stack.enter_context(_changelist(options.rooms))}
        _compare_rows(servers)
        common.say(f"{options.rooms} rooms, {USERS} clients, {PROCESSES} processes, {options.rounds} rounds")
        _report(_measured(servers, readers, options.seconds, options.rounds))
    common.finish(options)


# --- The servers --------------------------------------------------------------------------------------------


@contextmanager
def _listening(command: Sequence[str], port: int, environment: Mapping[str, str]) -> Iterator[int]:
    """A program that has begun to listen on a port; yields its process."""
    process = start([sys.executable, "-m", *command], port, environment, common.WORK / f"{port}.log")
    try:
        yield process.pid
    finally:
        process.terminate()
        process.wait()


@contextmanager
def _portal() -> Iterator[Server]:
    port, cookies = engine.free_port(), [_cookie(f"staff{number}") for number in range(USERS)]
    first = portal.rooms_of(query=urlencode({"sort": keys.VIEW, "then": keys.SIZE}))
    pages = {FIRST: first, LAST: portal.last_of(portal.logged_in(), first)}
    environment = {"SERVER_ADDRESS": f"127.0.0.1:{port}", "LOG_LEVEL": "INFO"}  # with a line for each request
    with _listening(["hotelapp.serving"], port, environment) as process:
        started = {each: (PROC / str(each) / "comm").read_text() for each in children(os.getpid())}
        (database,) = (each for each, name in started.items() if name.startswith("dynoxide"))
        yield Server(port, pages, cookies, [process, database])


def _cookie(username: str) -> str:
    name = settings.SESSION_COOKIE_NAME
    return f"{name}={portal.logged_in(username).cookies[name].value}; {SECRET}"


@contextmanager
def _changelist(rooms: int) -> Iterator[Server]:
    port = engine.free_port()
    database = f"sqlite:///{common.WORK / 'stock.sqlite3'}"
    environment = {"DJANGO_SETTINGS_MODULE": "benchmarks.stock.settings", "STOCK_DATABASE": database}
    file = common.WORK / "cookies.json"
    pages = {FIRST: CHANGELIST_ADDRESS, LAST: f"{CHANGELIST_ADDRESS}&p={(rooms - 1) // PAGE + 1}"}
    pages |= {name + WITH_COUNTS: f"{page}&_facets=True" for name, page in pages.items()}
    command = ["benchmarks.stock.serving", str(port), str(PROCESSES), str(file), str(rooms)]
    with _listening(command, port, environment) as process:
        yield Server(port, pages, json.loads(file.read_text()), [process])


# --- The clients --------------------------------------------------------------------------------------------


def _page(connection: HTTPConnection, address: str, cookie: str) -> bytes:
    """A whole page, uncompressed. Raises :class:`RuntimeError` if the server does not send it."""
    connection.request("GET", address, headers={"Cookie": cookie})
    response = connection.getresponse()
    content = response.read()
    if response.status != 200:
        raise RuntimeError(f"{address} answered {response.status}: {content[:500].decode(errors='replace')}")
    return content


def _load(server: Server, which: str, seconds: float) -> list[tuple[int, int, float]]:
    """Read a page for so many seconds, each client over one connection: its pages, their bytes, and the seconds."""
    begin = threading.Barrier(len(server.cookies))

    def read(cookie: str) -> tuple[int, int, float]:
        with closing(HTTPConnection("localhost", server.port, timeout=60)) as connection:
            begin.wait()
            begun, pages, size = time.perf_counter(), 0, 0
            while time.perf_counter() < begun + seconds:  # a page that has begun is read to the end
                size += len(_page(connection, server.pages[which], cookie))
                pages += 1
            return pages, size, time.perf_counter() - begun

    with ThreadPoolExecutor(len(server.cookies)) as threads:
        return list(threads.map(read, server.cookies))


def _compare_rows(servers: Mapping[str, Server]) -> None:
    """End the benchmark if the servers do not show the same rooms in the same order."""
    for which in (FIRST, LAST):
        shown = {name: _numbers(server, server.pages[which]) for name, server in servers.items()}
        if not shown[PORTAL] or shown[PORTAL] != shown[CHANGELIST]:
            raise SystemExit(f"The {which} pages differ: {shown}.")


def _numbers(server: Server, address: str) -> list[str]:
    """The numbers of the rooms on a page, in its order."""
    with closing(HTTPConnection("localhost", server.port, timeout=60)) as connection:
        text = _page(connection, address, server.cookies[0]).decode()
    return list(dict.fromkeys("".join(match.groups("")) for match in NUMBER.finditer(text)))


def _measured(servers: Mapping[str, Server], readers: Executor, seconds: float, rounds: int) -> dict[str, list[Block]]:
    """The blocks of each page of each server. The first round does not count: it warms up."""
    random, pages = Random(1), [(name, which) for name, each in servers.items() for which in each.pages]
    blocks: dict[str, list[Block]] = {f"{name}, {which}": [] for name, which in pages}
    for round_ in tqdm(range(-1, rounds), desc="Loading", unit=" rounds", disable=None):
        random.shuffle(pages)
        for name, which in pages:
            block = _block(servers[name], which, readers, seconds if round_ >= 0 else 1)
            if round_ >= 0:
                blocks[f"{name}, {which}"].append(block)
    return blocks


def _block(server: Server, which: str, readers: Executor, seconds: float) -> Block:
    before = server.seconds()
    loads = readers.submit(_load, server, which, seconds).result()
    used, pages = server.seconds() - before, sum(pages for pages, _, _ in loads)
    rate = sum(pages / taken for pages, _, taken in loads)
    return Block(rate, sum(size for _, size, _ in loads) / pages, 1000 * used / pages)


def _report(blocks: Mapping[str, Sequence[Block]]) -> None:
    """Print a line for each page, and the ratios of the medians."""
    medians = {name: median(block.milliseconds for block in measured) for name, measured in blocks.items()}
    rows = [
        (
            name,
            f"{medians[name]:.1f}",
            f"{median(block.rate for block in measured):.1f}",
            f"{median(block.page_bytes for block in measured) / 1000:.0f}",
        )
        for name, measured in blocks.items()
    ]
    common.print_table(("page", "ms of processors", "pages a second", "kB"), rows)
    of_portal = {which: f"{PORTAL}, {which.removesuffix(WITH_COUNTS)}" for which in MET}
    targets = [Target(f"{CHANGELIST}, {which}", of_portal[which], MET[which], at_least=True) for which in MET]
    common.print_targets(medians, targets)


if __name__ == "__main__":
    main()
