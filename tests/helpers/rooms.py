"""Helpers for tests of rooms: rooms and hotels, and the invariant of the table."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from dynamodb_lists.declared.counts import unpack
from dynamodb_lists.reading.listing import Listing
from dynamodb_lists.reading.pages import Page, read_page
from dynamodb_lists.schema.entities import build
from dynamodb_lists.schema.models import ItemModel
from hotels import commands as hotels
from hotels.entities import Hotel
from hotels.models import HotelModel, HotelWordModel, word_items
from rooms import commands, keys, queries
from rooms.entities import Room, RoomQuery
from rooms.models import PackedCountsModel, RoomCountModel, RoomModel, RoomNumberModel
from rooms.queries.rooms import room_count
from tests.helpers.contents import scanned
from tests.helpers.kinds import Item, by_key, checked_items
from tests.helpers.statistics import assert_statistics, of_rooms

ABC = "abc"
Items = Mapping[type[ItemModel], Sequence[Item]]


def make_room(number: str, view: str = "Sea view", size: int = 40, type: str = "Suite", **other: Any) -> Room:  # noqa: A002
    """A room of the hotel ``abc``."""
    values: dict[str, Any] = {"hotel_id": ABC, "rate": Decimal("120.50"), "currency": "EUR", **other}
    return Room(number=number, view=view, size=size, type=type, **values)


def make_hotel(rooms: Sequence[Room] = (), hotel_id: str = ABC, name: str = "Hotel ABC") -> None:
    """Store a hotel with these rooms."""
    hotels.save_hotels([Hotel(hotel_id, name, "Paris", currency="EUR", time_zone="Europe/Paris")])
    for start in range(0, len(rooms), 90):
        commands.save_rooms(rooms[start : start + 90], packs=start + 90 >= len(rooms))


def listed_rooms(hotel_id: str, query: RoomQuery) -> Listing[Room]:
    """A list of rooms, planned with the hotel's counts."""
    return queries.rooms(hotel_id, query, queries.room_counts(hotel_id))


def rooms_page(hotel_id: str, query: RoomQuery) -> Page[Room]:
    """The page of a list of rooms that a query asks for."""
    return read_page(listed_rooms(hotel_id, query), query.page_size, query.cursor)


def all_items() -> Iterator[Mapping[str, Any]]:
    """Every item of the rooms' table. Tests may scan; pages never do."""
    yield from scanned(RoomModel.Meta.table_name)


def assert_in_step() -> None:
    """Check that rooms, number guards, facet counts, their packed copies, hotels' totals and statistics agree."""
    found = checked_items(RoomModel.Meta.table_name)
    assert_words(found)
    assert_guards(found)
    assert_counts(found)
    assert_copies(found)
    assert_statistics("rooms", of_rooms(found[RoomModel]))


def hotel_of(item: Item) -> str:
    """The hotel in the key of an item."""
    return str(item["pk"]["S"].split("#")[1])


def assert_words(found: Items) -> None:
    """Check that each hotel has the items of its words."""
    wanted = [word for item in found[HotelModel] for word in word_items(build(Hotel, HotelModel.decoded(item)))]
    assert by_key(found[HotelWordModel]) == by_key(word.to_dynamodb_dict() for word in wanted)


def assert_guards(found: Items) -> None:
    """Check that each room has its keys, and one number guard that agrees with it."""
    for room in found[RoomModel]:
        assert_keys(room)
    for guard in found[RoomNumberModel]:
        assert guard["sk"] == guard["number"]
        assert guard["any_hotel"]["S"] == guard["sk"]["S"].casefold()
    rooms = {(hotel_of(room), plain(room)): room["sk"] for room in found[RoomModel]}
    assert rooms == {(hotel_of(guard), plain(guard)): guard["room_key"] for guard in found[RoomNumberModel]}
    assert len(rooms) == len(found[RoomModel]) == len(found[RoomNumberModel])


def assert_counts(found: Items) -> None:
    """Check that the counts of facets and the totals of hotels are those of the rooms."""
    rooms = found[RoomModel]
    counts = Counter({(hotel_of(item), item["sk"]["S"]): int(item["rooms"]["N"]) for item in found[RoomCountModel]})
    assert +counts == Counter((hotel_of(room), key_of(plain(room))) for room in rooms)
    assert min(counts.values(), default=0) >= 0
    totals = Counter({item["hotel_id"]["S"]: int(item["rooms"]["N"]) for item in found[HotelModel]})
    assert +totals == Counter(map(hotel_of, rooms))


def assert_copies(found: Items) -> None:
    """Check the packed counts that pages would use: those of the revision that their hotel has."""
    revisions = {item["hotel_id"]["S"]: item.get("counts_revision") for item in found[HotelModel]}
    for copy in found[PackedCountsModel]:
        if copy["counts_revision"] == revisions[hotel_of(copy)]:
            counts = [
                RoomCountModel.decoded(item) for item in found[RoomCountModel] if hotel_of(item) == hotel_of(copy)
            ]
            assert unpack(copy["packed"]["B"], len(keys.FACETS)) == dict(map(room_count, counts))


def assert_keys(item: Mapping[str, Any]) -> None:
    """Check that a room's six keys match its facets and number."""
    facets = keys.facets(item["view"]["S"], int(item["size"]["N"]), item["type"]["S"])
    for index in keys.INDEXES:
        key = keys.room(facets, item["number"]["S"], index.name)
        assert item[keys.sort_key(index.name)]["S"] == key
    room = build(Room, RoomModel.decoded(item), hotel_id="")
    assert item["rate_key"]["S"] == keys.rate(room.currency, room.rate, room.number)
    assert ("attention_key" in item) == ("attention_since" in item) == room.needs_attention


def plain(item: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """The attributes that a room and its guard have in common."""
    names = ("number", "view", "size", "type", "rate", "currency", "revision")
    return tuple((name, next(iter(item[name].values()))) for name in names)


def key_of(room: Iterable[tuple[str, str]]) -> str:
    """The key of the count that a room belongs to."""
    values = dict(room)
    return "#".join(keys.facets(values["view"], int(values["size"]), values["type"]))
