"""``python -m benchmarks.scale``: the first, the middle and the last page of lists from 2,000 to 1,000,000 rooms.

The rooms are in one hotel. Each size has an engine of its own, and all of them run at the same time, so that the sizes
can be measured in turns: in processor time, of this process and of the engine.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from random import Random

from django.test import Client
from tqdm import tqdm

from benchmarks import common, data, filling, portal
from benchmarks.common import Timings
from dynamodb_lists.connection import engine
from tests.helpers.own_portal import processor_seconds

SIZES = (2_000, 20_000, 200_000, 1_000_000)
PAGES = ("first", "middle", "last")
LIMIT = 1.1
WARM_UP = 3  # rounds that do not count


@dataclass(frozen=True)
class RoomList:
    """The pages of a list that somebody who is logged in can read, and the engine and its process."""

    endpoint: str
    process: int
    client: Client
    addresses: Mapping[str, str]


def main() -> None:
    """Fill every size, read the pages in turns, and print the figures."""
    options = common.options("Read lists of all sizes.", rooms=(SIZES[-1], SIZES[0]), repeat=(40, 1))
    sizes = [size for size in SIZES if size <= options.rooms]
    with ExitStack() as stack:
        timings = _measured(dict(_started(stack, sizes)), options.repeat)
    _report(sizes, common.medians(timings))
    common.finish(options)


def _started(stack: ExitStack, sizes: Sequence[int]) -> Iterator[tuple[int, RoomList]]:
    """Import two files at a time, and start an engine on each."""
    folders = {size: stack.enter_context(common.folder()) for size in sizes}
    with ThreadPoolExecutor(2) as threads:
        files = threads.map(
            lambda size: filling.imported(folders[size], filling.items_of(data.rooms(size, _hotel_id(size)))), sizes
        )
        for size, file in zip(sizes, tqdm(files, "Filling", len(sizes), unit=" files", disable=None), strict=True):
            running = stack.enter_context(common.engine_on(file, engine.free_port()))
            filling.count(replace(data.HOTEL, hotel_id=_hotel_id(size)), size)
            yield size, _room_list(size, running)


def _hotel_id(size: int) -> str:
    return f"hotel-{size}"


def _room_list(size: int, running: engine.Engine) -> RoomList:
    """The pages of a hotel's list in the engine that is in use."""
    client, first = portal.logged_in(), portal.rooms_of(_hotel_id(size))
    found = (first, portal.middle_of(_hotel_id(size), size), portal.last_of(client, first))
    return RoomList(running.url, running.process.pid, client, dict(zip(PAGES, found, strict=True)))


def _name(size: int) -> str:
    return f"{size:,} rooms"


def _measured(lists: Mapping[int, RoomList], repeat: int) -> Timings:
    """The milliseconds of each page. The first page after a change of the engine opens connections; it is not timed."""
    random, order = Random(1), list(lists)
    timings: Timings = {f"{_name(size)}, {page}": [] for size in lists for page in PAGES}
    for round_ in tqdm(range(-WARM_UP, repeat), desc="Timing", unit=" rounds", disable=None):
        random.shuffle(order)
        for size in order:
            read = lists[size]
            common.use(read.endpoint)
            portal.markup(read.client, read.addresses["first"])
            for page in random.sample(PAGES, len(PAGES)):
                taken = _milliseconds(read, page)
                if round_ >= 0:
                    timings[f"{_name(size)}, {page}"].append(taken)
    return timings


def _milliseconds(read: RoomList, page: str) -> float:
    """The processor time of a page, in this process and in the engine's."""
    before = time.process_time() + processor_seconds(read.process)
    read.client.get(read.addresses[page])
    return (time.process_time() + processor_seconds(read.process) - before) * 1000


def _report(sizes: Sequence[int], medians: Mapping[str, float]) -> None:
    """Print a line for each list: its pages, also against its first one, and that against the one of 2,000 rooms."""
    rows, targets = [], []
    smallest = medians[f"{_name(sizes[0])}, first"]
    for size in sizes:
        first, *others = (medians[f"{_name(size)}, {page}"] for page in PAGES)
        dearest = max(others) / first
        times = (f"{milliseconds:.1f}" for milliseconds in (first, *others))
        rows.append((_name(size), *times, f"{dearest:.2f}", f"{first / smallest:.2f}"))
        met = "yes" if dearest <= LIMIT else "NO"
        targets.append((f"{_name(size)}: middle or last / first", f"{dearest:.2f}", f"<= {LIMIT}", met))
    header = ("list", *(f"{page}, ms" for page in PAGES), "middle or last / first", "first / that of 2,000")
    common.print_table(header, rows)
    common.print_table(common.TARGETS, targets)


if __name__ == "__main__":
    main()
