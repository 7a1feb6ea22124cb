"""Read and write many items of a table, in batches that are sent again with what DynamoDB left unprocessed."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from hotelapp.dynamodb.connection.client import client
from hotelapp.dynamodb.connection.errors import Unavailable
from hotelapp.dynamodb.maintenance.scans import patiently
from hotelapp.dynamodb.schema.models import RawItem

READ_BATCH, WRITE_BATCH = 100, 25
"""The most items that DynamoDB takes in one BatchGetItem and in one BatchWriteItem."""

ATTEMPTS = 10
FIRST_WAIT = 0.05
"""Seconds. The wait doubles with each answer that leaves out items, up to 26 s."""


def read(table: str, keys: Sequence[RawItem]) -> Iterator[RawItem]:
    """The items that a table has under these keys, read consistently."""
    for batch in _batches(keys, READ_BATCH):
        request = {table: {"Keys": batch, "ConsistentRead": True}}
        for answer in _until_processed(client().batch_get_item, request, "UnprocessedKeys"):
            yield from answer["Responses"].get(table, ())


def write(table: str, writes: Sequence[Mapping[str, Any]]) -> None:
    """Send puts and deletes, as BatchWriteItem has them. No two of them may have the same key."""
    for batch in _batches(writes, WRITE_BATCH):
        for _ in _until_processed(client().batch_write_item, {table: batch}, "UnprocessedItems"):
            pass


def _until_processed(send: Callable[..., Any], request: Mapping[str, Any], rest: str) -> Iterator[Mapping[str, Any]]:
    """The answers to a batch, which is sent again with what DynamoDB left unprocessed, after longer and longer waits.

    Raises :class:`~hotelapp.dynamodb.connection.errors.Unavailable` after ten attempts.
    """
    for attempt in range(ATTEMPTS):
        answer: Mapping[str, Any] = patiently(partial(send, RequestItems=request))
        yield answer
        if not (request := answer.get(rest, {})):
            return
        time.sleep(FIRST_WAIT * 2**attempt)
    raise Unavailable(f"The database left items unprocessed, {ATTEMPTS} times in a row.", rest)


def _batches(values: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    return (values[start : start + size] for start in range(0, len(values), size))
