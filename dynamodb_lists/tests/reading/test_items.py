"""Reads of items by their keys: keys that DynamoDB hands back are asked for again, but not for ever."""

import json
from collections.abc import Callable
from itertools import islice
from typing import Any

import pytest

from dynamodb_lists.connection import ledger, scope
from dynamodb_lists.connection.errors import Unavailable
from dynamodb_lists.connection.scope import MOST_ATTEMPTS
from dynamodb_lists.planning.sources import SourceKey
from dynamodb_lists.reading.items import BATCH, get_items, read_partition
from dynamodb_lists.reading.sources import SourceTable
from dynamodb_lists.schema.conditions import Begins, Between
from dynamodb_lists.schema.templates import Template
from dynamodb_lists.tests.helpers.answers import answer, answering
from dynamodb_lists.tests.trials import LogItem, new_org

NUMBERS = [f"T-{number:03}" for number in range(BATCH + 20)]
MISSING = "T-999"
ORG = new_org()
ANY = Template("{text}")


@pytest.fixture(autouse=True, scope="module")
def _stored(tables: None) -> None:
    """The table holds more items than one batch takes."""
    with LogItem.batch_write() as batch:
        for number in NUMBERS:
            batch.save(LogItem(ORG, number))


@pytest.fixture(autouse=True)
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The longest possible waits between requests. The test does not wait for them."""
    longest: list[float] = []

    def no_wait(_: float, upper: float) -> float:
        longest.append(upper)
        return 0

    monkeypatch.setattr("random.uniform", no_wait)
    return longest


def read(*numbers: str) -> list[str]:
    """Return the items that are found, in their keys' order."""
    return sorted(values["number"] for values in get_items(LogItem, ((ORG, number) for number in numbers)))


@pytest.mark.parametrize(
    ("span", "wanted"), [(None, NUMBERS), (Begins("T-01"), NUMBERS[10:20]), (Between("T-118"), NUMBERS[118:])]
)
def test_a_range_of_a_partition_is_read_by_queries_that_grow(span: Any, wanted: list[str]) -> None:
    assert [item["number"] for item in read_partition(LogItem, ORG, span=span)] == wanted
    with ledger.recording() as calls:
        found = [item["number"] for item in islice(read_partition(LogItem, ORG, span=span, most=2), 7)]
    assert found == wanted[:7]
    assert [call.limit for call in calls.calls] == [2, 4, 8][: 3 if wanted[2:] else 2]


class Batches:
    """Answers BatchGetItem in the engine's place, with ``processed`` of each request's keys; notes their numbers."""

    def __init__(self, processed: Callable[[int], int]) -> None:
        self.processed = processed
        self.sizes: list[int] = []

    def __call__(self, request: Any, **_: Any) -> Any:
        ((table, wanted),) = json.loads(request.body)["RequestItems"].items()
        self.sizes.append(len(wanted["Keys"]))
        count = self.processed(len(self.sizes))
        items = [self.item(key) for key in wanted["Keys"][:count]]
        left = {table: {**wanted, "Keys": wanted["Keys"][count:]}} if wanted["Keys"][count:] else {}
        return answer(200, Responses={table: [item for item in items if item]}, UnprocessedKeys=left)

    def item(self, key: Any) -> Any:
        connection = LogItem.connection()
        return connection.get_item(*(next(iter(value.values())) for value in key.values())).get("Item")


def test_items_are_read_a_hundred_at_a_time() -> None:
    assert read(*NUMBERS, MISSING) == NUMBERS


def test_keys_that_are_handed_back_are_asked_for_again(waits: list[float]) -> None:
    batches = Batches(lambda _: 40)
    with answering(batches, "BatchGetItem"):
        assert read(*NUMBERS) == NUMBERS
    assert batches.sizes == [100, 60, 20, 20]
    assert waits == [scope.FIRST_WAIT] * 2


def test_waits_grow_until_a_key_is_processed(waits: list[float]) -> None:
    batches = Batches(lambda number: 1 if number % MOST_ATTEMPTS == 0 else 0)
    with answering(batches, "BatchGetItem"):
        assert read(*NUMBERS[:2]) == NUMBERS[:2]
    assert batches.sizes == [2] * MOST_ATTEMPTS + [1] * MOST_ATTEMPTS
    growing = [scope.FIRST_WAIT * 2**attempt for attempt in range(MOST_ATTEMPTS - 1)]
    assert waits == [*growing, scope.FIRST_WAIT, *growing]


def test_items_of_a_page_of_an_index_are_read_in_the_same_way(waits: list[float]) -> None:
    table = SourceTable(LogItem.Meta.table_name, tuple(SourceKey(name, ANY) for name in LogItem.key_names()))
    entries = [{key.name: {"S": text} for key, text in zip(table.key, (ORG, each), strict=True)} for each in NUMBERS]
    with answering(Batches(lambda _: 60), "BatchGetItem"):
        assert [table.key_of(item) for item in table.whole(entries) if item] == entries
    assert waits == [scope.FIRST_WAIT]
    with answering(Batches(lambda _: 0), "BatchGetItem"), pytest.raises(Unavailable, match="3 items"):
        table.whole(entries[:3])


def test_keys_that_are_always_handed_back_are_unavailable() -> None:
    batches = Batches(lambda _: 0)
    with answering(batches, "BatchGetItem"), pytest.raises(Unavailable, match="3 items"):
        read(*NUMBERS[:3])
    assert batches.sizes == [3] * MOST_ATTEMPTS == [3] * 8
