"""A table that DynamoDB throttles does not slow down the others, though all share one client."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import count
from threading import Event
from typing import Any

import pytest

from dynamodb_lists.connection import client as shared
from dynamodb_lists.connection.errors import Unavailable
from dynamodb_lists.reading.items import find_item
from dynamodb_lists.tests.helpers.answers import answering, refusal
from dynamodb_lists.tests.helpers.waiting import eventually
from dynamodb_lists.tests.trials import TRIALS, LogItem, a_trial, new_org, trials

WRITERS = 4
PAUSE = 0.02
"""Seconds between two writes of a writer, so that the writers leave the reader its share of the machine."""

WINDOW = 0.2
"""Seconds in which reads are counted."""


class Throttling:
    """Refuses every transaction that writes to one table."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.refused = 0

    def __call__(self, request: Any, **_: Any) -> Any:
        if TRIALS not in request.body.decode():
            return None
        self.refused += 1
        return refusal(self.code)


@pytest.fixture
def fresh_client(tables: None) -> Iterator[None]:
    """A client that nothing has throttled yet, and another for the tests that follow."""
    shared.forget()
    yield
    shared.forget()


@contextmanager
def trials_being_saved() -> Iterator[None]:
    """Several threads save trials, whether that works or not."""
    stop, org = Event(), new_org()

    def save(number: int) -> None:
        for number_of_save in count():
            if stop.wait(PAUSE):
                return
            with suppress(Unavailable):
                trials.save([a_trial(org, f"T-{number}", title=f"Save {number_of_save}")])

    with ThreadPoolExecutor(WRITERS) as pool:
        writers = [pool.submit(save, number) for number in range(WRITERS)]
        try:
            yield
        finally:
            stop.set()
        for writer in writers:
            writer.result()


def reads_in_a_window(org: str) -> int:
    """How often one thread reads an item of the log in ``WINDOW``, one GetItem each time."""
    reads, end = 0, time.monotonic() + WINDOW
    while time.monotonic() < end:
        assert find_item(LogItem, org, "T-1")["number"] == "T-1"
        reads += 1
    return reads


@pytest.mark.usefixtures("fresh_client")
@pytest.mark.parametrize("code", ["ThrottlingException", "ProvisionedThroughputExceededException"])
def test_a_throttled_table_does_not_slow_down_others(code: str) -> None:
    org, throttling = new_org(), Throttling(code)
    LogItem(org, "T-1").save()
    with trials_being_saved():
        usual = reads_in_a_window(org)
        with answering(throttling, "TransactWriteItems"):
            assert eventually(lambda: throttling.refused > WRITERS)  # the client sees the first refusals
            assert eventually(lambda: 3 * reads_in_a_window(org) >= usual), "on a busy machine not every window has"
