"""Reads of items by their keys: keys that DynamoDB hands back are asked for again, but not for ever."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from dynamodb_lists.connection import retries
from dynamodb_lists.connection.errors import Unavailable
from dynamodb_lists.connection.retries import MOST_ATTEMPTS
from dynamodb_lists.reading.items import BATCH, get_items
from hotels import commands, keys
from hotels.entities import Hotel
from hotels.models import HotelModel
from tests.helpers import contents
from tests.helpers.answers import answer, answering

HOTELS = [f"h{number:03}" for number in range(BATCH + 20)]
MISSING = "h999"


pytestmark = pytest.mark.usefixtures("empty_tables")


@pytest.fixture
def filling() -> contents.Fill:
    """The tables hold more hotels than one batch takes."""
    return save_hotels


def save_hotels() -> None:
    for hotel_id in HOTELS:
        commands.save_hotels([Hotel(hotel_id, f"Hotel {hotel_id}")])


@pytest.fixture(autouse=True)
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The longest waits between requests, none of which is waited for."""
    longest: list[float] = []

    def no_wait(_: float, upper: float) -> float:
        longest.append(upper)
        return 0

    monkeypatch.setattr("random.uniform", no_wait)
    return longest


def read(*hotel_ids: str) -> list[str]:
    """The hotels that are found, in their keys' order."""
    found = get_items(HotelModel, ((keys.HOTELS, keys.hotel(hotel_id)) for hotel_id in hotel_ids))
    return sorted(values["hotel_id"] for values in found)


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
        connection = HotelModel.connection()
        return connection.get_item(*(next(iter(value.values())) for value in key.values())).get("Item")


def test_items_are_read_a_hundred_at_a_time() -> None:
    assert read(*HOTELS, MISSING) == HOTELS


def test_keys_that_are_handed_back_are_asked_for_again(waits: list[float]) -> None:
    batches = Batches(lambda _: 40)
    with answering(batches, "BatchGetItem"):
        assert read(*HOTELS) == HOTELS
    assert batches.sizes == [100, 60, 20, 20]
    assert waits == [retries.FIRST_WAIT] * 2


def test_waits_grow_until_a_key_is_processed(waits: list[float]) -> None:
    batches = Batches(lambda number: 1 if number % MOST_ATTEMPTS == 0 else 0)
    with answering(batches, "BatchGetItem"):
        assert read(*HOTELS[:2]) == HOTELS[:2]
    assert batches.sizes == [2] * MOST_ATTEMPTS + [1] * MOST_ATTEMPTS
    growing = [retries.FIRST_WAIT * 2**attempt for attempt in range(MOST_ATTEMPTS - 1)]
    assert waits == [*growing, retries.FIRST_WAIT, *growing]


def test_a_missing_item_is_progress() -> None:
    batches = Batches(lambda number: 1 if number % MOST_ATTEMPTS == 0 else 0)
    with answering(batches, "BatchGetItem"):
        assert read(MISSING, HOTELS[0]) == HOTELS[:1]


def test_keys_that_are_always_handed_back_are_unavailable() -> None:
    batches = Batches(lambda _: 0)
    with answering(batches, "BatchGetItem"), pytest.raises(Unavailable, match="3 items"):
        read(*HOTELS[:3])
    assert batches.sizes == [3] * MOST_ATTEMPTS == [3] * 8
