"""How ranges of partitions are read: one Query for each, resumed at any position, and several at the same time."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import Context, copy_context
from typing import TypeVar

from pynamodb.expressions.condition import Condition

from dynamodb_lists.connection import deadlines, scope
from dynamodb_lists.connection.errors import Overdue
from dynamodb_lists.planning.request_cost import MINIMUM_BYTES
from dynamodb_lists.reading.cursors import Position
from dynamodb_lists.reading.lists import Batch, Fetch, Row
from dynamodb_lists.reading.requests import index_keys, query
from dynamodb_lists.schema.keys import KeyRange
from dynamodb_lists.schema.models import PortalModel, Values

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
    model: type[PortalModel],
    partition: str,
    build: Callable[[Values], T],
    *,
    attributes: Sequence[str],
    index: str = "",
    keep: Condition | None = None,
    consistent: bool = False,
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
            model,
            partition,
            index=index,
            span=KeyRange(low, high),
            keep=keep,
            attributes=shown,
            start=names.start(partition, after) if after else None,
            ConsistentRead=consistent or None,
            Limit=limit,
            ScanIndexForward=ascending,
        )
        stopped = answer.get("LastEvaluatedKey")
        _learn(partition, index, answer["ScannedCount"], answer.get("ConsumedCapacity", {}).get("CapacityUnits", 0))
        rows = [Row(names.position(item), build(model.decoded(item))) for item in answer["Items"]]
        return Batch(rows, names.position(stopped) if stopped else None, answer["ScannedCount"])

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
            results.append(future.result(deadlines.timeout()))
    except TimeoutError as error:
        raise Overdue("The page's time is over before parallel reads have ended.") from error
    finally:
        for future in futures:
            future.cancel()
    scope.join(contexts)
    return [*results, last]
