"""Merge the parts of a list, such as shards or one partition for each facet value, which have the same order.

A k-way merge (Knuth, The Art of Computer Programming, 5.4.1): hold at least one row of each part, return the row
that comes first, and ask a part again when its rows are used up. The parts that may have the next row are asked at the
same time.

There is a trade-off. Asking every part for many rows wastes reads; asking for one row at a time costs one request a
row. Each part is asked for its share of the items that are expected to have the missing rows, and each further time for
twice as many, but for no less than what the minimum charge of a request pays for.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import ceil, inf, sqrt
from typing import Any, TypeVar

from dynamodb_lists.planning.request_cost import SPARE_DEVIATIONS, Charge, blocks, items_paid, query_cost
from dynamodb_lists.reading.cursors import Cursor, Position
from dynamodb_lists.reading.fetching import EXPECTED_ROWS, in_parallel
from dynamodb_lists.reading.listing import CHUNK, Batch, Fetch, Listing, Row
from dynamodb_lists.schema.keys import HIGHEST, SEPARATOR, KeyRange

T = TypeVar("T")
Rank = tuple[Any, ...]
GROWTH = 2
"""The first request asks for at most so many times the rows that are wanted, if what a filter keeps is a guess."""


@dataclass(kw_only=True)
class Reading(ABC):
    """A part that is being read: the rows that wait for those of other parts, each with what sorts it.

    ``weight`` is how many items the part has beside others. Parts of a later ``group`` are asked later.
    """

    rows: deque[tuple[Rank, Row[Any]]] = field(default_factory=deque)
    weight: float = 1.0
    group: Rank = ()
    limit: int = 0
    """How many items the last request asked for."""
    ended: bool = False

    @abstractmethod
    def read_on(self, ascending: bool) -> float:
        """Ask for ``limit`` items; returns the read units."""

    def bound(self, ascending: bool) -> Rank:
        """The rank of the next row, or one that no row can precede."""
        return self.rows[0][0] if self.rows else (self.group, 0 if ascending else 2)


@dataclass(frozen=True)
class Expected:
    """What a merge expects: the share of the items that are ``kept``, and whether counts say it; and what it may spend.

    The least that a request asks for is what is ``paid`` anyway, and the first requests of a part that is read whole
    ask for a ``chunk``.
    """

    kept: float = 1.0
    counted: bool = False
    paid: int = 1
    most: float = inf
    chunk: int = CHUNK


def merged(
    readings: Sequence[Reading], count: float, spent: list[float], expected: Expected, *, ascending: bool
) -> Iterator[Row[Any]]:
    """The rows of all parts in order, also those whose value ``None`` says that they are dropped.

    ``spent`` gets the read units of requests. After the ``most``, it ends with the last row that needs no further
    request. Each request asks for as many items as are expected to have the rest of ``count`` rows, by the share of
    those that were kept so far.
    """
    best, seen, kept = min if ascending else max, 0, 0
    while left := [each for each in readings if each.rows or not each.ended]:
        first = best(each.bound(ascending) for each in left)
        wanting = [each for each in left if not each.rows and each.bound(ascending) == first]
        if not wanting:
            row = next(each for each in left if each.rows and each.rows[0][0] == first).rows.popleft()[1]
            seen, kept = seen + 1, kept + (row.value is not None)
            yield row
            continue
        if seen and sum(spent) >= expected.most:
            return
        density = (kept + EXPECTED_ROWS) / (seen + EXPECTED_ROWS / expected.kept)
        left_to_pay = max(2 * expected.paid * (expected.most - sum(spent)), 1)
        sure = left_to_pay if expected.counted else GROWTH * max(GROWTH * seen, count)
        more = count - kept if kept < count else kept  # whoever takes more than the count has dropped rows
        missing = min(more / density, CHUNK, max(expected.chunk, seen), sure)
        peers = [each for each in left if each.group == wanting[0].group]
        least, spare = (expected.paid, SPARE_DEVIATIONS) if len(peers) > 1 else (1, 0)
        held = sum(each.weight for each in peers)
        for each in wanting:
            share = missing * each.weight / held
            share += spare * sqrt(share)
            each.limit = ceil(min(max(share, 2 * each.limit, least), missing + sqrt(missing)))
        spent += in_parallel([partial(each.read_on, ascending) for each in wanting])


# --- Ranges of one index ------------------------------------------------------------------------------------


@dataclass(kw_only=True)
class _FetchedReading(Reading):
    """A part that a function reads; ``keep`` decides on the value of each row."""

    fetch: Fetch[Any]
    span: KeyRange
    keep: Callable[[Any], bool]
    item_bytes: float
    after: Position | None

    def read_on(self, ascending: bool) -> float:
        batch = self.fetch(self.span, self.after, ascending, self.limit)
        for position, value in batch.rows:
            self.rows.append((((), 1, position), Row(position, value if self.keep(value) else None)))
        self.after, self.ended = batch.stopped, batch.stopped is None
        return blocks(batch.read, self.item_bytes) / 2


@dataclass(frozen=True, kw_only=True)
class Merged(Listing[T]):
    """A list that is read from several ranges in the same order. ``span`` is the key range to read in each.

    ``parts`` read them, each with the number of its items. ``exact`` gives the same list from ranges that need no
    filter, or sorted in memory. If a page takes the ``most`` read units, because its items differ from the average, the
    rest of it is read from ``exact``.
    """

    parts: Sequence[tuple[Fetch[T], float]]
    span: KeyRange
    keep: Callable[[T], bool] = lambda _: True
    density: float = 1.0
    """The share of the items that is expected to be kept."""
    counted: bool = False
    most: float = inf
    exact: "Callable[[], Listing[T]] | None" = None

    def take(self, count: int, cursor: Cursor | None, backward: bool) -> list[Row[T]]:
        spent, found, last = list[float](), list[Row[T]](), None
        for last in self._merged(cursor, count, spent, self.most, ascending=self.descending == backward):
            found += [last] if last.value is not None else []
            if len(found) == count:
                return found
        if self.exact is None or last is None or sum(spent) < self.most:
            return found
        return found + self.exact().take(count - len(found), Cursor(last.position), backward)

    def expected(self, count: int) -> Charge:
        share = ceil(count / len(self.parts)) if self.parts else 0
        return query_cost([share] * len(self.parts), self.grounds.item_bytes)

    def stream(self) -> Iterator[T]:
        rows = self._merged(None, inf, [], inf, ascending=not self.descending)
        return (row.value for row in rows if row.value is not None)

    def _merged(
        self, cursor: Cursor | None, count: float, spent: list[float], most: float, *, ascending: bool
    ) -> Iterator[Row[Any]]:
        size, after = self.grounds.item_bytes, cursor.position if cursor else None
        readings = [self._reading(fetch, items, after, ascending) for fetch, items in self.parts]
        expected = Expected(self.density, self.counted, items_paid(size), most)
        return merged(readings, count, spent, expected, ascending=ascending)

    def _reading(self, fetch: Fetch[T], items: float, after: Position | None, ascending: bool) -> Reading:
        """A part from a position on, which may lie before or behind its key range."""
        ended = after is not None and after.sort_key not in self.span
        known: Any = {"fetch": fetch, "span": self.span, "keep": self.keep, "item_bytes": self.grounds.item_bytes}
        if after is None or not ended:
            return _FetchedReading(**known, weight=max(items, 1), after=after)
        behind = (after.sort_key > self.span.high) == ascending
        return _FetchedReading(**known, weight=max(items, 1), after=None, ended=behind)


def beyond(fetch: Fetch[T], begin: str, *, turned: bool = False) -> Fetch[T]:
    """Reads the keys that begin with a text, as if they did not: so ranges of several beginnings can be merged.

    If the first two parts are ``turned``, keys are read as if what they begin with were their second part.
    """

    def cut(position: Position) -> Position:
        key = position.sort_key.removeprefix(begin)
        first, _, rest = key.partition(SEPARATOR)
        return position._replace(sort_key=f"{first}{SEPARATOR}{begin}{rest}" if turned else key)

    def back(position: Position) -> Position:
        if not turned:
            return position._replace(sort_key=f"{begin}{position.sort_key}")
        first, _, rest = position.sort_key.partition(SEPARATOR)
        if not rest.startswith(begin):  # it is one of another beginning
            rest = HIGHEST if rest > begin else ""
        return position._replace(sort_key=f"{begin}{first}{SEPARATOR}{rest.removeprefix(begin)}")

    def read(span: KeyRange, after: Position | None, ascending: bool, limit: int) -> Batch[T]:
        start = after and back(after)
        batch = fetch(KeyRange(f"{begin}{span.low}", f"{begin}{span.high}"), start, ascending, limit)
        rows = [Row(cut(row.position), row.value) for row in batch.rows]
        return Batch(rows, batch.stopped and cut(batch.stopped), batch.read)

    return read
