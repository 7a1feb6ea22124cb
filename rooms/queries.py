"""Reads, one function for each access pattern; docs/access-patterns.md shows the request that each one sends."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from django.core.cache import cache

from hotelapp.dynamodb import counts as facet_counts
from hotelapp.dynamodb import facets, ledger, pages
from hotelapp.dynamodb.errors import NotFound, UnknownValue, translated
from hotelapp.dynamodb.facets import FacetIndex, PlannedRange
from hotelapp.dynamodb.models import RawItem
from hotelapp.dynamodb.pages import Page
from hotelapp.dynamodb.ranges import Ranges
from hotelapp.dynamodb.reading import Listing
from hotelapp.dynamodb.reads import fetcher, get_item, read_partition
from rooms import keys, models
from rooms.values import Hotel, Room, RoomCounts, RoomQuery

HOTEL_CACHE_SECONDS = 60
HOTEL_ATTRIBUTES = ("hotel_id", "name", "city", "rooms")
ROOM_ATTRIBUTES = ("number", "view", "size", "type", "rate", "currency")
NUMBER_ATTRIBUTES = (*ROOM_ATTRIBUTES, "revision")


@dataclass(frozen=True)
class RoomsPage:
    """A page of rooms and what it was planned with: the counts, and for each filter's choice its drill-down count."""

    page: Page[Room]
    counts: RoomCounts
    choices: Mapping[str, Mapping[str, int]]


# --- Hotels ---------------------------------------------------------------------------------------------


def hotels() -> Listing[Hotel]:
    """All hotels, in the order of their ids."""
    fetch = fetcher(models.Hotel, keys.HOTELS, _hotel, attributes=HOTEL_ATTRIBUTES)
    return Ranges(query="hotels", ranges=[PlannedRange(keys.all_hotels(), ())], fetch=fetch)


def first_hotels(count: int) -> list[Hotel]:
    """The first hotels of :func:`hotels`, at most ``count``; no more are read."""
    rows, _ = hotels().take(count, None, backward=False)
    return [hotel for _, hotel in rows]


def hotel(hotel_id: str) -> Hotel:
    """A hotel by its id. Raises :class:`NotFound`.

    Names change so rarely that a process remembers them for a minute; ``rooms`` may be that old, too.
    """
    if not keys.is_hotel_id(hotel_id):
        raise NotFound("That is no hotel's id.")
    remembered: Hotel | None = cache.get(f"hotel:{hotel_id}")
    if remembered is None:
        with ledger.purpose("hotel"):
            remembered = _hotel(get_item(models.Hotel, keys.HOTELS, keys.hotel(hotel_id)))
        cache.set(f"hotel:{hotel_id}", remembered, HOTEL_CACHE_SECONDS)
    return remembered


def hotel_name(hotel_id: str) -> str:
    """A hotel's name; its id where there is no such hotel."""
    try:
        return hotel(hotel_id).name
    except NotFound:
        return hotel_id


def forget_hotel(hotel_id: str) -> None:
    """Drop what this process remembers of a hotel."""
    cache.delete(f"hotel:{hotel_id}")


# --- Rooms ----------------------------------------------------------------------------------------------


def rooms(hotel_id: str, query: RoomQuery) -> RoomsPage:
    """R1 to R4 and R6: one page of the rooms of a selection, in a sort, with the counts of every filter.

    Raises :class:`~hotelapp.dynamodb.errors.UnknownValue` for a facet value that the hotel does not have, and
    :class:`~hotelapp.dynamodb.errors.BadCursor` for a cursor that was not made for this query.
    """
    known = _counts_for(hotel_id, query)
    cursor = pages.opened(query.cursor, described(hotel_id, query), query.page_size)
    listing = _rooms(hotel_id, query, known, cursor.index if cursor else None)
    page = pages.read_page(listing, query.page_size, query.cursor)
    return RoomsPage(page, known, facet_counts.drill_down(known.counts, keys.FACETS, query.selection))


def described(hotel_id: str, query: RoomQuery) -> str:
    """What makes one room list different from another."""
    return repr((hotel_id, query.selection.text, query.sort, query.then, query.descending))


def all_rooms(hotel_id: str, query: RoomQuery) -> Iterator[Room]:
    """Every room of a selection in its sort, read as it is consumed. Raises :class:`UnknownValue` at once."""
    return _rooms(hotel_id, query, _counts_for(hotel_id, query)).stream()


