"""``python -m benchmarks.scale``: the first, the middle and the last page of lists from 2,000 to 1,000,000 rooms.

The rooms are in one hotel, or in hotels of 2,000. Each size has an engine of its own, and all of them run at the same
time, so that the sizes can be measured in turns: in processor time, of this process and of the engine. The command
draws the curves into docs/.
"""

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from django.test import Client
from tqdm import tqdm

from benchmarks import common, curves, data, filling, portal
from benchmarks.common import Timings
from benchmarks.filling import EACH
from benchmarks.processes import PROC, children, thread_seconds
from dynamodb_lists.connection import engine
from dynamodb_lists.schema import tables
from dynamodb_lists.tests.helpers import dynamodb_local
from hotels.entities import Hotel

SIZES = (2_000, 20_000, 200_000, 1_000_000)
ONE, MANY = "one hotel", f"hotels of {EACH:,}"
EMBEDDED, LOCAL = "embedded engine", "DynamoDB Local"
PAGES = ("first", "middle", "last")
LIMIT = 1.1
WARM_UP = 15  # rounds: Java compiles what has run often
PICTURE = common.ROOT / "docs" / "scale.svg"
Items = Callable[[], Iterator[str]]


@dataclass(frozen=True)
class Filled:
    """So many rooms in an engine, and the hotel whose list is read. ``many`` says that there are others."""

    engine: str
    rooms: int
    hotel: Hotel
    many: bool

    @property
    def listed(self) -> int:
        """How many rooms the list has."""
        return min(self.rooms, EACH) if self.many else self.rooms

    @property
    def name(self) -> str:
        return f"{self.engine}, {self.rooms:,} rooms, {MANY if self.many else ONE}"


@dataclass(frozen=True)
class Lists:
    """The pages of a list that somebody who is logged in can read, and the engine and its process."""

    endpoint: str
    process: int
    client: Client
    addresses: dict[str, str]


def main() -> None:
    """Fill every size, read the pages in turns, print the figures, and draw them."""
    options = common.options(
        "Read lists of all sizes.", rooms=(SIZES[-1], SIZES[0]), local=(200_000, 1), repeat=(40, 1)
    )
    if not PROC.exists():
        common.say(f"Left out: the times of processes are in {PROC}, which only Linux has.")
        return
    sizes = [size for size in SIZES if size <= options.rooms]
    wanted = [_filled(EMBEDDED, size, many) for size in sizes for many in (False, True)]
    local = [_filled(LOCAL, size, many) for size in sizes if size <= options.local for many in (False, True)]
    problem = dynamodb_local.missing() if local else ""
    with ExitStack() as stack:
        lines = filling.a_hotel()
        lists = dict(_embedded(stack, wanted, lines)) | ({} if problem else dict(_local(stack, local, lines)))
        timings = _measured(lists, options.repeat)
    if problem:
        common.say(f"Left out: {LOCAL}. {problem}")
    _report(lists, common.medians(timings))
    if len(sizes) > 1:
        _draw(lists, common.medians(timings))


