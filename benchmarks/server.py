"""``python -m benchmarks.server``: processor time of a page of the real server, against others with the same rows.

Eight clients read a page of one server for some seconds, then a page of the next one, in a new order in each round.
Each server has its database on this machine, and both count together. Pages a second are shown, but have no target:
whatever else uses the processors changes them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from http.client import HTTPConnection
from multiprocessing import get_context
from random import Random
from statistics import median

from tqdm import tqdm

from benchmarks import clients, common
from benchmarks.clients import Job, Load
from benchmarks.common import Target
from benchmarks.filling import filled_tables
from benchmarks.processes import processor_seconds
from benchmarks.running import (
    FIRST,
    LAST,
    ON_POSTGRESQL,
    ON_SQLITE,
    PORTAL,
    PROCESSES,
    WITH_COUNTS,
    RunningServer,
    started,
)
from benchmarks.stock.serving import USERS
from tests.storm.portal import PROC

NUMBER = re.compile(r'data-row="(\w+)"|<th class="field-number">.*?>(\w+)<')
MET = {FIRST: 3.5, LAST: 15, f"{FIRST}{WITH_COUNTS}": 8, f"{LAST}{WITH_COUNTS}": 20}
"""How many times the processor time of the portal's page each page of the changelist takes, at least."""


@dataclass(frozen=True)
class Block:
    """What was measured in some seconds: the pages, and the processor milliseconds that each of them took."""

    load: Load
    server: float
    database: float

    @property
    def both(self) -> float:
        """What is judged: a server that leaves work to its database gains nothing."""
        return self.server + self.database


def main() -> None:
    """Start every server, load each in turn, and print the figures."""
    options = common.options("Load real servers.", rooms=(100_000, 60), seconds=(4, 1), rounds=(5, 1))
    if not PROC.exists():
        common.say(f"Left out: the times of processes are in {PROC}, which only Linux has.")
        return
    # It is forked before there are threads, and before anything listens.
    with ProcessPoolExecutor(1, get_context("fork")) as readers, filled_tables(options.rooms), ExitStack() as stack:
        readers.submit(int).result()
        servers = dict(started(stack, options.rooms))
        running = {name: each for name, each in servers.items() if isinstance(each, RunningServer)}
        _compare_rows(running)
        common.say(f"{options.rooms} rooms, {USERS} clients, {PROCESSES} processes, {options.rounds} rounds")
        _report(servers, _measured(running, readers, options.seconds, options.rounds))


def _compare_rows(servers: Mapping[str, RunningServer]) -> None:
    """End the benchmark if the servers do not show the same rooms in the same order."""
    for which in (FIRST, LAST):
        shown = {name: _numbers(each, each.pages[which]) for name, each in servers.items() if which in each.pages}
        different = {name: numbers for name, numbers in shown.items() if numbers != shown[PORTAL]}
        if different or not shown[PORTAL]:
            raise SystemExit(f"On the {which} page the portal shows {shown[PORTAL]}, and others {different}.")


def _numbers(server: RunningServer, address: str) -> list[str]:
    with closing(HTTPConnection("localhost", server.port)) as connection:
        text = clients.page(connection, address, server.cookies[0]).decode()
    return list(dict.fromkeys("".join(match.groups("")) for match in NUMBER.finditer(text)))


def _measured(
    servers: Mapping[str, RunningServer], readers: Executor, seconds: float, rounds: int
) -> dict[str, list[Block]]:
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


def _block(server: RunningServer, which: str, readers: Executor, seconds: float) -> Block:
    processes = [server.process, *([server.database] if server.database else [])]
    before = [processor_seconds(process) for process in processes]
    load = readers.submit(clients.load, Job(server.port, server.pages[which], server.cookies, seconds)).result()
    used = [processor_seconds(process) - then for process, then in zip(processes, before, strict=True)]
    own, *database = (1000 * each / load.pages for each in used)
    return Block(load, own, sum(database))


def _report(servers: Mapping[str, RunningServer | str], blocks: Mapping[str, Sequence[Block]]) -> None:
    """Print a line for each page, and for each server that is not here."""
    rows = [(name, *_figures(measured)) for name, measured in blocks.items()]
    rows += [(f"{name}: left out. {why}", *[""] * 7) for name, why in servers.items() if isinstance(why, str)]
    milliseconds = ("ms of the server", "ms of its database", "ms of both")
    header = ("page", "pages a second", "lowest", "highest", *milliseconds, "kB")
    common.print_table(header, rows)
    medians = {name: median(block.both for block in measured) for name, measured in blocks.items()}
    common.print_targets(medians, [target for target in _targets() if {target.over, target.under} <= medians.keys()])


def _figures(blocks: Sequence[Block]) -> Iterator[str]:
    rates = [block.load.rate for block in blocks]
    yield from (f"{rate:.1f}" for rate in (median(rates), min(rates), max(rates)))
    yield f"{median(block.server for block in blocks):.1f}"
    yield f"{median(block.database for block in blocks):.1f}"
    yield f"{median(block.both for block in blocks):.1f}"
    yield f"{median(block.load.page_bytes for block in blocks) / 1000:.0f}"


def _targets() -> Iterator[Target]:
    for which in (FIRST, LAST):
        for stock in (ON_SQLITE, ON_POSTGRESQL):
            for page in (which, f"{which}{WITH_COUNTS}"):
                yield Target(f"{stock}, {page}", f"{PORTAL}, {which}", MET[page], at_least=True)


if __name__ == "__main__":
    main()
