"""Read a whole table in parallel segments, page by page.

A Scan reads and pays for every item. Only commands that must see every item may use it. See "Parallel scan" in the
DynamoDB Developer Guide, "Working with scans".
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, Generic, NamedTuple, TypeVar

from pynamodb.expressions.condition import Condition

from dynamodb_lists.connection.client import SDK_ERRORS, translation
from dynamodb_lists.connection.thin_client import read
from dynamodb_lists.reading.items import Key, scan_page
from dynamodb_lists.schema.models import ItemModel, RawItem
from dynamodb_lists.writing.transactions import repeated

T = TypeVar("T")

SEGMENTS = 4
"""How many segments of a table are read at the same time."""

SAMPLED = 30
"""How many segments of a table give items to a sample."""

PAGE = 1000
"""The most items of one page. The work on a page that has begun is finished even if the command is stopped."""


class ScannedPage(NamedTuple, Generic[T]):
    """A page of a Scan: its segment, where the segment continues, how many items were read, and the work's result."""

    segment: int
    next: Key | None
    read: int
    result: T


def scan(
    model: type[ItemModel],
    work: Callable[[Sequence[RawItem]], T],
    *,
    keep: Condition | None = None,
    consistent: bool = True,
) -> Iterator[ScannedPage[T]]:
    """Every page of a model's table, with what ``work`` returned for its items; in no order.

    One thread for each segment reads pages and runs ``work``. Reads that are not ``consistent`` cost half. ``keep`` is
    a FilterExpression: DynamoDB reads and charges the items that it drops.
    Raises :class:`~dynamodb_lists.connection.errors.Unavailable`.
    """

    def page(segment: int, start: Key | None) -> ScannedPage[T]:
        options: Any = {"Segment": segment, "TotalSegments": SEGMENTS, "Limit": PAGE, "ConsistentRead": consistent}
        answer = repeated(lambda: scan_page(model, keep=keep, start=start, **options))
        return ScannedPage(segment, answer.get("LastEvaluatedKey"), answer["ScannedCount"], work(answer["Items"]))

    with ThreadPoolExecutor(SEGMENTS) as pool:
        pending: set[Future[ScannedPage[T]]] = {pool.submit(page, segment, None) for segment in range(SEGMENTS)}
        while pending:
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                scanned = future.result()
                if scanned.next:
                    pending.add(pool.submit(page, scanned.segment, scanned.next))
                yield scanned


def sample(table: str, most: int = 300, most_units: float = 150.0) -> tuple[list[RawItem], float]:
    """About ``most`` items of a table, from each of 30 segments, and the read units that they took.

    It stops when ``most_units`` are used; the last page may use 128 more. Raises
    :class:`~dynamodb_lists.connection.errors.Unavailable`.
    """
    items, units = list[RawItem](), 0.0
    left = deque[tuple[int, Any]]((number, {}) for number in range(SAMPLED))
    while left and len(items) < most and units < most_units:
        segment, start = left.popleft()
        options = {"Segment": segment, "TotalSegments": SAMPLED, "Limit": -(-most // SAMPLED), **start}
        try:
            answer = read("Scan", {"TableName": table, "ReturnConsumedCapacity": "TOTAL", **options})
        except SDK_ERRORS as error:
            raise translation(error) from error
        items, units = [*items, *answer["Items"]], units + answer["ConsumedCapacity"]["CapacityUnits"]
        if after := answer.get("LastEvaluatedKey"):
            left.append((segment, {"ExclusiveStartKey": after}))
    return items[:most], units
