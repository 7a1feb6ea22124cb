"""``python -m benchmarks.scale``: the first, the middle and the last page of lists from 2,000 to 1,000,000 rooms.

The rooms are in one hotel, or in hotels of 2,000. Each size has an engine of its own, and all of them run at the same
time, so that the sizes can be measured in turns: in processor time, of this process and of the engine.
"""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from random import Random

from django.test import Client
from tqdm import tqdm

from benchmarks import common, data, filling, portal
from benchmarks.common import Timings
from benchmarks.filling import EACH
from benchmarks.processes import thread_seconds
from dynamodb_lists.connection import engine
from hotels.entities import Hotel
from tests.storm.portal import PROC

SIZES = (2_000, 20_000, 200_000, 1_000_000)
ONE, MANY = "one hotel", f"hotels of {EACH:,}"
PAGES = ("first", "middle", "last")
LIMIT = 1.1
WARM_UP = 3  # rounds that do not count
Items = Callable[[], Iterator[str]]


@dataclass(frozen=True)
class Filled:
    """So many rooms in an engine, and the hotel whose list is read. ``many`` says that there are others."""

    rooms: int
    hotel: Hotel
    many: bool

    @property
    def listed(self) -> int:
        """How many rooms the list has."""
        return min(self.rooms, EACH) if self.many else self.rooms

    @property
    def name(self) -> str:
        return f"{self.rooms:,} rooms, {MANY if self.many else ONE}"


@dataclass(frozen=True)
class Lists:
    """The pages of a list that somebody who is logged in can read, and the engine and its process."""

    endpoint: str
    process: int
    client: Client
    addresses: dict[str, str]


def main() -> None:
    """Fill every size, read the pages in turns, and print the figures."""
    options = common.options("Read lists of all sizes.", rooms=(SIZES[-1], SIZES[0]), repeat=(40, 1))
    if not PROC.exists():
        common.say(f"Left out: the times of processes are in {PROC}, which only Linux has.")
        return
    sizes = [size for size in SIZES if size <= options.rooms]
    wanted = [_filled(size, many) for size in sizes for many in (False, True)]
    with ExitStack() as stack:
        lists = dict(_started(stack, wanted, filling.a_hotel()))
        timings = _measured(lists, options.repeat)
    _report(lists, common.medians(timings))


def _filled(rooms: int, many: bool) -> Filled:
    """One of many hotels is the one in the middle of them."""
    hotel_id = filling.hotel_number(rooms // EACH // 2) if many else f"hotel-{rooms}"
    return Filled(rooms, replace(data.HOTEL, hotel_id=hotel_id), many)


def _items(filled: Filled, lines: list[str]) -> Iterator[str]:
    if filled.many:
        return filling.copies(lines, filled.rooms // EACH)
    return filling.items_of(data.rooms(filled.rooms, filled.hotel.hotel_id))


def _started(stack: ExitStack, wanted: list[Filled], lines: list[str]) -> Iterator[tuple[Filled, Lists]]:
    """Import two files at a time, and start an engine on each."""
    folders = {filled: stack.enter_context(common.folder()) for filled in wanted}
    with ThreadPoolExecutor(2) as threads:
        files = threads.map(lambda filled: filling.imported(folders[filled], _items(filled, lines)), folders)
        for filled, file in zip(wanted, tqdm(files, "Filling", len(wanted), unit=" files", disable=None), strict=True):
            running = stack.enter_context(common.engine_on(file, engine.free_port()))
            yield filled, _lists(filled, running.url, running.process.pid)


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
    rows, targets, smallest = [], [], dict[bool, float]()
    for filled in lists:
        first, *others = (medians[f"{filled.name}, {page}"] for page in PAGES)
        growth = first / smallest.setdefault(filled.many, first)
        dearest = max(others) / first
        rows.append((filled.name, *(f"{time:.1f}" for time in (first, *others)), f"{dearest:.2f}", f"{growth:.2f}"))
        met = "yes" if dearest <= LIMIT else "NO"
        targets.append((f"{filled.name}: middle or last / first", f"{dearest:.2f}", f"<= {LIMIT}", met))
    header = ("list", *(f"{page}, ms" for page in PAGES), "middle or last / first", "first / that of 2,000")
    common.print_table(header, rows)
    common.report_targets(targets)


if __name__ == "__main__":
    main()
