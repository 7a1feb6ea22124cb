"""Reads of rooms by number, of ranges, counts and bulk changes. docs/access-patterns.md shows the requests.

A hotel's counts are read from their packed copy, or from the count items themselves. docs/keys.md explains both.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache, partial
from itertools import product
from typing import cast

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.errors import NotFound
from dynamodb_lists.declared.counts import Count, Counts, facet_counts, spelt_labels, unpack
from dynamodb_lists.declared.parts import plain_label
from dynamodb_lists.declared.samples import Sample, unpack_items
from dynamodb_lists.planning.range_plan import PlannedRange
from dynamodb_lists.planning.selection import Combination
from dynamodb_lists.reading.fetching import Ranges, fetcher
from dynamodb_lists.reading.items import find_item, get_item, get_items, read_partition
from dynamodb_lists.reading.listing import Fetch
from dynamodb_lists.schema.keys import KeyRange, in_any_case, parse, prefix_range
from dynamodb_lists.schema.models import Values
from hotels import queries as hotels
from hotels.entities import Hotel
from portal.history.entities import HistoryEntry
from portal.history.keys import thing as thing_key
from portal.history.queries import marked
from portal.scopes import EVERY_HOTEL, HotelScope
from rooms import keys
from rooms.entities import BulkChange, BulkProgress, FoundRoom, Room, RoomCounts
from rooms.models import (
    BulkChangeModel,
    BulkProgressModel,
    PackedCountsModel,
    RoomCountModel,
    RoomModel,
)
from rooms.room_list import ROOMS

MOST_READ = 99
"""The most rooms that are read by their keys, of each hotel in each spelling: one request."""
MOST_TURNS = 20
"""How often a room's page shows that the room went out of order or came back."""
KEPT = 32
"""The most hotels whose counts a process keeps. Those of 1,200 combinations take about 0.5 MB."""


def room(hotel_id: str, number: str, *, consistent: bool = False) -> Room:
    """R5: a room by its number. Raises :class:`NotFound`."""
    with ledger.purpose("list"):
        key = RoomModel.place_of(hotel_id=hotel_id, number=number)
        return cast(Room, RoomModel.built(find_item(RoomModel, *key, consistent=consistent), hotel_id=hotel_id))


def has_room(hotel_id: str, number: str) -> bool:
    """Whether a hotel has a room of this number."""
    with ledger.purpose("hotel"):
        try:
            get_item(RoomModel, *RoomModel.place_of(hotel_id=hotel_id, number=number))
        except NotFound:
            return False
    return True


def rooms_as_stored(wanted: Iterable[tuple[str, str]], *, consistent: bool = True) -> dict[tuple[str, str], Room]:
    """R5 for many rooms: those that exist among pairs of hotel id and number, read a hundred at a time."""
    places = (RoomModel.place_of(hotel_id=hotel_id, number=number) for hotel_id, number in wanted)
    stored = get_items(RoomModel, places, consistent=consistent)
    rooms = (RoomModel.built(values, **ROOMS.owner_in(values["pk"])) for values in stored)
    return {(room.hotel_id, room.number): room for room in rooms}


def rooms_anywhere(number: str, count: int, scope: HotelScope = EVERY_HOTEL) -> list[FoundRoom]:
    """R5 at all hotels: the first ``count`` rooms with this number, by hotel.

    One Query. In a ``scope`` of some hotels, only their rooms: of a few hotels, one BatchGetItem reads the rooms by
    their keys; of many, the Query goes from the first id to the last one, and rooms of others are dropped.
    """
    with ledger.purpose("list"):
        spelt, hotel_ids = in_any_case(number, MOST_READ), scope.hotel_ids
        if hotel_ids is None or len(hotel_ids) * (len(spelt) or MOST_READ + 1) > MOST_READ:
            return _rooms_between(number, count, scope)
        found = rooms_as_stored(product(hotel_ids, spelt), consistent=False)
        return [FoundRoom(*key, room.view, room.type) for key, room in sorted(found.items())][:count]


def _rooms_between(number: str, count: int, scope: HotelScope) -> list[FoundRoom]:
    """The first ``count`` rooms with a number, read from the index of all hotels."""
    span = RoomModel.template_of("pk").span()
    if scope.hotel_ids is not None:
        ends = (RoomModel.partition_of(hotel_id=end(scope.hotel_ids)) for end in (min, max))
        span = KeyRange(*ends)
    partition = RoomModel.partition_of(keys.BY_NUMBER, number=number)
    found = Ranges(
        name="rooms of all hotels",
        index=keys.BY_NUMBER,
        ranges=[PlannedRange(span)],
        fetch=fetcher(RoomModel, partition, _found_room, attributes=keys.LABELLED, index=keys.BY_NUMBER),
        keep=lambda room: scope.allows(room.hotel_id),
    )
    return [row.value for row in found.take(count, None, backward=False)]


def room_of(hotel_id: str, *facets: str) -> Room | None:
    """Any room of a combination; ``None`` if there is none."""
    rows = fetch_in(hotel_id, keys.BY_FACETS)(prefix_range(*facets), None, True, 1).rows
    return rows[0].value if rows else None


def fetch_in(hotel_id: str, index: str, also: Sequence[str] = ()) -> Fetch[Room]:
    """Reads ranges of a hotel's rooms in an index, with what lists show, and the attributes ``also``."""
    make, names = partial(RoomModel.built, hotel_id=hotel_id), [*ROOMS.shown_in(index), *also]
    return fetcher(RoomModel, RoomModel.partition_of(hotel_id=hotel_id), make, attributes=names, index=index)


