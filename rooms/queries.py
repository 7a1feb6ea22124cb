"""Reads, one function for each access pattern; docs/access-patterns.md shows the request that each one sends."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from hotelapp.dynamodb.connection import ledger
from hotelapp.dynamodb.connection.errors import BadCursor, NotFound, UnknownValue
from hotelapp.dynamodb.planning import range_planner
from hotelapp.dynamodb.planning.counts import drill_down
from hotelapp.dynamodb.planning.range_planner import FacetIndex, PlannedRange
from hotelapp.dynamodb.reading import pages
from hotelapp.dynamodb.reading.fetching import fetcher
from hotelapp.dynamodb.reading.items import find_item, get_item, get_items, read_partition
from hotelapp.dynamodb.reading.lists import Listing
from hotelapp.dynamodb.reading.pages import Page
from hotelapp.dynamodb.reading.ranges import Ranges
from hotelapp.dynamodb.schema.entities import build, listed
from hotelapp.dynamodb.schema.models import Values
from rooms import keys
from rooms.entities import FoundRoom, Room, RoomCounts, RoomQuery
from rooms.keys import RoomFacets
from rooms.models import RoomCountModel, RoomModel, RoomNumberModel

LIST = "rooms"


@dataclass(frozen=True)
class FilteredRooms:
    """A page of rooms, the counts that it was planned with, and for each choice of a filter its drill-down count."""

    page: Page[Room]
    counts: RoomCounts
    choices: Mapping[str, Mapping[str, int]]


def rooms(hotel_id: str, query: RoomQuery) -> FilteredRooms:
    """R1 to R4 and R6: one page of the rooms of a selection, in a sort, with the counts of every filter.

    Raises :class:`~hotelapp.dynamodb.connection.errors.UnknownValue` for a facet value that the hotel does not have,
    and :class:`~hotelapp.dynamodb.connection.errors.BadCursor` for a cursor of another query.
    """
    counts = _counts_for(hotel_id, query)
    cursor = pages.opened(query.cursor, LIST, selected(hotel_id, query), query.page_size)
    listing = rooms_in_ranges(hotel_id, query, counts, cursor.index if cursor else None)
    page = pages.read_page(listing, query.page_size, query.cursor)
    return FilteredRooms(page, counts, drill_down(counts.counts, keys.FACETS, query.selection))


def selected(hotel_id: str, query: RoomQuery) -> str:
    """The selection and the sort as text. Two lists are the same if their texts are."""
    return repr((hotel_id, query.selection.text, query.sort, query.then, query.descending))


def all_rooms(hotel_id: str, query: RoomQuery) -> Iterator[Room]:
    """Every room of a selection in its sort, read as it is consumed. Raises :class:`UnknownValue` at once."""
    return rooms_in_ranges(hotel_id, query, _counts_for(hotel_id, query)).stream()


def rooms_in_ranges(hotel_id: str, query: RoomQuery, counts: RoomCounts, walk: str | None = None) -> Ranges[Room]:
    """The list of a selection, planned with these counts. ``walk`` is the index of the reader's earlier pages.

    Raises :class:`~hotelapp.dynamodb.connection.errors.BadCursor` if that index does not serve the query.
    """
    plan = range_planner.plan(counts.counts, keys.FACETS, _indexes(query, walk), query.selection, (keys.ROOM,))
    index = plan.index.name
    return Ranges(
        name=LIST,
        selected=selected(hotel_id, query),
        ranges=plan.ranges,
        fetch=fetcher(
            RoomModel,
            keys.rooms(hotel_id),
            partial(build, Room, hotel_id=hotel_id),
            attributes=listed(Room),
            index=index,
        ),
        index=index,
        descending=query.descending,
        total=plan.total,
        keep=lambda row: query.selection.allows(keys.FACETS, keys.parse_room(row.position.sort_key, index).facets),
    )


def rooms_by_number(hotel_id: str, start: str) -> Listing[Room]:
    """R5: the rooms whose number begins with ``start``, in the order of their numbers."""
    fetch = fetcher(
        RoomNumberModel,
        keys.numbers(hotel_id),
        partial(build, Room, hotel_id=hotel_id),
        attributes=listed(Room),
    )
    return Ranges(
        name="rooms by number",
        selected=repr((hotel_id, start)),
        ranges=[PlannedRange(keys.numbers_from(start))],
        fetch=fetch,
    )


def rooms_anywhere(number: str, count: int, hotel_ids: Collection[str] | None = None) -> list[FoundRoom]:
    """R5 at all hotels: the first ``count`` rooms with this number, by hotel.

    One Query. With ``hotel_ids``, only rooms of these hotels, read by the keys of their guards: one BatchGetItem for
    fifty hotels.
    """
    with ledger.purpose("list"):
        if hotel_ids is None:
            names = listed(FoundRoom)
            fetch = fetcher(
                RoomNumberModel, keys.any_hotel(number), _found_room, attributes=names, index=keys.BY_NUMBER
            )
            return [row.value for row in fetch(keys.every_hotel(), None, True, count).rows]
        spelt = {number, number.lower(), number.upper()}
        guards = ((keys.numbers(hotel_id), keys.guard(text)) for hotel_id in hotel_ids for text in spelt)
        found = map(_found_room, get_items(RoomNumberModel, guards))
        return sorted(found, key=lambda room: (room.hotel_id, room.number))[:count]


def room(hotel_id: str, number: str, *, consistent: bool = False) -> Room:
    """R5: a room by its number. Raises :class:`NotFound`."""
    with ledger.purpose("list"):
        guard = find_item(RoomNumberModel, keys.numbers(hotel_id), keys.guard(number), consistent=consistent)
        return _stored_room(guard, hotel_id)


def has_room(hotel_id: str, number: str) -> bool:
    """Whether a hotel has a room of this number."""
    with ledger.purpose("hotel"):
        try:
            get_item(RoomNumberModel, keys.numbers(hotel_id), keys.guard(number))
        except NotFound:
            return False
    return True


def rooms_as_stored(wanted: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Room]:
    """R5 for many rooms: those that exist among pairs of hotel id and number, read a hundred at a time."""
    hotel_ids, guards = {}, []
    for hotel_id, number in wanted:
        hotel_ids[keys.numbers(hotel_id)] = hotel_id
        guards.append((keys.numbers(hotel_id), keys.guard(number)))
    stored = get_items(RoomNumberModel, guards)
    rooms = (_stored_room(guard, hotel_ids[guard["pk"]]) for guard in stored)
    return {(room.hotel_id, room.number): room for room in rooms}


def room_of(hotel_id: str, facets: RoomFacets) -> Room | None:
    """Any room of a combination; ``None`` if there is none."""
    fetch = fetcher(RoomModel, keys.rooms(hotel_id), partial(build, Room, hotel_id=hotel_id), attributes=listed(Room))
    rows = fetch(keys.rooms_of(facets), None, True, 1).rows
    return rows[0].value if rows else None


def room_counts(hotel_id: str) -> RoomCounts:
    """R6: the number of rooms of each combination of view, size and type; no counts for an unknown hotel."""
    counts, labels = {}, {}
    with ledger.purpose("counts"):
        for item in read_partition(RoomCountModel, keys.counts(hotel_id), ("sk", "rooms", keys.VIEW, keys.TYPE)):
            combination = keys.counted(item["sk"])
            counts[combination] = item["rooms"]
            for facet in item.keys() & {keys.VIEW, keys.TYPE}:
                labels[facet, getattr(combination, facet)] = item[facet]
    return RoomCounts(counts, labels)


def _found_room(guard: Values) -> FoundRoom:
    return build(FoundRoom, guard, hotel_id=keys.hotel_of_guard(guard["pk"]))


def _stored_room(guard: Values, hotel_id: str) -> Room:
    """A room from its number guard, with the key of its own item."""
    return build(Room, guard, hotel_id=hotel_id, room_key=guard.get("room_key", ""))


def _counts_for(hotel_id: str, query: RoomQuery) -> RoomCounts:
    counts = room_counts(hotel_id)
    for facet in keys.FACETS:
        existing = {getattr(combination, facet) for combination in counts.counts}
        for value in sorted(query.selection.values.get(facet, frozenset()) - existing):
            raise UnknownValue(facet, keys.plain_part(facet, value))
    return counts


def _indexes(query: RoomQuery, walk: str | None) -> list[FacetIndex]:
    """The indexes that give the sort. A walk continues in the same index, so that the order of its rows stays."""
    indexes = range_planner.candidates(keys.INDEXES, query.selection, query.sort_facets)
    if walk is not None:
        indexes = [index for index in indexes if index.name == walk]
    if not indexes:
        raise BadCursor("The cursor is from an older release. Start at the first page.")
    return indexes
