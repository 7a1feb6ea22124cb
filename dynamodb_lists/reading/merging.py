"""Read a list from several partitions, such as shards or one partition for each facet value.

A k-way merge (Knuth, The Art of Computer Programming, 5.4.1): hold at least one row of each partition, return the row
that comes first, and ask a partition again when its rows are used up. The first rows of all partitions are asked for
at the same time. All partitions have the same order, so one position is valid in each of them.

There is a trade-off. Asking every partition for many rows wastes reads; asking for one row at a time costs one
request a row. If the counts say how many rows each partition returns on average, it is asked for that many, and each
further time, without a filter, for twice as many. If nothing is known, each partition is asked for its even share of
the rows. None is asked for less than what the minimum charge of a request pays for. So a page of ``n`` rows from
``p`` partitions takes at most ``p + n / minimum`` requests, wherever the rows are. This is without a filter. If a
filter drops items, later requests ask for more, in the ratio of items read to rows kept so far.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import ceil, sqrt
from typing import Any, Generic, TypeVar, cast

from dynamodb_lists.planning.request_cost import MINIMUM_BYTES, OVERRUN, SPARE_DEVIATIONS, Charge, query_cost
from dynamodb_lists.reading.cursors import Cursor, Position
from dynamodb_lists.reading.fetching import in_parallel
from dynamodb_lists.reading.listing import CHUNK, Batch, Fetch, Listing, Row
from dynamodb_lists.schema.keys import HIGHEST, SEPARATOR, KeyRange

T = TypeVar("T")
GROWTH = 2
"""Each further request to a partition asks for so many times the items of the one before."""


@dataclass(frozen=True)
class Part(Generic[T]):
    """One partition: how to read it and, if known, its number of rows and the share of its items that are rows."""

    fetch: Fetch[T]
    rows: int | None = None
    density: float = 1.0


@dataclass
class _Reader(Generic[T]):
    """A partition that is being read: the rows that the merge holds, and the position to go on from."""

    part: Part[T]
    after: Position | None
    rows: list[Row[T]] = field(default_factory=list)
    ended: bool = False
    asked: int = 0
    """How many items the last request asked for."""


@dataclass(frozen=True, kw_only=True)
class Merged(Listing[T]):
    """A list that is read from several partitions in the same order. ``span`` is the key range to read in each.

    ``exact`` gives the same list from partitions that need no filter, or sorted in memory. If a filter drops far more
    items than the counts predict, because the newest items differ from the average, the rest of the page is
    read from ``exact``.
    """

    parts: Sequence[Part[T]]
    span: KeyRange
    minimum: int = 1
    """How many items the minimum charge of a request pays for."""
    exact: "Callable[[], Listing[T]] | None" = None
    budget: int = 0
    """How many items are read before the rest is read from ``exact``; by default, twice those that counts predict."""
    keep: Callable[[T], bool] = lambda _: True
    """Decides on the value of every row that is read."""

    def take(self, count: int, cursor: Cursor | None, backward: bool) -> list[Row[T]]:
        start = cursor.position if cursor else None
        merge = _Merge(self, start, count, ascending=self.descending == backward)
        rows = list(merge.rows())
        if not merge.over_budget or len(rows) == count:
            return rows
        last = rows[-1].position if rows else start
        rest = cast("Callable[[], Listing[T]]", self.exact)()  # without it, no pass has a budget
        return rows + rest.take(count - len(rows), Cursor(last) if last else None, backward)

    def expected(self, count: int) -> Charge:
        share = ceil(count / len(self.parts)) if self.parts else 0
        return query_cost([max(self.minimum, share)] * len(self.parts), MINIMUM_BYTES / self.minimum)

    def stream(self) -> Iterator[T]:
        return (row.value for row in _Merge(self, None, None, ascending=not self.descending).rows())


class _Merge(Generic[T]):
    """One pass over the partitions from a position on, for ``count`` rows; ``None`` for all rows."""

    def __init__(self, listing: Merged[T], after: Position | None, count: int | None, *, ascending: bool) -> None:
        self._listing, self._count, self._ascending = listing, count, ascending
        self._first: Any = min if ascending else max
        self._readers = [self._reader(part, after) for part in listing.parts]
        unlimited = count is None or not listing.exact
        expected = listing.budget or OVERRUN * self._expected_items(count or 0)
        self._budget = float("inf") if unlimited else expected
        self._read = self._kept = 0
        self.over_budget = False
        """Whether the pass ended early, because it has read far more items than the counts predict."""

    def rows(self) -> Iterator[Row[T]]:
        """The rows in order. There are fewer than asked for if the pass goes ``over_budget``."""
        returned = 0
        while self._count is None or returned < self._count:
            complete = self._fill(CHUNK if self._count is None else self._count - returned)
            holding = [reader for reader in self._readers if reader.rows]
            if not holding:
                return
            first = self._first(holding, key=lambda reader: reader.rows[0].position)
            if not complete and self._first(first.rows[0].position, self.reached) == self.reached:
                return
            yield first.rows.pop(0)
            returned += 1

    @property
    def reached(self) -> Position:
        """Up to where every row was read, if the pass went ``over_budget``."""
        asked = (reader.after for reader in self._readers if not reader.rows and not reader.ended)
        return cast(Position, self._first(after for after in asked if after))

    def _reader(self, part: Part[T], after: Position | None) -> _Reader[T]:
        """A partition from a position on, which may lie before or behind the key range of this partition."""
        span = self._listing.span
        if after is None or after.sort_key in span:
            return _Reader(part, after)
        return _Reader(part, None, ended=(after.sort_key > span.high) == self._ascending)

    def _fill(self, need: int) -> bool:
        """Ask the partitions without rows, all at once, until each holds a row or has ended.

        Returns false if the pass has read too many items. If a filter dropped every item of a chunk, the next request
        asks for twice as many.
        """
        times = 1
        while empty := [reader for reader in self._readers if not reader.rows and not reader.ended]:
            left = self._budget - self._read
            if left <= 0:
                self.over_budget = True
                return False
            limits = [self._limit(reader, need) for reader in empty]
            self._ask(empty, [max(self._listing.minimum, int(min(limit * times, left))) for limit in limits])
            times *= 2
        return True

    def _ask(self, readers: Sequence[_Reader[T]], limits: Sequence[int]) -> None:
        calls = [
            partial(reader.part.fetch, self._listing.span, reader.after, self._ascending, limit)
            for reader, limit in zip(readers, limits, strict=True)
        ]
        for reader, limit, batch in zip(readers, limits, in_parallel(calls), strict=True):
            reader.rows = [row for row in batch.rows if self._listing.keep(row.value)]
            reader.asked = limit
            reader.after, reader.ended = batch.stopped, batch.stopped is None
            self._read += batch.read
            self._kept += len(reader.rows)

    def _limit(self, reader: _Reader[T], need: int) -> int:
        """How many items to ask a partition for: at least what the minimum charge of a request pays for.

        A partition that has run out may have all rows that come next, whatever its average. So, if counts say the
        average and no filter drops items, it is asked for twice as many as before, up to all that is needed: few
        requests follow each other.
        """
        active = [other for other in self._readers if not other.ended]
        if reader.part.rows is None:
            share = self._share_of(need, len(active))
            return CHUNK if self._count is None else max(self._listing.minimum, share)
        left = sum(other.part.rows or 0 for other in active) or 1
        expected = need * reader.part.rows / left
        margin = SPARE_DEVIATIONS * sqrt(expected) if len(self._readers) > 1 else 0
        share = ceil((expected + margin) / reader.part.density)
        again = min(GROWTH * reader.asked, need) if reader.part.density == 1 else 0
        return max(self._listing.minimum, share, again)

    def _share_of(self, need: int, active: int) -> int:
        """An active partition's share of the needed rows, times the items read for each row that a filter kept."""
        if self._kept >= self._read:
            return ceil(need / active)
        return min(CHUNK, ceil(need * self._read / max(self._kept, 1) / active))

    def _expected_items(self, count: int) -> float:
        """The number of items that ``count`` rows need, according to the counts."""
        rows = sum(reader.part.rows or 0 for reader in self._readers)
        items = sum((reader.part.rows or 0) / reader.part.density for reader in self._readers)
        return count * items / rows if rows else count


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
