"""``python -m benchmarks.scale``: the first, the middle and the last page of lists from 2,000 to 1,000,000 rooms.

The rooms are in one hotel. Each size has an engine of its own, and all of them run at the same time, so that the sizes
can be measured in turns: in processor time, of this process and of the engine.
"""

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from statistics import median

from django.test import Client
from tqdm import tqdm

from benchmarks import common, rooms
from dynamodb_lists.connection import engine
from tests.helpers.own_portal import processor_seconds

SIZES = (2_000, 20_000, 200_000, 1_000_000)
PAGES = ("first", "middle", "last")


@dataclass(frozen=True)
class RoomList:
    """The pages of a list that somebody who is logged in can read, and the engine and its process."""

    endpoint: str
    process: int
    client: Client
    addresses: Mapping[str, str]

    def milliseconds(self, page: str) -> float:
        """Return the processor time of a page, in this process and in the engine's.

        The first page after a change of the engine opens connections; it is not timed.
        """
        common.use(self.endpoint)
        self.client.get(self.addresses[PAGES[0]])
        before = time.process_time() + processor_seconds(self.process)
        self.client.get(self.addresses[page])
        return (time.process_time() + processor_seconds(self.process) - before) * 1000


def main() -> None:
    """Fill every size, read the pages in turns, and print the figures."""
    options = common.options("Read lists of all sizes.", rooms=(SIZES[-1], SIZES[0]), repeat=(40, 1))
    sizes = [size for size in SIZES if size <= options.rooms]
    with ExitStack() as stack:
        lists = {size: _room_list(stack, size) for size in tqdm(sizes, "Filling", unit=" files", disable=None)}
        pages = {_name(size, page): partial(lists[size].milliseconds, page) for size in sizes for page in PAGES}
        figures = common.alternated(pages, options.repeat)
    _report(sizes, figures)
    common.finish(options)


def _room_list(stack: ExitStack, size: int) -> RoomList:
    """Return an engine with a hotel of so many rooms, and the pages of its list."""
    hotel = replace(rooms.HOTEL, hotel_id=f"hotel-{size}")
    running = stack.enter_context(rooms.filled(hotel, size, engine.free_port()))
    client, first = rooms.logged_in(), rooms.list_of(hotel)
    found = (first, rooms.middle_of(hotel, size), rooms.last_of(client, first))
    return RoomList(running.url, running.process.pid, client, dict(zip(PAGES, found, strict=True)))


def _name(size: int, page: str) -> str:
    return f"{size:,} rooms, {page}"


def _report(sizes: Sequence[int], figures: Mapping[str, Sequence[float]]) -> None:
    """Print a line for each list: its pages, also against its first one, and that against the one of 2,000 rooms."""
    rows = []
    for size in sizes:
        first, *others = times = [median(figures[_name(size, page)]) for page in PAGES]
        ratios = (max(others) / first, first / median(figures[_name(sizes[0], PAGES[0])]))
        rows.append((f"{size:,} rooms", *(f"{each:.1f}" for each in times), *(f"{each:.2f}" for each in ratios)))
    header = ("list", *(f"{page}, ms" for page in PAGES), "middle or last / first", "first / that of 2,000")
    common.print_table(header, rows)


if __name__ == "__main__":
    main()
