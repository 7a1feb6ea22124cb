"""How ranges of partitions are read: one Query for each, resumed at any position, and several at the same time.

:class:`Ranges` is a list that is read from planned ranges of one partition.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from functools import partial
from math import ceil, sqrt
from typing import Generic, TypeVar

from pynamodb.expressions.condition import Condition

from dynamodb_lists.connection import scope
from dynamodb_lists.connection.errors import UNREADABLE, Overdue, Unreadable
from dynamodb_lists.planning.range_plan import PlannedRange, Stretch, plan_wave, stretches
from dynamodb_lists.planning.request_cost import MINIMUM_BYTES
from dynamodb_lists.reading.cursors import Cursor, Position
from dynamodb_lists.reading.items import index_keys, query
from dynamodb_lists.reading.listing import CHUNK, Batch, CountsDiffer, Fetch, Listing, Row
from dynamodb_lists.schema.keys import LOWEST, KeyRange
from dynamodb_lists.schema.models import ItemModel, Values

T = TypeVar("T")

_pool = ThreadPoolExecutor(max_workers=16, thread_name_prefix="dynamodb")


REMEMBERED_SIZES = 10_000
sizes: dict[tuple[str, bool], tuple[float, float]] = {}
"""Between how many bytes an item of a partition is: of the table, or of the indexes, which project much the same."""


def item_bytes(partition: str, index: str, usual: float) -> float:
    """About how many bytes an item of a partition has in an index: the usual size, if no answer says otherwise."""
    low, high = sizes.get((partition, bool(index)), (usual, usual))
    return min(max(usual, low), high)


def _learn(partition: str, index: str, items: int, units: float) -> None:
    """Note between which sizes an average item must be. A charge says how many bytes the items have, to 4 KB."""
    if not items or not units:
        return
    if len(sizes) >= REMEMBERED_SIZES:
        sizes.clear()
    low, high = (2 * units - 1) * MINIMUM_BYTES / items, 2 * units * MINIMUM_BYTES / items
    least, most = sizes.get((partition, bool(index)), (low, high))
    narrowed = max(least, low), min(most, high)
    sizes[partition, bool(index)] = narrowed if narrowed[0] <= narrowed[1] else (low, high)


def fetcher(
    model: type[ItemModel],
    partition: str,
    build: Callable[[Values], T],
    *,
    attributes: Sequence[str],
    index: str = "",
    keep: Condition | None = None,
) -> Fetch[T]:
    """A function that reads ranges of a partition, one Query for each; ``build`` gives the value of each item.

    ``keep`` is a FilterExpression: DynamoDB reads and charges the items that it drops.
    """
    names = index_keys(model, index)
    shown = list(dict.fromkeys([*attributes, names.sort, *names.table]))

    def fetch(span: KeyRange, after: Position | None, ascending: bool, limit: int) -> Batch[T]:
        # The range begins at the position, because the embedded engine reads all keys from the range's end to the
        # start key.
        start = after.sort_key if after else None
        low, high = (start or span.low, span.high) if ascending else (span.low, start or span.high)
        answer = query(
            model.Meta.table_name,
            names.all,
            {"S": partition},
            {"S": low or LOWEST},  # DynamoDB refuses an empty text as a key of an index
            {"S": high},
            attributes=shown,
            keep=keep,
            IndexName=index or None,
            ExclusiveStartKey=names.start(partition, after) if after else None,
            Limit=limit,
            ScanIndexForward=ascending,
        )
        stopped, price = answer.get("LastEvaluatedKey"), answer.get("ConsumedCapacity") or {}
        _learn(partition, index, answer["ScannedCount"], price.get("CapacityUnits") or 0)
        try:
            rows = [Row(names.position(item), build(model.decoded(item))) for item in answer["Items"]]
            return Batch(rows, names.position(stopped) if stopped else None, answer["ScannedCount"])
        except UNREADABLE as error:
            raise Unreadable(f"A {model.kind} of a list is not as declared: {error}") from error

    return fetch


def in_parallel(calls: Sequence[Callable[[], T]]) -> list[T]:
    """The results of the calls, in order. The calls run at the same time, and use the same ledger.

    The last one runs in this thread.
    Raises :class:`~dynamodb_lists.connection.errors.Overdue` at the page's deadline, even if calls of other pages
    still occupy the threads.
    """
    if len(calls) <= 1:
        return [call() for call in calls]
    contexts, futures, results = list[Context](), list[Future[T]](), list[T]()
    for call in calls[:-1]:
        contexts.append(copy_context())
        futures.append(_pool.submit(contexts[-1].run, call))
    contexts.append(copy_context())
    try:
        last = contexts[-1].run(calls[-1])
        for future in futures:
            results.append(future.result(scope.timeout()))
    except TimeoutError as error:
        raise Overdue("The page's time is over before parallel reads have ended.") from error
    finally:
        for future in futures:
            future.cancel()
    scope.join(contexts)
    return [*results, last]


# --- A list from ranges ------------------------------------------------------------------------------------


SPARE_ITEMS = 10
"""A request for a whole range asks for so many items more than expected, so that it reaches the end of the range."""
EXPECTED_ROWS = 2
"""What is expected of a walk counts as much as so many rows that were found."""
LARGEST = 5000
"""The most items to ask for at once while a filter drops most of them. It is about what a Query can return."""
MOST_GROWTH = 8
"""A request asks for at most so many times the items that were read before. What few items tell may be far off."""


@dataclass(frozen=True, kw_only=True)
class Ranges(Listing[T]):
    """A list that is read from ranges of one partition. ``ranges`` are in ascending key order; ``fetch`` reads one.

    ``keep`` decides on the value of every row that is read, so that an outdated count can never show a wrong row.
    Where nothing counts the items, the ranges have no segments.
    """

    ranges: Sequence[PlannedRange]
    fetch: Fetch[T]
    keep: Callable[[T], bool] = lambda _: True
    density: float = 1.0
    """The share of the items, beside those that the segments name, that ``keep`` is expected to keep."""
    budget: Callable[[], int] = lambda: 0
    otherwise: "Callable[[], Listing[T]] | None" = None
    """The same list, read in another way. The rest of a page is read from it if it is expected to take more items than
    the ``budget``, which is what the other way costs."""
    uncounted: "Callable[[], Listing[T]] | None" = None
    """The same list, read without the counts, for a page on which they are wrong."""

    def take(self, count: int, cursor: Cursor | None, backward: bool) -> list[Row[T]]:
        spare = sqrt(count) if cursor and self.density < 1 else 0.0
        reading = _Pass(self, count, self.descending == backward, self.density, spare)
        start, left = cursor.position if cursor else None, self.stretches(cursor, reading.ascending)
        while left and reading.missing > 0 and not reading.impatient:
            wave = plan_wave(left, reading.items())
            calls = [
                partial(self.fetch, stretch.keys, start if stretch.passed else None, reading.ascending, limit)
                for stretch, limit in wave
            ]
            for (stretch, _), batch in zip(wave, in_parallel(calls), strict=True):
                reading.read_on(stretch, batch)
            left = left[len(wave) :]
        rows = reading.rows[:count]
        if reading.impatient and (left or reading.cut) and self.otherwise:
            last = rows[-1].position if rows else start
            rows += self.otherwise().take(count - len(rows), Cursor(last) if last else None, backward)
        return rows

    def stream(self) -> Iterator[T]:
        ascending = not self.descending
        for planned in self.ranges if ascending else self.ranges[::-1]:
            after: Position | None = None
            while True:
                batch = self.fetch(planned.keys, after, ascending, CHUNK)
                yield from (row.value for row in batch.rows if self.keep(row.value))
                if (after := batch.stopped) is None:
                    break

    def stretches(self, cursor: Cursor | None, ascending: bool) -> list[Stretch]:
        """The rest of each range beyond the cursor."""
        position, passed = (cursor.position, cursor.passed(self.total)) if cursor else (None, 0)
        return stretches(self.ranges, position.sort_key if position else None, passed, ascending=ascending)


@dataclass
class _Pass(Generic[T]):
    """One pass over stretches of a list, until no row is ``missing`` or the pass is ``impatient``."""

    listing: Ranges[T]
    missing: int
    ascending: bool
    density: float
    spare: float
    """So many rows more are asked for at first: a standard deviation of a later page, which one request should fill."""
    rows: list[Row[T]] = field(default_factory=list)
    read: int = 0
    impatient: bool = False
    """Whether the rest of the pass is expected to cost more than the other way."""
    cut: bool = False
    """Whether the pass has left items that it was to read, because it was impatient."""

    def read_on(self, stretch: Stretch, batch: Batch[T]) -> None:
        """Keep the rows of a stretch. If its first batch fell short, read on before the next stretch.

        It may be in a gap of items that are dropped, so each request asks for twice as many as the one before.

        Raises :class:`CountsDiffer` if the whole stretch holds more or fewer items than the counts say.
        """
        read = len(batch.rows)  # an engine counts one item more where an answer ends at 1 MB
        self._add(batch)
        asked = 0
        while batch.stopped and self.missing > 0 and not self.impatient:
            asked = self.items() if self.listing.otherwise else max(self.items(), 2 * asked, SPARE_ITEMS)
            batch = self.listing.fetch(stretch.keys, batch.stopped, self.ascending, asked)
            read += len(batch.rows)
            self._add(batch)
        self.cut |= self.impatient and batch.stopped is not None
        foreseen = stretch.items if stretch.ahead and not stretch.passed else read
        if self.listing.uncounted and not batch.stopped and read != foreseen:
            raise CountsDiffer(self.listing.uncounted)

    def _add(self, batch: Batch[T]) -> None:
        """Keep the rows of a batch, unless the pass is impatient already."""
        if self.impatient:
            self.cut = True
            return
        kept = [row for row in batch.rows if self.listing.keep(row.value)]
        self.rows += kept
        self.missing -= len(kept)
        self.read += batch.read
        rest = self.missing / self._found()
        self.impatient = self.missing > 0 and self.listing.otherwise is not None and rest > self.listing.budget()

    def items(self) -> int:
        """How many items to read for the missing rows: as many as was expected or, once items were dropped, as found.

        A request asks for two standard deviations more, so that hardly one follows, but not for far more than was read.
        """
        if len(self.rows) == self.read:
            return min(ceil((self.missing + self.spare) / self.density), MOST_GROWTH * self.missing, LARGEST)
        most = self.listing.budget() + 1 if self.listing.otherwise else LARGEST
        return min(
            ceil((self.missing + 2 * sqrt(self.missing)) / self._found()), MOST_GROWTH * self.read, most, LARGEST
        )

    def _found(self) -> float:
        """The share of the items that are rows, as far as the pass has read."""
        return (len(self.rows) + EXPECTED_ROWS) / (self.read + EXPECTED_ROWS / self.density)


def whole_range(fetch: Fetch[T], span: KeyRange, expected: int = LARGEST) -> list[T]:
    """Every value of a range. The request asks for a few more than expected, so that it reaches the end."""
    found, after = list[T](), None
    while True:
        batch = fetch(span, after, True, expected + SPARE_ITEMS)
        found += [row.value for row in batch.rows]
        if (after := batch.stopped) is None:
            return found
