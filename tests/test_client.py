"""The shared client: one for all threads, however they come."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

import pytest

from hotelapp.dynamodb import client as shared
from hotelapp.dynamodb import ledger
from rooms import models, queries
from rooms.values import RoomQuery
from tests.support import ABC, make_hotel, make_room

T = TypeVar("T")
THREADS = 16


def at_once(call: Callable[[], T]) -> list[T]:
    """What the call gives in many threads that start together."""
    barrier = Barrier(THREADS)

    def run(_: int) -> T:
        barrier.wait()
        return call()

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(run, range(THREADS)))


@pytest.mark.usefixtures("empty_tables")
def test_the_first_requests_of_a_process_may_come_at_once() -> None:
    make_hotel([make_room("101")])
    for _ in range(10):
        shared.forget()
        for model in (models.Hotel, models.Room, models.RoomNumber, models.RoomCount):
            model._connection = None
        found = at_once(lambda: queries.rooms(ABC, RoomQuery()).page.rows[0].number)
        assert found == ["101"] * THREADS


def test_all_threads_get_the_same_client(endpoint: str) -> None:
    shared.forget()
    assert len({id(client) for client in at_once(shared.client)}) == 1


@pytest.mark.usefixtures("empty_tables")
def test_each_request_has_a_ledger_of_its_own() -> None:
    make_hotel([make_room("101")])

    def calls() -> list[str]:
        with ledger.recording() as kept:
            queries.rooms(ABC, RoomQuery())
        return [call.purpose for call in kept.calls]

    assert at_once(calls) == [["counts", "list"]] * THREADS
