"""How ranges of partitions are read: one Query for each, resumed at any position, and several at the same time.

:class:`Ranges` is a list that is read from ranges of one partition.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import Context, copy_context
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

from pynamodb.expressions.condition import Condition

from dynamodb_lists.connection import scope
from dynamodb_lists.connection.errors import UNREADABLE, Overdue, Unreadable
from dynamodb_lists.planning.request_cost import MINIMUM_BYTES
from dynamodb_lists.reading.cursors import Cursor, Position
from dynamodb_lists.reading.items import index_keys, query
from dynamodb_lists.reading.listing import CHUNK, Batch, Fetch, Listing, Row
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


def learn_size(partition: str, index: str, answer: Mapping[str, Any]) -> None:
    """Note between which sizes an average item must be. A charge says how many bytes the items have, to 4 KB."""
    items, units = answer["ScannedCount"], (answer.get("ConsumedCapacity") or {}).get("CapacityUnits") or 0
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
        stopped = answer.get("LastEvaluatedKey")
        learn_size(partition, index, answer)
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


@dataclass(frozen=True, kw_only=True)
class Ranges(Listing[T]):
    """A list that is read from ranges of one partition, one after the other. They are in ascending order.

    ``fetch`` reads one, and ``keep`` decides on the value of every row.
    """

    ranges: Sequence[KeyRange]
    fetch: Fetch[T]
    keep: Callable[[T], bool] = lambda _: True

    def take(self, count: int, cursor: Cursor | None, backward: bool) -> list[Row[T]]:
        rows = self._rows(cursor.position if cursor else None, count, self.descending == backward)
        return [*islice(rows, count)]

    def hits(self, count: int, least: int = 0) -> tuple[list[T], bool]:
        """The first values of the first range, from one request. Those that it drops may leave fewer than there are."""
        batch = self.fetch(self.ranges[0], None, not self.descending, max(count + 1, least))
        found = [row.value for row in batch.rows if self.keep(row.value)]
        return found[:count], len(found) > count or batch.stopped is not None

    def stream(self) -> Iterator[T]:
        return (row.value for row in self._rows(None, CHUNK, not self.descending))

    def _rows(self, start: Position | None, count: int, ascending: bool) -> Iterator[Row[T]]:
        """The rows beyond a position. Each further request of a range asks for twice as many."""
        for span in self.ranges if ascending else self.ranges[::-1]:
            if start and (span.high < start.sort_key if ascending else span.low > start.sort_key):
                continue
            after, limit = start if start and start.sort_key in span else None, count
            while True:
                batch = self.fetch(span, after, ascending, limit)
                yield from (row for row in batch.rows if self.keep(row.value))
                if (after := batch.stopped) is None:
                    break
                limit = min(2 * limit, CHUNK)
