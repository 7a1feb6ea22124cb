"""The reads of the cost lab: a list of rooms as the portal reads it, and the whole list by a filter.

The latter shows what a plan saves. No list is read so.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial, reduce
from operator import and_
from typing import Any

from pynamodb.expressions.condition import Condition

from dynamodb_lists import Ledger, Query, between, ledger, read_page
from dynamodb_lists.reading.items import query as send
from dynamodb_lists.schema import entities
from portal.cost_panel import READ_DOLLARS
from portal.lists import DEFAULT_PAGE_SIZE
from rooms import keys
from rooms.entities import Room, RoomCounts
from rooms.lists import ROOMS
from rooms.queries import require_known, room_counts

MOST_REQUESTS = 4
"""The most requests of 1 MB that the filter may send."""
Rates = tuple[str, Decimal | None, Decimal | None] | None
"""A currency, and the lowest and the highest rate, if there are such limits."""
REQUEST_UNITS = 128
"""The units of an eventually consistent read of 1 MB, which is the most that a request reads."""


@dataclass(frozen=True)
class MeasuredWay:
    """A way to read a list, as it was measured.

    ``rooms`` is how many there are to read. The way ``stopped`` if it used up its requests before it had read them.
    """

    name: str
    words: str
    calls: Ledger
    milliseconds: float
    rows: int
    stopped: bool
    rooms: int

    @property
    def items_read(self) -> int:
        return sum(call.items_read for call in self.calls.calls)

    @property
    def units(self) -> float:
        return float(self.calls.read_units)

    @property
    def whole_units(self) -> float:
        """The units of all rooms, as an estimate if the way stopped."""
        return self.units * max(self.rooms / self.items_read, 1) if self.stopped else self.units

    @property
    def dollars(self) -> float:
        """The price of a million times the whole."""
        return self.whole_units * READ_DOLLARS


def ways(hotel_id: str, query: Query[Room], rates: Rates) -> Iterator[MeasuredWay]:
    """A page of a list as the portal reads it, and the whole list by a filter, each with its own ledger.

    The query has these ``rates``.

    Raises :class:`~dynamodb_lists.connection.errors.UnknownValue`.
    """
    words = "One page of 25, as the portal reads it."
    yield _timed("Key conditions", words, partial(_first_page, hotel_id, query))
    counts = room_counts(hotel_id)
    words = "Queries of the whole partition; DynamoDB drops what does not match."
    yield _timed(
        "FilterExpression",
        words,
        partial(_filtered, hotel_id, [*_conditions(query, rates, counts)]),
        counts.counts.total,
    )


def _timed(name: str, words: str, read: Callable[[], tuple[int, bool]], number: int = 0) -> MeasuredWay:
    """What a read of at most ``number`` rooms costs."""
    start = time.perf_counter()
    with ledger.recording() as calls, ledger.purpose("lab"):
        rows, stopped = read()
    return MeasuredWay(name, words, calls, 1000 * (time.perf_counter() - start), rows, stopped, number)


def _first_page(hotel_id: str, query: Query[Room]) -> tuple[int, bool]:
    counts = room_counts(hotel_id)
    require_known(query, counts)
    return len(read_page(query.listing(counts=counts.counted), DEFAULT_PAGE_SIZE).rows), False


def _filtered(hotel_id: str, conditions: Sequence[Condition]) -> tuple[int, bool]:
    """How many rooms Queries of the partition find with a FilterExpression, and whether some are not read."""
    table, partition = ROOMS.model.Meta.table_name, ROOMS.model.partition_of(hotel_id=hotel_id)
    keep, rows, start = reduce(and_, conditions) if conditions else None, 0, None
    asked: Any = {"keep": keep, "attributes": entities.listed(Room)}
    for _ in range(MOST_REQUESTS):
        answer = send(table, ROOMS.model.key_names(), {"S": partition}, ExclusiveStartKey=start, **asked)
        rows += answer["Count"]
        if (start := answer.get("LastEvaluatedKey")) is None:
            break
    return rows, start is not None


def _conditions(query: Query[Room], rates: Rates, counts: RoomCounts) -> Iterator[Condition]:
    """What an item must have. Those of facets are in words, as items have them."""
    at = ROOMS.model.attribute
    for facet, asked in query.asked.conditions.items():
        if isinstance(asked, frozenset):
            yield at(facet).is_in(*sorted(_plain(counts, facet, part) for part in asked))
        elif facet == keys.SIZE and isinstance(asked, between):
            yield at(facet).between(*(int(keys.plain_part(facet, end)) for end in (asked.low, asked.high)))
    currency, low, high = rates or ("", None, None)
    if currency:
        yield at("currency") == currency
    if low is not None:
        yield at(keys.RATE) >= low
    if high is not None:
        yield at(keys.RATE) <= high


def _plain(counts: RoomCounts, facet: str, part: str) -> Any:
    return int(keys.plain_part(facet, part)) if facet == keys.SIZE else counts.label(facet, part)
