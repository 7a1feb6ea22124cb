"""R3b: lists of rooms by rate, and lists that are filtered by rate or by status. The counts know neither.

:mod:`hotelapp.dynamodb.planning.walk_planner` decides how a page is read. docs/planner.md explains it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from hotelapp.dynamodb.planning import walk_planner
from hotelapp.dynamodb.planning.range_planner import Plan, PlannedRange
from hotelapp.dynamodb.planning.request_cost import OVERRUN
from hotelapp.dynamodb.planning.walk_planner import UNKNOWN_DENSITY, sorts_in_memory, walk_items
from hotelapp.dynamodb.reading.cursors import Position
from hotelapp.dynamodb.reading.fetching import in_parallel
from hotelapp.dynamodb.reading.lists import Listing, Row
from hotelapp.dynamodb.reading.ranges import LARGEST, Ranges
from hotelapp.dynamodb.reading.sorting import sorted_rows
from hotelapp.dynamodb.schema.keys import KeyRange
from rooms import keys
from rooms.entities import Room, RoomCounts, RoomQuery
from rooms.queries.rooms import room_fetcher
from rooms.statuses import ATTENTION


@dataclass(frozen=True)
class Source:
    """A range of an index that holds every room of the list, and others. Nothing counts its rooms."""

    index: str
    span: KeyRange


class RateOrStatusList:
    """A hotel's list of rooms by rate, or with a filter by rate or status, and the ways to read it.

    ``listing`` is the list of the rooms that the facets allow, read from the ranges of ``plan``.
    """

    def __init__(self, hotel_id: str, query: RoomQuery, counts: RoomCounts, plan: Plan, listing: Ranges[Room]) -> None:
        self.hotel_id = hotel_id
        self.query = query
        self.plan = plan
        self.listing = listing
        self.items = sum(count for count in counts.counts.values() if count > 0)
        """The number of the hotel's rooms."""
        self.rows = query.page_size + 1
        self.index = keys.BY_RATE if query.by_rate else plan.index.name
        """The index whose order the list has."""

    def cheapest(self) -> Listing[Room]:
        """The list, read in the way that costs the least for a page."""
        limit = walk_planner.look(self.items, self.rows)
        if self.plan.total > limit:
            for source in self.sources():
                if (rows := self.look(source, limit)) is not None:
                    return self.in_memory(rows)
        if self.query.by_rate and sorts_in_memory(self.plan, self.items, self.rows):
            return self.in_memory(self.facet_rooms())
        return self.walk()

    def sources(self) -> Iterator[Source]:
        """Ranges that may be small enough to read whole."""
        if self.query.statuses and self.query.statuses <= ATTENTION:
            yield Source(keys.NEEDING_ATTENTION, keys.all_attention())
        if self.query.rates and not self.query.by_rate:
            yield self.rate_range()

    def rate_range(self) -> Source:
        """The rooms of the selected rates; all rooms if the list has none."""
        rates = self.query.rates
        span = keys.rates(rates.currency, rates.low, rates.high) if rates else keys.all_rates()
        return Source(keys.BY_RATE, span)

    def look(self, source: Source, limit: int) -> list[Room] | None:
        """The rooms of a source; ``None`` if there are more than ``limit`` items.

        If few of the first items match, a walk would be long. Then more of the source are read instead.
        """
        fetch = room_fetcher(self.hotel_id, source.index)
        batch = fetch(source.span, None, True, limit)
        rooms = [row.value for row in batch.rows]
        if batch.stopped:
            matching = sum(map(self.query.matches, rooms))
            more = walk_planner.second_look(matching, self.items, self.rows)
            if not more:
                return None
            batch = fetch(source.span, batch.stopped, True, more)
            rooms += [row.value for row in batch.rows]
        return None if batch.stopped else rooms

    def whole(self, source: Source) -> list[Room]:
        """Every room of a source."""
        return _whole(self.hotel_id, source.index, source.span, LARGEST)

    def facet_rooms(self) -> list[Room]:
        """Every room that the facets allow: all ranges of the plan at the same time."""
        read = partial(_whole, self.hotel_id, self.plan.index.name)
        parts = in_parallel(
            [partial(read, planned.keys, planned.wanted + planned.drops) for planned in self.plan.ranges]
        )
        return [room for part in parts for room in part]

    def in_memory(self, rooms: Iterable[Room]) -> Listing[Room]:
        """The list of those rooms that match, sorted in memory."""
        rows = (Row(_position(room, self.index), room) for room in rooms if self.query.matches(room))
        facets = self.listing
        return sorted_rows(facets.name, facets.selected, self.index, facets.descending, rows, cursor=facets.cursor)

    def walk(self) -> Listing[Room]:
        """The list, read from the index that has its order."""
        if not self.query.by_rate:
            limit, source = walk_planner.look(self.items, self.rows), next(self.sources(), None)
            otherwise = partial(self.whole, source) if source else None
            return self.walked(self.plan.ranges, UNKNOWN_DENSITY, limit, otherwise)
        expected = walk_items(self.plan.total, self.items, self.rows)
        density = self.plan.total / self.items if self.plan.total else 1
        density *= UNKNOWN_DENSITY if self.query.statuses else 1
        return self.walked([PlannedRange(self.rate_range().span)], density, expected, self.facet_rooms)

    def walked(
        self,
        ranges: Sequence[PlannedRange],
        density: float,
        expected: int,
        otherwise: Callable[[], list[Room]] | None,
    ) -> Listing[Room]:
        """The list, read from ranges of the index that has its order; or sorted in memory, if that drops too much."""
        return replace(
            self.listing,
            index=self.index,
            total=self.plan.total if self.query.counted else None,
            ranges=ranges,
            fetch=room_fetcher(self.hotel_id, self.index),
            density=density,
            budget=OVERRUN * expected,
            otherwise=(lambda: self.in_memory(otherwise())) if otherwise and density < 1 else None,
        )


def _whole(hotel_id: str, index: str, span: KeyRange, expected: int) -> list[Room]:
    """Every room of a range of an index. The request asks for a few more than expected, so that it reaches the end."""
    fetch, rooms, after = room_fetcher(hotel_id, index), list[Room](), None
    while True:
        batch = fetch(span, after, True, expected + walk_planner.SPARE_ITEMS)
        rooms += [row.value for row in batch.rows]
        if (after := batch.stopped) is None:
            return rooms


def _position(room: Room, index: str) -> Position:
    """The position of a room in an index."""
    if index == keys.BY_RATE:
        return Position(keys.rate(room.currency, room.rate, room.number), (room.stored_key,))
    sort_key = keys.room(room.counted_facets, room.number, index)
    return Position(sort_key, (room.stored_key,) if index else ())
