"""The reads of the cost lab: a list of rooms as the portal reads it, and the whole list by a filter, which no page
does.
"""

from collections.abc import Iterator
from decimal import Decimal
from functools import reduce
from operator import and_
from typing import Any, NamedTuple

from pynamodb.expressions.condition import Condition

from dynamodb_lists import Query, between, ledger, read_page
from dynamodb_lists.reading.items import query as send
from dynamodb_lists.schema import entities
from portal.cost_panel import LIST, READ_DOLLARS, PageCost, summary
from portal.lists import DEFAULT_PAGE_SIZE
from rooms import keys
from rooms.entities import Room, RoomCounts, plain_part
from rooms.lists import ROOMS
from rooms.queries import require_known, room_counts

MOST_REQUESTS = 4
"""The most requests of 1 MB that the filter may send."""
Rates = tuple[str, Decimal | None, Decimal | None] | None
"""A currency, and the lowest and the highest rate, if there are such limits."""
REQUEST_UNITS = 128
"""The units of an eventually consistent read of 1 MB, which is the most that a request reads."""


class MeasuredWay(NamedTuple):
    """A way to read a list, and its cost. It ``stopped`` if it used up its requests before it had read all
    ``rooms``.
    """

    name: str
    words: str
    cost: PageCost
    stopped: bool = False
    rooms: int = 0

    @property
    def whole_units(self) -> float:
        """The units of all rooms, as an estimate if the way stopped."""
        units = float(self.cost.page.read_units)
        return units * max(self.rooms / self.cost.items_read, 1) if self.stopped else units

    @property
    def dollars(self) -> float:
        """The price of a million such reads of the whole list."""
        return self.whole_units * READ_DOLLARS


def ways(hotel_id: str, query: Query[Room], rates: Rates) -> Iterator[MeasuredWay]:
    """Yield a page of a list as the portal reads it, and the whole list by a filter. The query has these ``rates``.

    Raises :class:`~dynamodb_lists.connection.errors.UnknownValue`.
    """
    with ledger.recording() as calls:
        counts = room_counts(hotel_id)
        require_known(query, counts)
        page = read_page(query.listing(counts=counts.counted), DEFAULT_PAGE_SIZE)
    words = f"One page of {DEFAULT_PAGE_SIZE}, as the portal reads it."
    yield MeasuredWay("Key conditions", words, summary(calls, len(page.rows)))
    table, partition = ROOMS.model.Meta.table_name, {"S": ROOMS.model.partition_of(hotel_id=hotel_id)}
    conditions, found, start = [*_conditions(query, rates, counts)], 0, None
    asked: Any = {"keep": reduce(and_, conditions) if conditions else None, "attributes": entities.listed(Room)}
    with ledger.recording() as calls, ledger.purpose(LIST):
        for _ in range(MOST_REQUESTS):
            answer = send(table, ROOMS.model.key_names(), partition, ExclusiveStartKey=start, **asked)
            found += answer["Count"]
            if (start := answer.get("LastEvaluatedKey")) is None:
                break
    words = "Queries of the whole partition; DynamoDB drops what does not match."
    yield MeasuredWay("FilterExpression", words, summary(calls, found), start is not None, counts.counts.total)


def _conditions(query: Query[Room], rates: Rates, counts: RoomCounts) -> Iterator[Condition]:
    """Yield the conditions on an item. Those on facets have labels, as items do."""
    at = ROOMS.model.attribute
    for facet, asked in query.asked.conditions.items():
        if isinstance(asked, frozenset):
            parts = sorted(asked)
            if facet == keys.SIZE:
                yield at(facet).is_in(*(int(plain_part(facet, part)) for part in parts))
            else:
                yield at(facet).is_in(*sorted(counts.label(facet, part) for part in parts))
        elif facet == keys.SIZE and isinstance(asked, between):
            yield at(facet).between(*(int(plain_part(facet, end)) for end in (asked.low, asked.high)))
    currency, low, high = rates or ("", None, None)
    if currency:
        yield at("currency") == currency
    if low is not None:
        yield at(keys.RATE) >= low
    if high is not None:
        yield at(keys.RATE) <= high
