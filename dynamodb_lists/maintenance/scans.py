"""Read a whole table in parallel segments, page by page.

A Scan reads and pays for every item. Only commands that must see every item may use it. See "Parallel scan" in the
DynamoDB Developer Guide, "Working with scans".
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, Generic, NamedTuple, TypeVar

from pynamodb.expressions.condition import Condition

from dynamodb_lists.reading.items import Key, scan_page
from dynamodb_lists.schema.models import ItemModel, RawItem
from dynamodb_lists.writing.transactions import repeated

T = TypeVar("T")

SEGMENTS = 4
"""How many segments of a table are read at the same time."""

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
