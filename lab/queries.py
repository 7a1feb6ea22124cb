"""A list read in four ways, one after the other, each with its own ledger. The requests of each way are bounded."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.errors import Refused
from dynamodb_lists.reading.listing import Listing
from dynamodb_lists.reading.pages import read_page
from dynamodb_lists.schema.tables import size_of
from lab.entities import MeasuredWay
from lab.measured import MeasuredList
from lab.unplanned import Found
from portal.lists import DEFAULT_PAGE_SIZE


def ways(measured: MeasuredList, hotel_id: str, query: Any, requests: int) -> Iterator[MeasuredWay]:
    """A page of a list as the portal reads it, and the whole list by a filter, in memory and by a Scan.

    Each of the last three sends so many requests at most. Raises
    :class:`~dynamodb_lists.connection.errors.UnknownValue`.
    """
    words = "One page of 25, as the portal reads it."
    yield _timed("Key conditions", words, lambda: _first_page(measured.planned(hotel_id, query)))
    other = measured.unplanned(hotel_id, query)
    words = "Queries of the whole partition; DynamoDB drops what does not match."
    yield _timed("FilterExpression", words, partial(other.filtered, requests), other.items)
    words = "The same Queries; Python selects and sorts."
    yield _timed("In memory", words, partial(other.whole, requests), other.items)
    table = size_of(other.model.Meta.table_name)
    words = "The whole table, with the selection as a filter."
    yield _timed("Scan", words, partial(other.scanned, requests), table)


def _first_page(listing: Listing[Any]) -> Found[Any]:
    return read_page(listing, DEFAULT_PAGE_SIZE).rows, False


def _timed(name: str, words: str, read: Callable[[], Found[Any]], items: int | None = None) -> MeasuredWay:
    """What a read costs; ``items`` is how many items there are, if that is known.

    The role of a portal in production may not scan: then there are no rows.
    """
    rows, stopped, start = None, False, time.perf_counter()
    with ledger.recording() as calls, ledger.purpose("lab"):
        try:
            found, stopped = read()
            rows = len(found)
        except Refused as error:
            words = f"{words} {error.hint}"
    return MeasuredWay(name, words, calls, 1000 * (time.perf_counter() - start), rows, stopped, items)