def rooms_by_number(hotel_id: str, start: str) -> Listing[Room]:
    """R5: the rooms whose number begins with ``start``, in the order of their numbers."""
    fetch = fetcher(models.RoomNumber, keys.numbers(hotel_id), partial(_room, hotel_id), attributes=NUMBER_ATTRIBUTES)
    ranges = [PlannedRange(keys.numbers_from(start), ())]
    return Ranges(query=repr((hotel_id, "number", start)), ranges=ranges, fetch=fetch)


def room(hotel_id: str, number: str, *, consistent: bool = False) -> Room:
    """R5: a room by its number. Raises :class:`NotFound`."""
    with ledger.purpose("list"):
        guard = get_item(models.RoomNumber, keys.numbers(hotel_id), keys.guard(number), consistent=consistent)
        return _room(hotel_id, guard)


def has_room(hotel_id: str, number: str) -> bool:
    """Whether a hotel has a room of this number, for what names one in passing."""
    with ledger.purpose("hotel"):
        try:
            get_item(models.RoomNumber, keys.numbers(hotel_id), keys.guard(number))
        except NotFound:
            return False
    return True


def rooms_as_stored(wanted: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Room]:
    """R5 for many: the rooms that exist among pairs of hotel id and number, read a hundred at a time."""
    hotel_ids, guards = {}, []
    for hotel_id, number in wanted:
        hotel_ids[keys.numbers(hotel_id)] = hotel_id
        guards.append((keys.numbers(hotel_id), keys.guard(number)))
    with translated():
        stored = models.RoomNumber.batch_get(guards, consistent_read=True)
        found = [_from_fields(hotel_ids[guard.pk], guard) for guard in stored]
    return {(room.hotel_id, room.number): room for room in found}


def room_counts(hotel_id: str) -> RoomCounts:
    """R6: how many rooms there are of each combination of view, size and type; nothing for an unknown hotel."""
    counts, labels = {}, {}
    with ledger.purpose("counts"):
        for item in read_partition(models.RoomCount, keys.counts(hotel_id), ("sk", "rooms", "view", "type")):
            combination = keys.counted(item["sk"]["S"])
            counts[combination] = int(item["rooms"]["N"])
            for facet, part in zip(keys.FACETS, combination, strict=True):
                if facet in item:
                    labels[facet, part] = item[facet]["S"]
    return RoomCounts(counts, labels)


def _counts_for(hotel_id: str, query: RoomQuery) -> RoomCounts:
    known = room_counts(hotel_id)
    for place, facet in enumerate(keys.FACETS):
        existing = {combination[place] for combination in known.counts}
        for value in sorted(query.selection.values.get(facet, frozenset()) - existing):
            raise UnknownValue(facet, keys.plain_part(facet, value))
    return known


def _rooms(hotel_id: str, query: RoomQuery, known: RoomCounts, walk: str | None = None) -> Listing[Room]:
    made = facets.plan(
        known.counts, keys.FACETS, _indexes(query, walk), query.selection, query.sort_facets, (keys.ROOM,)
    )
    index = made.index.name
    return Ranges(
        ranges=made.ranges,
        fetch=fetcher(
            models.Room,
            keys.rooms(hotel_id),
            partial(_room, hotel_id),
            attributes=ROOM_ATTRIBUTES,
            index=index,
        ),
        query=described(hotel_id, query),
        index=index,
        descending=query.descending,
        total=made.total,
        keep=lambda row: query.selection.allows(keys.FACETS, keys.parse_room(row[0][0], index)[0]),
    )


def _indexes(query: RoomQuery, walk: str | None) -> list[FacetIndex]:
    """All that give the sort; within a walk only the one that it began in, so that its order stays."""
    possible = facets.candidates(keys.INDEXES, query.selection, query.sort_facets)
    return possible if walk is None else [index for index in possible if index.name == walk]


def _hotel(item: RawItem) -> Hotel:
    found = models.Hotel.from_raw_data(item)
    return Hotel(found.hotel_id, found.name, found.city, int(found.rooms))


def _room(hotel_id: str, item: RawItem) -> Room:
    return _from_fields(hotel_id, models.RoomNumber.from_raw_data(item))


def _from_fields(hotel_id: str, found: models.RoomFields) -> Room:
    return Room(
        hotel_id=hotel_id,
        number=found.number,
        view=found.view,
        size=int(found.size),
        type=found.type,
        rate=found.rate,
        currency=found.currency,
        revision=int(found.revision or 0),
    )
