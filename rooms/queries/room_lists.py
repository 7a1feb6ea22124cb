"""Lists of rooms, one function for each access pattern; docs/access-patterns.md shows the request of each one."""

from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import Any

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.errors import UnknownValue
from dynamodb_lists.declared.asked import ListQuery, Rule, Wanted, matches
from dynamodb_lists.planning.range_plan import PlannedRange
from dynamodb_lists.planning.request_cost import query_cost
from dynamodb_lists.planning.wording import source_name
from dynamodb_lists.reading.cursors import Position
from dynamodb_lists.reading.fetching import Ranges, in_parallel, whole_range
from dynamodb_lists.reading.listing import Candidate, Grounds, Listing, Row
from dynamodb_lists.reading.sorting import SortedRows
from dynamodb_lists.schema.keys import EVER, Days, on_days
from dynamodb_lists.schema.natural import Beginning, natural
from hotels import queries as hotels
from hotels.entities import ROOMS as TOTALS
from hotels.entities import Hotel
from hotels.queries.of_hotels import HotelByHotel
from portal.scopes import HotelScope
from rooms import keys
from rooms.entities import Room, RoomCounts, RoomQuery
from rooms.lists import ROOMS, rates
from rooms.queries.rooms import fetch_in, room_counts, rooms_as_stored
from rooms.statuses import ATTENTION, Housekeeping, Service

MOST_NUMBERED = 50
"""How many rooms whose number begins with a text are read at once, to sort them as people count."""
MOST_SORTED = 1000
"""The most rooms that need attention that are read to sort them by number. They are about 230 KB, 28 read units."""
ONLY_ORDER = "It is the cheapest way: the index has few rooms, and no order of numbers."
NEED_ATTENTION = RoomQuery(statuses=ATTENTION)
NEEDS_ATTENTION = attrgetter("needs_attention")


def rooms(hotel_id: str, query: RoomQuery, counts: RoomCounts, *, whole: bool = False) -> Listing[Room]:
    """R1 to R4 and R3b: the rooms of a selection, in a sort. ``counts`` are the hotel's.

    The list is read in the way that is the cheapest for a page, or for the ``whole`` list.

    Raises :class:`~dynamodb_lists.connection.errors.UnknownValue` for a facet value that the hotel does not have,
    and :class:`~dynamodb_lists.connection.errors.BadCursor` for a cursor of another query.
    """
    for facet in query.selection.values:
        existing = {each[keys.FACETS.index(facet)] for each in counts.counts}
        for value in sorted(query.selection.values[facet] - existing):
            raise UnknownValue(facet, keys.plain_part(facet, value))
    return ROOMS.reader.listing(list_query(hotel_id, query), counts.counted, whole=whole)


def unfiltered_rooms(hotel_id: str, query: RoomQuery) -> tuple[Hotel, RoomCounts, Listing[Room]]:
    """R1, R3, R3b without filters: a hotel, its counts and the list of its rooms, in one wave.

    Raises :class:`~dynamodb_lists.connection.errors.NotFound`, and
    :class:`~dynamodb_lists.connection.errors.BadCursor` for a cursor of another query.
    """
    asked = list_query(hotel_id, query)
    calls: list[Callable[[], Any]] = [partial(hotels.hotel, hotel_id), partial(ROOMS.reader.with_counts, asked)]
    hotel, (counts, ahead) = in_parallel(calls)
    return hotel, RoomCounts(counts), ROOMS.reader.listing(asked, counts, ahead)


def list_query(hotel_id: str, query: RoomQuery) -> ListQuery:
    """A query of rooms in the words of the toolkit."""
    ranges = {keys.RATE: rates(query.rates)} if query.rates else {}
    if query.number:
        ranges[keys.NUMBER] = Beginning.of(query.number)
    if query.since != EVER:
        ranges[keys.SINCE] = on_days(*query.since)
    rules = (status_rule(query.statuses),) if query.statuses else ()
    wanted = Wanted(query.selection, ranges, query.sorts, query.page_size + 1, rules=rules)
    return ListQuery((hotel_id,), wanted, query.descending, page_size=query.page_size, cursor=query.cursor)


def status_rule(statuses: AbstractSet[Service | Housekeeping]) -> Rule:
    """The rule of rooms with one of these statuses. A sparse list has those that need attention."""
    within = keys.NEEDING_ATTENTION if statuses <= ATTENTION else ""
    name = f"status in {sorted(statuses)}"
    return Rule(name, lambda room: not statuses.isdisjoint(room.statuses), within, NEEDS_ATTENTION)


def all_rooms(hotel_id: str, query: RoomQuery) -> Iterator[Room]:
    """Every room of a selection in its sort, read as it is consumed. Raises :class:`UnknownValue` at once."""
    return rooms(hotel_id, query, room_counts(hotel_id), whole=True).stream()


