"""Queries that are answered from memory, and charged as DynamoDB charges them: for benchmarks that read millions of
items.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from itertools import accumulate
from math import ceil
from typing import Any, cast
from unittest.mock import patch

from dynamodb_lists import ledger
from dynamodb_lists.connection import scope
from dynamodb_lists.connection.answers import Answer
from dynamodb_lists.lists.items import ItemReader
from dynamodb_lists.planning.sources import PartRange, Source
from dynamodb_lists.reading.fetching import learn_size
from dynamodb_lists.reading.items import query
from dynamodb_lists.reading.sources import SourceTable
from dynamodb_lists.schema.models import RawItem

BLOCK, ANSWER = 4096, 1 << 20
"""What half a read unit reads, and the most that one answer has, in bytes."""


class Partition:
    """All items of a partition of a table or an index, in the order of its keys."""

    def __init__(self, table: SourceTable, source: Source, partition: str) -> None:
        self.key = [each.name for each in dict.fromkeys((*source.keys, *table.key))]
        self.value, self.items, after = source.partition.wire(partition), list[RawItem](), None
        while True:
            asked: Any = {"IndexName": source.name or None, "ExclusiveStartKey": after}
            answer = query(table.name, self.key, self.value, **asked)
            self.items += answer["Items"]
            if (after := answer.get("LastEvaluatedKey")) is None:
                break
        self.order: Any = Decimal if source.sort and source.sort.numeric else str
        self.sorts = [self.order(source.sort.text(item)) for item in self.items] if source.sort else []
        self.ends = [0, *accumulate(map(size, self.items))]
        self.places = {repr(self.key_of(item)): place for place, item in enumerate(self.items)}

    def key_of(self, item: RawItem) -> dict[str, Any]:
        return {name: item.get(name, self.value) for name in self.key}

    def answer(self, low: str | None, high: str | None, after: Any, ascending: bool, limit: int) -> Answer:
        """Return at most so many items between two keys, beyond another one, and what they cost."""
        first = 0 if low is None else bisect_left(self.sorts, self.order(low))
        end = len(self.items) if high is None else bisect_right(self.sorts, self.order(high))
        if after is not None:
            place = self.places[repr({name: after[name] for name in self.key})]
            first, end = (max(first, place + 1), end) if ascending else (first, min(end, place))
        if ascending:
            most = bisect_left(self.ends, self.ends[first] + ANSWER)
            last = max(min(first + limit, end, most), first)
            found, left = self.items[first:last], last < end or last - first == limit
        else:
            most = bisect_right(self.ends, self.ends[max(end, first)] - ANSWER)
            last = min(max(end - limit, first, most), end)
            found, left = self.items[last:end][::-1], last > first or end - last == limit
            first, last = last, max(end, last)
        units = max(ceil((self.ends[last] - self.ends[first]) / BLOCK), 1) / 2
        answer: Any = {"Items": found, "Count": len(found), "ScannedCount": len(found)}
        answer["ConsumedCapacity"] = {"CapacityUnits": units}
        answer |= {"LastEvaluatedKey": self.key_of(found[-1])} if left and found else {}
        return cast(Answer, answer)


def size(value: RawItem) -> int:
    """Return the bytes of an item, by the rules of the Developer Guide ("DynamoDB item sizes and formats")."""
    return sum(len(name.encode()) + _size(*next(iter(typed.items()))) for name, typed in value.items())


def _size(kind: str, value: Any) -> int:
    if kind == "N":
        return (len(value.replace("-", "").replace(".", "").strip("0")) + 1) // 2 + 1 + int("-" in value)
    if kind in "SB":
        return len(value.encode()) if kind == "S" else len(value)
    if kind == "M":
        return 3 + len(value) + size(value)
    if kind == "L":
        return 3 + len(value) + sum(_size(*next(iter(each.items()))) for each in value)
    return sum(_size(kind[0], each) for each in value) if kind in {"SS", "NS", "BS"} else 1


@contextmanager
def from_memory() -> Iterator[None]:
    """Answer each Query of a list from what the first one of its partition has found."""
    partitions, entities = dict[Any, Partition](), dict[int, Any]()
    entity_of = ItemReader.entity_of

    def held(table: SourceTable, source: Source, partition: str) -> Partition:
        key = table.name, source.name, partition
        if key not in partitions:
            with scope.changed(observers=()):
                partitions[key] = Partition(table, source, partition)
        return partitions[key]

    def queried(
        self: SourceTable, source: Source, part: PartRange, *, after: Any, ascending: bool, limit: int
    ) -> Answer:
        there = held(self, source, part.partition)
        answer = there.answer(part.low, part.high, after, ascending, limit)
        request = {"TableName": self.name, "Limit": limit, **({"IndexName": source.name} if source.name else {})}
        call = ledger.Call("Query", request, scope.current().purpose, scope.next_wave())
        call.end(answer)
        for observe in scope.current().observers:
            observe(call)
        learn_size(self.name, part.partition, answer, whole=source.whole or not source.name)
        return answer

    def built(self: ItemReader[Any], item: RawItem, *more: Any) -> Any:
        if id(item) not in entities:
            entities[id(item)] = item, entity_of(self, item, *more)
        return entities[id(item)][1]

    with patch.object(SourceTable, "query", queried), patch.object(ItemReader, "entity_of", built):
        yield
