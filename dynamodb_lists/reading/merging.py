"""Merge the parts of a list, such as shards or one partition for each facet value, which have the same order.

A k-way merge (Knuth, The Art of Computer Programming, 5.4.1): hold at least one row of each part, return the row
that comes first, and ask a part again when its rows are used up. The parts that may have the next row are asked at the
same time.

There is a trade-off. Asking every part for many rows wastes reads; asking for one row at a time costs one request a
row. Each part is asked for its share of the items that are expected to have the missing rows, and each further time for
twice as many, but for no less than what the minimum charge of a request pays for.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import ceil, inf, sqrt
from typing import Any

from dynamodb_lists.planning.request_cost import SPARE_DEVIATIONS
from dynamodb_lists.planning.sources import PartRange
from dynamodb_lists.reading.fetching import in_parallel
from dynamodb_lists.reading.listing import CHUNK, Row

Rank = tuple[Any, ...]
EXPECTED_ROWS = 2
"""What is expected of a walk counts as much as so many rows that were found."""
OVERDRAFT = 4 / 3
"""A request may spend so many times what may be spent: it hardly costs more than another one for the rest."""
LEAST = 0.5
"""What a request costs at least: with less to spend, none is sent."""
GROWTH = 2
"""The first request asks for at most so many times the rows that are wanted, if what a filter keeps is a guess."""


@dataclass(kw_only=True)
class Reading:
    """The part of a source that was read so far: its waiting rows, each with the value that sorts it.

    ``weight`` is the number of items of the part, relative to other parts. Parts of a later ``group`` are asked later.
    """

    number: float
    part: PartRange
    read: "Callable[[Reading, bool], float]"
    """Asks for ``limit`` items, in one of both directions; returns the read units."""
    rows: deque[tuple[Rank, Row[Any]]] = field(default_factory=deque)
    weight: float = 1.0
    group: Rank = ()
    limit: int = 0
    """How many items the last request asked for."""
    ended: bool = False
    count: int = 0
    """How many items were read."""
    whole: bool = True
    """Whether it is read from one end to the other."""
    after: dict[str, Any] | None = None
    passed: Rank | None = None
    """Rows equal to this one are on earlier pages."""
    last: Rank | None = None
    """The rank of the row that was read last."""

    def bound(self, ascending: bool) -> Rank:
        """Return the rank of the next row, or one that no row can precede."""
        return self.rows[0][0] if self.rows else (self.group, 0 if ascending else 2)


@dataclass
class Merge:
    """Parts that are merged until ``most`` read units are ``spent``. With more units, the merge goes on where it
    stopped.

    Each request asks for as many items as should have the rest of ``count`` rows. The share of items that become rows
    is ``share``, which counts may tell, and the share of the items read so far. A request asks at least for the items
    that are ``paid`` anyway. The first requests of a part that is read whole ask for a ``chunk``, usually of 500.
    """

    readings: Sequence[Reading]
    count: float
    ascending: bool
    spent: list[float]
    share: float = 1.0
    counted: bool = False
    paid: int = 1
    chunk: int = 0
    most: float = inf
    seen: int = 0
    kept: int = 0
    last: Row[Any] | None = None

    @property
    def left(self) -> list[Reading]:
        """The parts that may have further rows."""
        return [each for each in self.readings if each.rows or not each.ended]

    def rows(self) -> Iterator[Row[Any]]:
        """Yield the next rows with a value, in order, until a request beyond the limit ``most`` would be needed."""
        best = min if self.ascending else max
        while left := self.left:
            bounds = [each.bound(self.ascending) for each in left]
            first = best(bounds)
            nearest = [each for each, bound in zip(left, bounds, strict=True) if bound == first]
            wanting = [each for each in nearest if not each.rows]
            if not wanting:
                self.last = row = nearest[0].rows.popleft()[1]
                self.seen += 1
                if row.value is not None:
                    self.kept += 1
                    yield row
                continue
            # Parts that have no rows, and may have the next: ask them for items, if that may still be spent.
            seen, kept, spent, paid, most = self.seen, self.kept, sum(self.spent), self.paid, self.most
            if seen and spent + LEAST > most:
                return
            density = (kept + EXPECTED_ROWS) / (seen + EXPECTED_ROWS / self.share)
            if not self.counted:
                paid, most = max(paid, int(seen / max(2 * spent, 1))), OVERDRAFT * most or inf
            most = max(2 * paid * (most - spent), 1)
            most = most if self.counted else min(GROWTH * max(GROWTH * seen, self.count), most)
            more = self.count - kept if kept < self.count else kept  # who takes more than the count has dropped rows
            again = seen > kept  # some were dropped: two standard deviations more, so hardly another request follows
            more += 2 * sqrt(more) if again else 0
            missing = min(more / density, max(self.chunk or CHUNK, seen if most < inf else 0), most)
            asked, groups = list[Reading](), sorted({each.group for each in left}, reverse=not self.ascending)
            for group in groups if self.counted else groups[:1]:  # those that follow when the first ends, as well
                peers = [each for each in left if each.group == group]
                begin = [each for each in peers if each in wanting or not (each.rows or each.limit)]
                spare, least = SPARE_DEVIATIONS * (len(peers) > 1), self.paid if peers[1:] or again else 1
                held = sum([each.weight for each in peers])
                for each in begin:
                    share = missing * each.weight / held
                    share += spare * sqrt(share)
                    each.limit = ceil(min(max(share, 2 * each.limit, least), missing + sqrt(missing)))
                asked += begin
                if (missing := missing - held) <= 0:
                    break
            self.spent += in_parallel([partial(each.read, each, self.ascending) for each in asked])
