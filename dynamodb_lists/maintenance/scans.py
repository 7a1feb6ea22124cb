"""Read a whole table in parallel segments, page by page, or a sample of it.

A Scan reads and pays for every item. Only commands that must see every item may use it. See "Parallel scan" in the
DynamoDB Developer Guide, "Working with scans".
"""

from collections import deque
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from functools import partial
from typing import Any

from dynamodb_lists.connection.answers import Answer
from dynamodb_lists.reading.items import Key, sent
from dynamodb_lists.schema.models import KIND, RawItem
from dynamodb_lists.writing.transactions import repeated

SEGMENTS = 4
"""How many segments of a table are read at the same time."""

SAMPLED = 30
"""How many segments of a table give items to a sample."""

PAGE = 1000
"""The most items of one page."""


def scan(table: str, kind: str = "") -> Iterator[Answer]:
    """Every page of a table, in no order, as DynamoDB answers; with a ``kind``, only items of this kind.

    Items of other kinds are charged, too. Reads are not consistent, which costs half.
    Raises :class:`~dynamodb_lists.connection.errors.Unavailable`.
    """
    values: Any = {"ExpressionAttributeNames": {"#0": KIND}, "ExpressionAttributeValues": {":0": {"S": kind}}}
    keep = {"FilterExpression": "#0 = :0", **values} if kind else {}

    def page(segment: int, start: Key | None) -> tuple[int, Answer]:
        return segment, repeated(partial(_page, table, segment, SEGMENTS, PAGE, start, **keep))

    with ThreadPoolExecutor(SEGMENTS) as pool:
        pending = {pool.submit(page, segment, None) for segment in range(SEGMENTS)}
        while pending:
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            for segment, answer in (future.result() for future in done):
                if after := answer.get("LastEvaluatedKey"):
                    pending.add(pool.submit(page, segment, after))
                yield answer


def sample(table: str, most: int = 300, most_units: float = 150.0) -> tuple[list[RawItem], float]:
    """About ``most`` items of a table, from each of 30 segments, and the read units that they took.

    It stops when ``most_units`` are used; the last page may use 128 more. Raises
    :class:`~dynamodb_lists.connection.errors.Unavailable`.
    """
    items, units = list[RawItem](), 0.0
    left = deque[tuple[int, Key | None]]((number, None) for number in range(SAMPLED))
    while left and len(items) < most and units < most_units:
        segment, start = left.popleft()
        answer = _page(table, segment, SAMPLED, -(-most // SAMPLED), start)
        items, units = [*items, *answer["Items"]], units + answer["ConsumedCapacity"]["CapacityUnits"]
        if after := answer.get("LastEvaluatedKey"):
            left.append((segment, after))
    return items[:most], units


def _page(table: str, segment: int, segments: int, most: int, start: Key | None, **keep: Any) -> Answer:
    request = {"TableName": table, "Segment": segment, "TotalSegments": segments, "Limit": most, **keep}
    return sent("Scan", {**request, "ExclusiveStartKey": start} if start else request)
