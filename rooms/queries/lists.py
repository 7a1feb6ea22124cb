"""Lists of rooms, one function for each access pattern; docs/access-patterns.md shows the request of each one."""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import partial

from hotelapp.dynamodb.connection import ledger
from hotelapp.dynamodb.connection.errors import UnknownValue
from hotelapp.dynamodb.planning.counts import drill_down
from hotelapp.dynamodb.planning.range_planner import PlannedRange
from hotelapp.dynamodb.planning.request_cost import items_paid
from hotelapp.dynamodb.reading import pages
from hotelapp.dynamodb.reading.fetching import fetcher
from hotelapp.dynamodb.reading.items import get_items
from hotelapp.dynamodb.reading.lists import Listing
from hotelapp.dynamodb.reading.pages import Page
from hotelapp.dynamodb.reading.ranges import Ranges
from hotelapp.dynamodb.schema.entities import build, listed
from hotelapp.dynamodb.schema.keys import KeyRange
from rooms import keys
from rooms.entities import Room, RoomCounts, RoomQuery
from rooms.models import RoomNumberModel
from rooms.queries.ranges import LIST, rooms_in_ranges, selected
from rooms.queries.rates import all_rooms_by_rate_or_status, rooms_by_rate_or_status
from rooms.queries.rooms import room_counts

GUARD_BYTES = 400
"""About how many bytes a room's number guard has."""


@dataclass(frozen=True)
class FilteredRooms:
    """A page of rooms, the counts that it was planned with, and for each choice of a filter its drill-down count."""

    page: Page[Room]
    counts: RoomCounts
    choices: Mapping[str, Mapping[str, int]]


def rooms(hotel_id: str, query: RoomQuery) -> FilteredRooms:
    """R1 to R4, R3b and R6: one page of the rooms of a selection, in a sort, with the counts of every filter.

    Raises :class:`~hotelapp.dynamodb.connection.errors.UnknownValue` for a facet value that the hotel does not have,
    and :class:`~hotelapp.dynamodb.connection.errors.BadCursor` for a cursor of another query.
    """
    counts = _counts_for(hotel_id, query)
    cursor = pages.opened(query.cursor, LIST, selected(hotel_id, query), query.page_size)
    walk = cursor.index if cursor else None
    read = rooms_in_ranges if query.counted and not query.by_rate else rooms_by_rate_or_status
    with ledger.purpose("list"):
        listing = read(hotel_id, query, counts, walk)
    page = pages.read_page(listing, query.page_size, query.cursor)
    return FilteredRooms(page, counts, drill_down(counts.counts, keys.FACETS, query.selection))


def all_rooms(hotel_id: str, query: RoomQuery) -> Iterator[Room]:
    """Every room of a selection in its sort, read as it is consumed. Raises :class:`UnknownValue` at once."""
    counts = _counts_for(hotel_id, query)
    read = rooms_in_ranges if query.counted and not query.by_rate else all_rooms_by_rate_or_status
    return read(hotel_id, query, counts).stream()


def rooms_by_number(hotel_id: str, start: str) -> Listing[Room]:
    """R5: the rooms whose number begins with ``start``, in the order of their numbers."""
    return _numbered(hotel_id, keys.numbers_from(start), start)


def rooms_numbered(hotel_id: str, numbers: AbstractSet[str], room_count: int) -> list[Room]:
    """The rooms of a hotel with these numbers, as they were a moment ago, in the order of their numbers.

    A key of a BatchGetItem is charged as much as a whole page of a Query. So if there are many among the hotel's
    ``room_count`` rooms, one Query reads all that is between the first and the last number.
    """
    if not numbers:
        return []
    with ledger.purpose("list"):
        if len(numbers) * items_paid(GUARD_BYTES) < room_count:
            guards = [(keys.numbers(hotel_id), keys.guard(number)) for number in numbers]
            found = [
                build(Room, guard, hotel_id=hotel_id) for guard in get_items(RoomNumberModel, guards, consistent=False)
            ]
            return sorted(found, key=lambda room: room.number)
        between = KeyRange(keys.guard(min(numbers)), keys.guard(max(numbers)))
        return [room for room in _numbered(hotel_id, between).stream() if room.number in numbers]


def _numbered(hotel_id: str, span: KeyRange, start: str = "") -> Listing[Room]:
    attributes, make = listed(Room), partial(build, Room, hotel_id=hotel_id)
    return Ranges(
        name="rooms by number",
        selected=repr((hotel_id, start)),
        ranges=[PlannedRange(span)],
        fetch=fetcher(RoomNumberModel, keys.numbers(hotel_id), make, attributes=attributes),
    )


def _counts_for(hotel_id: str, query: RoomQuery) -> RoomCounts:
    counts = room_counts(hotel_id)
    for facet in keys.FACETS:
        existing = {getattr(combination, facet) for combination in counts.counts}
        for value in sorted(query.selection.values.get(facet, frozenset()) - existing):
            raise UnknownValue(facet, keys.plain_part(facet, value))
    return counts
