"""Parallel reads, and the sizes of items that requests have shown."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import Context, copy_context
from typing import Any, TypeVar

from dynamodb_lists.connection import scope
from dynamodb_lists.connection.configuration import Connection, connection_of
from dynamodb_lists.connection.errors import Unavailable
from dynamodb_lists.planning.request_cost import MINIMUM_BYTES

T = TypeVar("T")

_pool = ThreadPoolExecutor(max_workers=16, thread_name_prefix="dynamodb")


REMEMBERED_SIZES = 10_000
sizes: dict[tuple[Connection, str, bool], tuple[float, float]] = {}
"""Between how many bytes an item of a partition is: a whole one, or one of indexes, which project much the same."""


def item_bytes(of: str, partition: str, usual: float, *, whole: bool) -> float:
    """Return about how many bytes a partition's items have, in indexes or ``whole``; ``usual`` if no request has shown
    it. ``of`` is the name of the list or table.
    """
    low, high = sizes.get((connection_of(of), partition, whole), (usual, usual))
    return min(max(usual, low), high)


def learn_size(of: str, partition: str, answer: Mapping[str, Any], *, whole: bool) -> None:
    """Note the range in which the average size of an item lies. The charge of a request tells it to 4 KB."""
    items, units = answer["ScannedCount"], (answer.get("ConsumedCapacity") or {}).get("CapacityUnits") or 0
    if not items or not units:
        return
    if len(sizes) >= REMEMBERED_SIZES:
        sizes.clear()
    low, high = (2 * units - 1) * MINIMUM_BYTES / items, 2 * units * MINIMUM_BYTES / items
    key = connection_of(of), partition, whole
    least, most = sizes.get(key, (low, high))
    narrowed = max(least, low), min(most, high)
    sizes[key] = narrowed if narrowed[0] <= narrowed[1] else (low, high)


def in_parallel(calls: Sequence[Callable[[], T]]) -> list[T]:
    """Run the calls at the same time, with one ledger, and return their results in order. The last call runs in this
    thread.

    Raises: ``Unavailable`` at the page's deadline, even if other pages still occupy the threads.
    """
    if not calls[1:]:
        return [calls[0]()] if calls else []
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
        raise Unavailable("The page's time is over before parallel reads have ended.") from error
    finally:
        for future in futures:
            future.cancel()
    scope.join(contexts)
    return [*results, last]