def rooms_by_number(hotel_id: str, start: str, count: int) -> list[Room]:
    """R5: the first ``count`` rooms whose number begins with a text, without filters and counts.

    One request, unless more than :data:`MOST_NUMBERED` begin with it. ``RoomQuery(number=start)`` lists all of them.
    """
    wanted = Beginning.of(start)
    with ledger.purpose("list"):
        if start:
            index, spans = ("", wanted.texts) if wanted.texts else (keys.BY_NUMBERS, wanted.spans)
            batch = fetch_in(hotel_id, index)(spans[0], None, True, MOST_NUMBERED)
            if not batch.stopped:
                found = (row.value for row in batch.rows if keys.begins(row.value.number, start))
                return sorted(found, key=lambda room: natural(room.number))[:count]
        ranges = Ranges(
            name="rooms by number",
            selected=repr((hotel_id, start)),
            ranges=[*map(PlannedRange, wanted.spans)],
            fetch=fetch_in(hotel_id, keys.BY_NUMBERS),
            keep=lambda room: keys.begins(room.number, start),
            grounds=Grounds(item_bytes=keys.ENTRY_BYTES),
        )
        return [row.value for row in ranges.take(count, None, backward=False)]


def rooms_needing_attention(hotel_id: str, query: RoomQuery = NEED_ATTENTION) -> Listing[Room]:
    """R7: a hotel's rooms with a status in :data:`statuses.ATTENTION`, by the time since when they have one of these.

    Those without a status of the query are dropped.
    """
    return _needing_attention(list_query(hotel_id, query))


def rooms_to_clean(hotel_id: str) -> Listing[Room]:
    """R7: the rooms that are dirty and in service, the longest first."""
    asked = list_query(hotel_id, RoomQuery())
    rule = Rule("to clean", attrgetter("to_clean"), keys.NEEDING_ATTENTION, NEEDS_ATTENTION)
    return _needing_attention(replace(asked, wanted=replace(asked.wanted, rules=(rule,))))


def _needing_attention(query: ListQuery) -> Listing[Room]:
    return ROOMS.reader.listing(replace(query, only=keys.NEEDING_ATTENTION, shown=(keys.SINCE,)), {})


def attention_of_hotels(
    scope: HotelScope,
    statuses: AbstractSet[Service | Housekeeping],
    since: Callable[[str], Days] = lambda _: EVER,
    *,
    descending: bool = False,
) -> Listing[Room]:
    """R8: the rooms of several hotels that need attention, hotel by hotel, of each as R7 ``since`` some of its days."""
    query = RoomQuery(statuses=frozenset(statuses), descending=descending)
    return HotelByHotel(
        name="rooms that need attention by hotel",
        selected=f"{sorted(statuses)} {since('')} {descending} of {scope}",
        index=keys.NEEDING_ATTENTION,
        descending=descending,
        scope=scope,
        of=lambda hotel_id: rooms_needing_attention(hotel_id, replace(query, since=since(hotel_id))),
        has_rows=(TOTALS, lambda numbers: any(numbers.get(status, 0) > 0 for status in statuses)),
    )


def rooms_by_status(hotel_id: str, query: RoomQuery, *, whole: bool = False) -> Listing[Room]:
    """R7 by number: a hotel's rooms with one of the statuses of a query, in the natural order of their numbers.

    Rooms that need attention are read in one request, and sorted in memory. If they are too many, or if others are
    wanted, the list is planned as any other by number.

    Raises :class:`~dynamodb_lists.connection.errors.BadCursor` for a cursor of another query.
    """
    if query.statuses <= ATTENTION and (listing := _attention_by_number(hotel_id, query)):
        return listing
    return rooms(hotel_id, query, room_counts(hotel_id), whole=whole)


def _attention_by_number(hotel_id: str, query: RoomQuery) -> Listing[Room] | None:
    """The rooms that need attention, sorted in memory; ``None`` if they are too many."""
    fetch = fetch_in(hotel_id, keys.NEEDING_ATTENTION, [keys.SINCE])
    with ledger.purpose("list"):
        span = on_days(*query.since)
        batch = fetch(span, None, True, MOST_SORTED)
        if batch.stopped and query.since == EVER:
            return None
        read = [*whole_range(fetch, span)] if batch.stopped else [room for _, room in batch.rows]
    wanted = list_query(hotel_id, query).wanted
    rows = [Row(Position(natural(room.number), ()), room) for room in read if matches(ROOMS.declaration, wanted, room)]
    cost = query_cost([len(read)], keys.ENTRY_BYTES)
    words = f"Reads all {len(read):,} rooms that need attention, and sorts those that match by number."
    name, again = source_name(keys.NEEDING_ATTENTION), partial(_attention_by_number, hotel_id, query)
    way = Candidate(name, words, cost, again, True, ONLY_ORDER)
    return SortedRows(
        name="rooms by status",
        selected=repr((hotel_id, sorted(query.statuses), query.since, query.descending)),
        descending=query.descending,
        index=keys.NEEDING_ATTENTION,
        rows=sorted(rows),
        total=len(rows),
        grounds=Grounds(candidates=lambda _: [way]),
    )


def rooms_numbered(hotel_id: str, numbers: Iterable[str]) -> list[Room]:
    """The rooms of a hotel with these numbers, as they were a moment ago, in the order of their numbers."""
    with ledger.purpose("list"):
        found = rooms_as_stored(((hotel_id, number) for number in numbers), consistent=False)
        return sorted(found.values(), key=lambda room: natural(room.number))
