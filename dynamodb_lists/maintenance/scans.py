"""Read a whole table in parallel segments, page by page, or a sample of it.

A Scan reads and pays for every item. Only commands that must see every item may use it. See "Parallel scan" in the
DynamoDB Developer Guide, "Working with scans".
"""

import re
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from functools import partial
from typing import Any

from dynamodb_lists.connection.answers import Answer
from dynamodb_lists.reading.items import Key, query, sent
from dynamodb_lists.schema.keys import HIGHEST
from dynamodb_lists.schema.models import KIND, RawItem
from dynamodb_lists.writing.transactions import repeated

SEGMENTS = 4
"""How many segments of a table are read at the same time."""

SAMPLED, MOST_SAMPLED, MOST_UNITS = 30, 300, 150
"""How many segments of a table give items to a sample, how many items it has, and after how many read units it ends."""

EACH, WORDS = 5, 3
"""How many items a sample takes at a time, and for how many later words it asks in a partition."""

WORD = re.compile(r"\W*[A-Za-z]+(?![A-Za-z0-9])")
"""What tells the kind of an item at the beginning of its sort key."""

PAGE = 1000
"""The most items of one page."""


def scan(table: str, kind: str = "") -> Iterator[Answer]:
    """Yield every page of a table, in no order, as DynamoDB answers; with a ``kind``, only items of this kind.

    Raises: ``Unavailable``.
    Costs: half a read unit for each 4 KB of the table, also of other kinds.
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


def sample(table: str, key: Sequence[str]) -> tuple[list[RawItem], float]:
    """Return some items of a table with a ``key``, from each of its segments, and the read units that they took.

    The table is read a few items at a time. A partition may have thousands of items of one kind before those of another
    kind, so the read goes on behind the last item of a kind, too. The last page may use 128 units more than
    ``MOST_UNITS``. Raises: ``Unavailable``.
    """
    items, units = dict[str, RawItem](), 0.0
    left = deque[tuple[int, Key | None]]((number, None) for number in range(SAMPLED))
    while left and len(items) < MOST_SAMPLED and units < MOST_UNITS:
        segment, start = left.popleft()
        answers = [_page(table, segment, SAMPLED, EACH, start)]
        if after := answers[0].get("LastEvaluatedKey"):
            left.append((segment, after))
            answers += _behind(table, key, after)
        for answer in answers:
            items |= {repr([*map(item.get, key)]): item for item in answer["Items"]}
            units += answer["ConsumedCapacity"]["CapacityUnits"]
    return [*items.values()][:MOST_SAMPLED], units


def _behind(table: str, key: Sequence[str], place: Key) -> Iterator[Answer]:
    """Return some items of a key's partition whose sort key begins with a later word, and of the words after it."""
    for _ in range(WORDS):
        word = WORD.match(place[key[-1]].get("S", "")) if key[1:] else None
        if not word:
            return
        answer = query(table, key, place[key[0]], {"S": word[0] + HIGHEST}, Limit=EACH)
        yield answer
        if not answer["Items"]:
            return
        place = answer["Items"][-1]


def _page(table: str, segment: int, segments: int, most: int, start: Key | None, **keep: Any) -> Answer:
    request = {"TableName": table, "Segment": segment, "TotalSegments": segments, "Limit": most, **keep}
    return sent("Scan", {**request, "ExclusiveStartKey": start} if start else request)
