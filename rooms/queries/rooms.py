"""Reads of rooms by number, of ranges, counts and bulk changes. docs/access-patterns.md shows the requests."""

from collections.abc import Iterable, Sequence
from itertools import product
from typing import cast

from dynamodb_lists.connection import ledger
from dynamodb_lists.planning.range_plan import PlannedRange
from dynamodb_lists.reading.fetching import Ranges, fetcher
from dynamodb_lists.reading.items import get_item
from dynamodb_lists.reading.listing import Fetch
from dynamodb_lists.schema.keys import KeyRange, in_any_case
from dynamodb_lists.schema.models import Values
from portal.history.entities import HistoryEntry
from portal.history.keys import thing as thing_key
from portal.history.queries import marked
from portal.scopes import EVERY_HOTEL, HotelScope
from rooms import keys
from rooms.entities import BulkChange, BulkProgress, FoundRoom, Room, RoomCounts
from rooms.lists import ROOMS
from rooms.models import BulkChangeModel, BulkProgressModel

MOST_READ = 99
"""The most rooms that are read by their keys, of each hotel in each spelling: one request."""
MOST_TURNS = 20
"""How often a room's page shows that the room went out of order or came back."""


def room(hotel_id: str, number: str, *, consistent: bool = False) -> Room:
    """R5: a room by its number. Raises :class:`NotFound`."""
    return ROOMS.get(hotel_id=hotel_id, number=number, consistent=consistent)


def has_room(hotel_id: str, number: str) -> bool:
    """Whether a hotel has a room of this number."""
    with ledger.purpose("hotel"):
        return bool(rooms_as_stored([(hotel_id, number)], consistent=False))


def rooms_as_stored(wanted: Iterable[tuple[str, str]], *, consistent: bool = True) -> dict[tuple[str, str], Room]:
    """R5 for many rooms: those that exist among pairs of hotel id and number, read a hundred at a time."""
    places = ({"hotel_id": hotel_id, "number": number} for hotel_id, number in wanted)
    return {(room.hotel_id, room.number): room for room in ROOMS.get_many(places, consistent=consistent)}


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
    span = ROOMS.model.template_of("pk").span()
    if scope.hotel_ids is not None:
        ends = (ROOMS.model.partition_of(hotel_id=end(scope.hotel_ids)) for end in (min, max))
        span = KeyRange(*ends)
    partition = ROOMS.model.partition_of(keys.BY_NUMBER, number=number)
    found = Ranges(
        name="rooms of all hotels",
        index=keys.BY_NUMBER,
        ranges=[PlannedRange(span)],
        fetch=fetcher(ROOMS.model, partition, _found_room, attributes=keys.LABELLED, index=keys.BY_NUMBER),
        keep=lambda room: scope.allows(room.hotel_id),
    )
    return [row.value for row in found.take(count, None, backward=False)]


def fetch_in(hotel_id: str, index: str, also: Sequence[str] = ()) -> Fetch[Room]:
    """Reads ranges of a hotel's rooms in an index, with what lists show, and the attributes ``also``."""
    return ROOMS.reader.fetch((hotel_id,), index, more=also)


def room_counts(hotel_id: str) -> RoomCounts:
    """R6: the number of rooms of each combination of facets; no counts for an unknown hotel."""
    return RoomCounts(ROOMS.query(hotel_id=hotel_id).counts())


def repairs_of_room(hotel_id: str, number: str) -> list[HistoryEntry]:
    """C4: when a room went out of order and came back, the newest first; at most :data:`MOST_TURNS` times."""
    return marked(thing_key(ROOMS.model.kind, hotel_id, number)).first(MOST_TURNS)


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
    owner = ROOMS.declaration.owner_in(values["pk"])
    return FoundRoom(owner["hotel_id"], values["sk"], values[keys.VIEW], values[keys.TYPE])
