"""Lists of rooms that the counts plan: filtered and sorted by facets, so that each is a few ranges of one index."""

from hotelapp.dynamodb.connection.errors import BadCursor
from hotelapp.dynamodb.planning import range_planner
from hotelapp.dynamodb.planning.range_planner import FacetIndex, Plan
from hotelapp.dynamodb.reading.ranges import Ranges
from rooms import keys
from rooms.entities import Room, RoomCounts, RoomQuery
from rooms.queries.rooms import room_fetcher

LIST = "rooms"


def selected(hotel_id: str, query: RoomQuery) -> str:
    """The selection and the sort as text. Two lists are the same if their texts are."""
    filters = (query.selection.text, query.rates, sorted(query.statuses))
    return repr((hotel_id, *filters, query.sort, query.then, query.descending))


def planned(query: RoomQuery, counts: RoomCounts, walk: str | None = None) -> Plan:
    """The ranges of a selection, in an index that gives the sort. ``walk`` is the index of the reader's earlier pages.

    Raises :class:`~hotelapp.dynamodb.connection.errors.BadCursor` if that index does not serve the query.
    """
    return range_planner.plan(counts.counts, keys.FACETS, _indexes(query, walk), query.selection, (keys.ROOM,))


def rooms_in_ranges(hotel_id: str, query: RoomQuery, counts: RoomCounts, walk: str | None = None) -> Ranges[Room]:
    """R1 to R4: the list of a selection, planned with these counts. Raises as :func:`planned`."""
    plan = planned(query, counts, walk)
    return Ranges(
        name=LIST,
        selected=selected(hotel_id, query),
        ranges=plan.ranges,
        fetch=room_fetcher(hotel_id, plan.index.name),
        index=plan.index.name,
        descending=query.descending,
        total=plan.total,
        keep=lambda row: query.matches(row.value),
    )


def _indexes(query: RoomQuery, walk: str | None) -> list[FacetIndex]:
    """The indexes that give the sort. A walk continues in the same index, so that the order of its rows stays.

    Rooms that are sorted in memory need no order, so they are read from an index, whose entries are smaller than items.
    """
    every = [index for index in keys.INDEXES if index.name] if query.by_rate else keys.INDEXES
    indexes = range_planner.candidates(every, query.selection, query.sort_facets)
    if walk is not None:
        indexes = [index for index in indexes if index.name == walk]
    if not indexes:
        raise BadCursor("The cursor is from an older release. Start at the first page.")
    return indexes
