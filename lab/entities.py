"""What a way to read a list costs: as measured, for 1 GB, and beside the writes that its keys take. Pure."""

from bisect import bisect
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import ClassVar

from dynamodb_lists.connection.ledger import Ledger
from dynamodb_lists.planning.request_cost import MINIMUM_BYTES, READ_DOLLARS, WRITE_DOLLARS, query_cost

MEGABYTE, GIGABYTE = 2**20, 2**30
PAGE_UNITS, SCAN_UNITS = (size // MINIMUM_BYTES // 2 for size in (MEGABYTE, GIGABYTE))
"""The units of an eventually consistent read of 1 MB, which is the most that a request reads; and of 1 GB."""

ROOM_BYTES, PAGE_ROWS, COUNTS_UNITS = 225, 26, 1
"""About the bytes of a room without keys for indexes, and of an entry of one; what a page of 25 rooms reads (one more
says whether another page follows); the units of its hotel and counts. docs/planner.md has the measurements."""

MOST_ROOMS = 10_000_000
PLAIN_WRITE, KEYED_WRITE = 1, 2 * (2 + 1 + 2 + 1) + 1 + (6 * 2 + 2 + 1)
"""The write units of a change of a room's view, without indexes and counts, and with them.

A transaction takes two for each item of 1 KB: the room under its old and its new key, the guard of its number, two
counts, the hotel. The packed counts take 1. The entries in the local indexes, five of the room and one of the guard,
and by rate move: 2 each; by number, 1.
"""


@dataclass(frozen=True)
class MeasuredWay:
    """A way to read a list, as it was measured. ``rows`` is ``None`` if DynamoDB refused it.

    If it ``stopped`` after as many requests as it was allowed, ``items`` is how many items there are, if that is known.
    """

    name: str
    words: str
    calls: Ledger
    milliseconds: float
    rows: int | None
    stopped: bool
    items: int | None

    @property
    def items_read(self) -> int:
        return sum(call.items_read for call in self.calls.calls)

    @property
    def items_returned(self) -> int:
        return sum(call.items_returned for call in self.calls.calls)

    @property
    def units(self) -> float:
        return float(self.calls.read_units)

    @property
    def whole_units(self) -> float:
        """The units of all items."""
        return self.units * self._times

    @property
    def whole_requests(self) -> int:
        """The requests for all items."""
        return ceil(self.calls.requests * self._times)

    @property
    def dollars(self) -> float:
        """The price of a million times the whole."""
        return self.whole_units * READ_DOLLARS

    @property
    def _times(self) -> float:
        """How many times what was read the whole is, as an estimate."""
        return max((self.items or 0) / (self.items_read or 1), 1) if self.stopped else 1


@dataclass(frozen=True)
class Workload:
    """Rooms of a hotel, the share of them that a page selects (0 to 1), and pages read for each write.

    Three designs are compared: keys, a filter in the order of the only key, and the whole hotel, sorted in memory.
    """

    rooms: int
    share: float
    pages: float
    SIZES: ClassVar = [10**power for power in range(1, 8)]
    STEPS: ClassVar = [10 ** (step / 8) for step in range(8, 57)]

    def read_units(self, rooms: float) -> tuple[float, ...]:
        """The units of a page in each design."""
        items = min(PAGE_ROWS, rooms * self.share), min(rooms, PAGE_ROWS / self.share), rooms
        keyed, filtered, whole = (query_cost([each], ROOM_BYTES).units for each in items)
        return COUNTS_UNITS + keyed, filtered, whole

    def dollars(self, rooms: float) -> tuple[float, ...]:
        """The price of a million writes with their pages in each design."""
        pairs = zip((KEYED_WRITE, PLAIN_WRITE, PLAIN_WRITE), self.read_units(rooms), strict=True)
        return tuple(write * WRITE_DOLLARS + self.pages * read * READ_DOLLARS for write, read in pairs)

    def pages_from(self, other: int) -> float | None:
        """From how many pages a write on keys cost less than another design; ``None`` if they never do."""
        units = self.read_units(self.rooms)
        saved = (units[other] - units[0]) * READ_DOLLARS
        return (KEYED_WRITE - PLAIN_WRITE) * WRITE_DOLLARS / saved if saved > 0 else None

    @property
    def rooms_from(self) -> int:
        """From how many rooms on keys cost less than reading the whole hotel."""

        def pays(rooms: int) -> bool:
            keyed, _, whole = self.dollars(rooms)
            return keyed < whole

        return bisect(range(MOST_ROOMS), False, key=pays)

    @property
    def lines(self) -> list[str]:
        """The line of each design as points in per cent of the plot. Both of its scales are powers of ten."""
        prices = zip(*map(self.dollars, self.STEPS), strict=True)
        places = [[*zip(map(self.across, self.STEPS), map(self.down, line), strict=True)] for line in prices]
        return [" ".join(f"{x:.2f},{y:.2f}" for x, y in line) for line in places]

    @staticmethod
    def across(rooms: float) -> float:
        """Where a number of rooms is, in per cent from the left."""
        return 100 * (log10(rooms) - 1) / 6

    @property
    def decades(self) -> range:
        """The powers of ten of the dollars, from the lower end of the plot to the upper one."""
        ends = [log10(price) for rooms in (self.SIZES[0], self.SIZES[-1]) for price in self.dollars(rooms)]
        return range(floor(min(ends)), ceil(max(ends)) + 1)

    def down(self, dollars: float) -> float:
        """Where an amount is, in per cent from the top."""
        low, high = self.decades[0], self.decades[-1]
        return 100 * (high - log10(dollars)) / (high - low)
