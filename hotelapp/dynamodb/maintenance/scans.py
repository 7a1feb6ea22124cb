"""Read a whole table in parallel segments, page by page.

A Scan reads and pays for every item. Only commands that must see every item may use it. See "Parallel scan" in the
DynamoDB Developer Guide, "Working with scans".
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from botocore.exceptions import ClientError

from hotelapp.dynamodb.connection.client import client, translated
from hotelapp.dynamodb.connection.errors import Unavailable
from hotelapp.dynamodb.schema.models import RawItem
from hotelapp.dynamodb.writing.transactions import repeated

T = TypeVar("T")

SEGMENTS = 4
"""How many segments are read at the same time, if the caller does not say."""

PAGE = 1000
"""The most items of one page. The work on a page that has begun is finished even if the command is stopped."""

_BUSY = {"ThrottlingError", "ProvisionedThroughputExceeded", "TransactionConflict", "ConditionalCheckFailed"}
_OTHER_NAMES = {"Throttling": "ThrottlingError", "RequestLimitExceeded": "ThrottlingError"}


@dataclass(frozen=True, slots=True)
class ScannedPage(Generic[T]):
    """A page of a Scan: its segment, where the segment continues, how many items were read, and the work's result."""

    segment: int
    next: Mapping[str, Any] | None
    read: int
    result: T


def scan(
    table: str,
    work: Callable[[Sequence[RawItem]], T],
    *,
    segments: int = SEGMENTS,
    keep: Mapping[str, Any] | None = None,
    consistent: bool = True,
) -> Iterator[ScannedPage[T]]:
    """Every page of a table, with what ``work`` returned for its items; in no order.

    One thread for each segment reads pages and runs ``work``. Reads that are not ``consistent`` cost half. ``keep``
    holds a FilterExpression with its names and values: DynamoDB reads and charges the items that it drops.
    Raises :class:`~hotelapp.dynamodb.connection.errors.Unavailable`.
    """
    request: Any = {
        "TableName": table,
        "TotalSegments": segments,
        "Limit": PAGE,
        "ConsistentRead": consistent,
        **(keep or {}),
    }

    def page(segment: int, start: Mapping[str, Any] | None) -> ScannedPage[T]:
        position: Any = {"ExclusiveStartKey": start} if start else {}
        answer: Any = patiently(lambda: client().scan(**request, Segment=segment, **position))
        return ScannedPage(segment, answer.get("LastEvaluatedKey"), answer["ScannedCount"], work(answer["Items"]))

    with ThreadPoolExecutor(segments) as pool:
        pending: set[Future[ScannedPage[T]]] = {pool.submit(page, segment, None) for segment in range(segments)}
        while pending:
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                scanned = future.result()
                if scanned.next:
                    pending.add(pool.submit(page, scanned.segment, scanned.next))
                yield scanned


def size_of(table: str) -> int:
    """About how many items a table has. DynamoDB counts them every six hours."""
    with translated():
        return int(client().describe_table(TableName=table)["Table"]["ItemCount"])


def patiently(call: Callable[[], T]) -> T:
    """The result of a call of the client. It is repeated while DynamoDB throttles, or a transaction holds the item.

    Raises :class:`~hotelapp.dynamodb.connection.errors.Conflict` if a condition did not hold, and
    :class:`~hotelapp.dynamodb.connection.errors.Unavailable` after eight attempts.
    """
    return repeated(call, _reasons)


def _reasons(error: Unavailable) -> set[str]:
    """The reasons of a refusal, as transactions name them; none if no repetition can help."""
    cause: Any = error.__cause__
    details = cause.response.get("CancellationReasons", ()) if isinstance(cause, ClientError) else ()
    codes = {reason["Code"] for reason in details} - {"None"} or {error.code.removesuffix("Exception")}
    return {name for code in codes if (name := _OTHER_NAMES.get(code, code)) in _BUSY}