# --- Counts ---------------------------------------------------------------------------------------------


def room_counts(hotel_id: str) -> RoomCounts:
    """R6: the number of rooms of each combination of facets; no counts for an unknown hotel."""
    try:
        return hotel_and_counts(hotel_id)[1]
    except NotFound:
        return counts_of(stored_counts(hotel_id))


def hotel_and_counts(hotel_id: str) -> tuple[Hotel, RoomCounts]:
    """R6 with the hotel, as both are stored now: one request, for the hotel alone if this process has its counts.

    It is one request more after a change of the counts, and another one if the packed copy is not up to date.
    Raises :class:`NotFound`.
    """
    kept = _kept(hotel_id)
    with ledger.purpose("counts"):
        if kept:
            stored = hotels.hotel_and_revisions(hotel_id)
            counts = dict(kept).get(stored.counts_revision) or _copied(stored, _packed_counts(hotel_id))
        else:
            stored, copy = hotel_and_packed_counts(hotel_id)
            counts = _copied(stored, copy)
    kept[:] = [(stored.counts_revision, counts)] if counts and stored.counts_revision else []
    counts = counts or counts_of(stored_counts(hotel_id))
    return stored.hotel, replace(counts, rooms=stored.hotel.rooms, rates_revision=stored.rates_revision)


@lru_cache(KEPT)
def _kept(hotel_id: str) -> list[tuple[int, RoomCounts]]:
    """The counts of a hotel that this process keeps, at most one, with their revision.

    They are used only for a hotel that was just read with the same revision, so they are never outdated.
    """
    return []


def _copied(stored: hotels.StoredHotel, copy: Values) -> RoomCounts | None:
    """The counts in a packed copy; ``None`` if it is missing, outdated, or from a release that packs in another way."""
    if copy.get("counts_revision") != stored.counts_revision:
        return None
    with suppress(ValueError):
        build_room = partial(RoomModel.built, hotel_id=stored.hotel.hotel_id)
        sample = partial(unpack_items, RoomModel, build_room, copy.get("sample", b""))
        return replace(counts_of(unpack(copy["packed"], len(keys.FACETS))), sample=Sample(sample))
    return None


def _packed_counts(hotel_id: str) -> Values:
    wanted = [PackedCountsModel.place_of(hotel_id=hotel_id)]
    return next(get_items(PackedCountsModel, wanted, consistent=False), {})


def hotel_and_packed_counts(hotel_id: str, *, consistent: bool = False) -> tuple[hotels.StoredHotel, Values]:
    """A hotel, and the attributes of its packed counts, of which there may be none. Raises :class:`NotFound`."""
    key = PackedCountsModel.place_of(hotel_id=hotel_id)
    return hotels.hotel_beside(hotel_id, PackedCountsModel, key, consistent=consistent)


def stored_counts(hotel_id: str, *, consistent: bool = False) -> Counts:
    """The counts of a hotel, one item for each, in the order of their keys."""
    attributes = ("sk", "rooms", *keys.LABELLED)
    with ledger.purpose("counts"):
        partition = RoomCountModel.partition_of(hotel_id=hotel_id)
        items = read_partition(RoomCountModel, partition, attributes, consistent=consistent)
        return dict(map(room_count, items))


def room_count(item: Values) -> tuple[Combination, Count]:
    """The combination and the count in the attributes of its item."""
    labels = tuple([item.get(facet) if facet in keys.LABELLED else None for facet in keys.FACETS])
    return parse(item["sk"]), Count(item["rooms"], labels if any(labels) else ())


def counts_of(counts: Counts) -> RoomCounts:
    """The counts for the pages, and the labels that differ from those of their slugs."""
    words = {
        (keys.FACETS[number], part): label
        for number, found in (spelt_labels(counts) if any(count.labels for count in counts.values()) else {}).items()
        for part, label in found.items()
        if label != plain_label(part) and keys.FACETS[number] in keys.LABELLED
    }
    return RoomCounts(facet_counts(keys.FACETS, counts), words)


def repairs_of_room(hotel_id: str, number: str) -> list[HistoryEntry]:
    """C4: when a room went out of order and came back, the newest first; at most :data:`MOST_TURNS` times."""
    return marked(thing_key(RoomModel.kind, hotel_id, number)).first(MOST_TURNS)


# --- Bulk changes ---------------------------------------------------------------------------------------


def bulk_change(hotel_id: str, change_id: str) -> BulkChange:
    """A bulk change as it was asked for. Raises :class:`NotFound`."""
    key = BulkChangeModel.place_of(hotel_id=hotel_id, change_id=change_id)
    return cast(BulkChange, BulkChangeModel.built(get_item(BulkChangeModel, *key, consistent=True)))


def bulk_progress(hotel_id: str, change_id: str) -> BulkProgress:
    """How far a bulk change is. Raises :class:`NotFound`."""
    key = BulkProgressModel.place_of(hotel_id=hotel_id, change_id=change_id)
    return cast(BulkProgress, BulkProgressModel.built(get_item(BulkProgressModel, *key, consistent=True)))


def _found_room(values: Values) -> FoundRoom:
    return FoundRoom(ROOMS.owner_in(values["pk"])["hotel_id"], values["sk"], values[keys.VIEW], values[keys.TYPE])