def _filled(where: str, rooms: int, many: bool) -> Filled:
    """One of many hotels is the one in the middle of them."""
    hotel_id = filling.hotel_number(rooms // EACH // 2) if many else f"hotel-{where[0]}-{rooms}"
    return Filled(where, rooms, replace(data.HOTEL, hotel_id=hotel_id), many)


def _items(filled: Filled, lines: list[str]) -> Iterator[str]:
    if filled.many:
        return filling.copies(lines, filled.rooms // EACH)
    return filling.items_of(data.rooms(filled.rooms, filled.hotel.hotel_id))


def _embedded(stack: ExitStack, wanted: list[Filled], lines: list[str]) -> Iterator[tuple[Filled, Lists]]:
    """Import two files at a time, and start an engine on each."""
    folders = {filled: stack.enter_context(common.folder()) for filled in wanted}
    with ThreadPoolExecutor(2) as threads:
        files = threads.map(lambda filled: filling.imported(folders[filled], _items(filled, lines)), folders)
        for filled, file in zip(wanted, tqdm(files, "Filling", len(wanted), unit=" files", disable=None), strict=True):
            running = stack.enter_context(common.engine_on(file, engine.free_port()))
            yield filled, _lists(filled, running.url, running.process.pid)


def _local(stack: ExitStack, wanted: list[Filled], lines: list[str]) -> Iterator[tuple[Filled, Lists]]:
    for filled in tqdm(wanted, "Filling", unit=" engines", disable=None):
        others = set(children(os.getpid()))
        endpoint = stack.enter_context(dynamodb_local.running())
        (process,) = set(children(os.getpid())) - others
        common.use(endpoint)
        list(tables.create_missing())
        filling.put(_items(filled, lines), endpoint)
        yield filled, _lists(filled, endpoint, process)


def _lists(filled: Filled, endpoint: str, process: int) -> Lists:
    """The pages of a hotel's list in the engine that is in use."""
    if not filled.many:
        filling.count(filled.hotel, filled.rooms)
    client, hotel_id = portal.logged_in(), filled.hotel.hotel_id
    first = portal.rooms_of(hotel_id)
    found = (first, portal.middle_of(hotel_id, filled.listed), portal.last_of(client, first))
    return Lists(endpoint, process, client, dict(zip(PAGES, found, strict=True)))


def _measured(lists: dict[Filled, Lists], repeat: int) -> Timings:
    """The milliseconds of each page. The first page after a change of the engine opens connections; it is not timed."""
    random, order = Random(1), list(lists)
    timings: Timings = {f"{filled.name}, {page}": [] for filled in lists for page in PAGES}
    for round_ in tqdm(range(-WARM_UP, repeat), desc="Timing", unit=" rounds", disable=None):
        random.shuffle(order)
        for filled in order:
            read = lists[filled]
            common.use(read.endpoint)
            portal.markup(read.client, read.addresses["first"])
            for page in random.sample(PAGES, len(PAGES)):
                taken = _milliseconds(read, page)
                if round_ >= 0:
                    timings[f"{filled.name}, {page}"].append(taken)
    return timings


def _milliseconds(read: Lists, page: str) -> float:
    """The processor time of a page, in this process and in the engine's."""
    before = time.process_time() + thread_seconds(read.process)
    read.client.get(read.addresses[page])
    return (time.process_time() + thread_seconds(read.process) - before) * 1000


def _report(lists: dict[Filled, Lists], medians: dict[str, float]) -> None:
    """Print a line for each list: its pages, also against its first one, and that against the one of 2,000 rooms."""
    rows, targets, smallest = [], [], dict[tuple[str, bool], float]()
    for filled in lists:
        first, *others = (medians[f"{filled.name}, {page}"] for page in PAGES)
        growth = first / smallest.setdefault((filled.engine, filled.many), first)
        dearest = max(others) / first
        rows.append((filled.name, *(f"{time:.1f}" for time in (first, *others)), f"{dearest:.2f}", f"{growth:.2f}"))
        met = "yes" if dearest <= LIMIT else "NO"
        targets.append((f"{filled.name}: middle or last / first", f"{dearest:.2f}", f"<= {LIMIT}", met))
    header = ("list", *(f"{page}, ms" for page in PAGES), "middle or last / first", "first / that of 2,000")
    common.print_table(header, rows)
    common.report_targets(targets)


def _draw(lists: dict[Filled, Lists], medians: dict[str, float]) -> None:
    panels: dict[str, curves.Panel] = {}
    for filled in lists:
        panel = panels.setdefault(f"{filled.engine}, {MANY if filled.many else ONE}", {})
        for page in PAGES:
            panel.setdefault(page, []).append((filled.rooms, medians[f"{filled.name}, {page}"]))
    Path(PICTURE).write_text(
        curves.svg("Processor milliseconds of a page, by the number of rooms", panels), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
