"""The reads of the cost lab: a list of rooms as the portal reads it, and three times without a plan.

The latter show what a plan saves. No list is read so. Each sends a number of requests at most; a request reads at most
1 MB.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from math import ceil
from operator import and_, attrgetter
from typing import Any

from pynamodb.expressions.condition import Condition

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.answers import Answer
from dynamodb_lists.connection.errors import Refused
from dynamodb_lists.connection.ledger import Ledger
from dynamodb_lists.declared.asked import matches
from dynamodb_lists.planning.request_cost import MINIMUM_BYTES, READ_DOLLARS
from dynamodb_lists.reading import items
from dynamodb_lists.reading.pages import read_page
from dynamodb_lists.schema.entities import listed
from dynamodb_lists.schema.tables import size_of
from portal.lists import DEFAULT_PAGE_SIZE
from rooms import keys
from rooms.entities import Room, RoomCounts, RoomQuery
from rooms.models import RoomModel
from rooms.queries.room_lists import list_query, rooms
from rooms.queries.rooms import hotel_and_counts, room_counts
from rooms.room_list import ROOMS

MEGABYTE, GIGABYTE = 2**20, 2**30
PAGE_UNITS, SCAN_UNITS = (size // MINIMUM_BYTES // 2 for size in (MEGABYTE, GIGABYTE))
"""The units of an eventually consistent read of 1 MB, which is the most that a request reads; and of 1 GB."""


@dataclass(frozen=True)
class MeasuredWay:
    """A way to read a list, as it was measured. ``rows`` is ``None`` if DynamoDB refused it.

    If it ``stopped`` after as many requests as it was allowed, ``items`` is how many items there are, if that is known.
    """

    name: str
    words: str
    calls: Ledger
    milliseconds: float
    rows: int | None
    stopped: bool
    items: int | None

    @property
    def items_read(self) -> int:
        return sum(call.items_read for call in self.calls.calls)

    @property
    def items_returned(self) -> int:
        return sum(call.items_returned for call in self.calls.calls)

    @property
    def units(self) -> float:
        return float(self.calls.read_units)

    @property
    def whole_units(self) -> float:
        """The units of all items."""
        return self.units * self._times

    @property
    def whole_requests(self) -> int:
        """The requests for all items."""
        return ceil(self.calls.requests * self._times)

    @property
    def dollars(self) -> float:
        """The price of a million times the whole."""
        return self.whole_units * READ_DOLLARS

    @property
    def _times(self) -> float:
        """How many times what was read the whole is, as an estimate."""
        return max((self.items or 0) / (self.items_read or 1), 1) if self.stopped else 1


Found = tuple[Sequence[Room], bool]
"""The rows of a selection, sorted; and whether items are left because the requests were used up."""


def ways(hotel_id: str, query: RoomQuery, requests: int) -> Iterator[MeasuredWay]:
    """A page of a list as the portal reads it, and the whole list by a filter, in memory and by a Scan.

    Each of the last three sends so many requests at most. They follow each other, each with its own ledger. Raises
    :class:`~dynamodb_lists.connection.errors.UnknownValue`.
    """
    words = "One page of 25, as the portal reads it."
    yield _timed("Key conditions", words, partial(_first_page, hotel_id, query))
    other = Unplanned(hotel_id, query, counts := room_counts(hotel_id))
    words = "Queries of the whole partition; DynamoDB drops what does not match."
    yield _timed("FilterExpression", words, partial(other.filtered, requests), counts.counts.total)
    words = "The same Queries; Python selects and sorts."
    yield _timed("In memory", words, partial(other.whole, requests), counts.counts.total)
    words = "The whole table, with the selection as a filter."
    yield _timed("Scan", words, partial(other.scanned, requests), size_of(RoomModel.Meta.table_name))


def _first_page(hotel_id: str, query: RoomQuery) -> Found:
    return read_page(rooms(hotel_id, query, hotel_and_counts(hotel_id)[1]), DEFAULT_PAGE_SIZE).rows, False


def _timed(name: str, words: str, read: Callable[[], Found], number: int | None = None) -> MeasuredWay:
    """What a read costs; ``number`` is how many items there are, if that is known.

    The role of a portal in production may not scan: then there are no rows.
    """
    rows, stopped, start = None, False, time.perf_counter()
    with ledger.recording() as calls, ledger.purpose("lab"):
        try:
            found, stopped = read()
            rows = len(found)
        except Refused as error:
            words = f"{words} {error.hint}"
    return MeasuredWay(name, words, calls, 1000 * (time.perf_counter() - start), rows, stopped, number)


@dataclass(frozen=True)
class Unplanned:
    """A list of rooms as a reader without the planner sees it: the partition of the hotel's rooms, and a selection."""

    hotel_id: str
    query: RoomQuery
    counts: RoomCounts

    def filtered(self, requests: int) -> Found:
        """The list from Queries of the partition with the selection as a FilterExpression."""
        return self._all(requests, partial(items.query, RoomModel, self._partition, keep=self._keep()))

    def whole(self, requests: int) -> Found:
        """The list from Queries of the partition. The selection is made in Python."""
        found, stopped = self._all(requests, partial(items.query, RoomModel, self._partition))
        wanted = list_query(self.hotel_id, self.query).wanted
        return [room for room in found if matches(ROOMS, wanted, room)], stopped

    def scanned(self, requests: int) -> Found:
        """The list from a Scan of the table with a filter for the partition and the selection."""
        mine = RoomModel.attribute("pk") == self._partition
        return self._all(requests, partial(items.scan_page, RoomModel, keep=self._keep(mine)))

    @property
    def _partition(self) -> str:
        return RoomModel.partition_of(hotel_id=self.hotel_id)

    def _conditions(self) -> Iterator[Condition]:
        """What an item must have. Those of facets are in words, as items have them."""
        selection, rates, at = self.query.selection, self.query.rates, RoomModel.attribute
        for facet, parts in selection.values.items():
            yield at(facet).is_in(*sorted(self._plain(facet, part) for part in parts))
        for facet, ends in selection.bounds.items():
            yield at(facet).between(*map(keys.square_metres, ends))
        if rates:
            yield at("currency") == rates.currency
        if rates and rates.low is not None:
            yield at(keys.RATE) >= rates.low
        if rates and rates.high is not None:
            yield at(keys.RATE) <= rates.high

    def _plain(self, facet: str, part: str) -> Any:
        return keys.square_metres(part) if facet == keys.SIZE else self.counts.label(facet, part)

    def _keep(self, *others: Condition) -> Condition | None:
        conditions = [*others, *self._conditions()]
        return reduce(and_, conditions) if conditions else None

    def _all(self, requests: int, ask: Callable[..., Answer]) -> Found:
        found, start = list[Room](), None
        for _ in range(requests):
            answer = ask(attributes=[*listed(Room), "pk", "sk"], start=start)
            found += [RoomModel.built(RoomModel.decoded(item), hotel_id=self.hotel_id) for item in answer["Items"]]
            if (start := answer.get("LastEvaluatedKey")) is None:
                break
        names = dict.fromkeys(filter(None, [self.query.sort, self.query.then, keys.NUMBER]))
        return sorted(found, key=attrgetter(*names), reverse=self.query.descending), start is not None
