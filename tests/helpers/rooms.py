"""Helpers for tests of rooms: rooms and hotels, and the invariant of the table."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from dynamodb_lists.declared.counts import unpack
from dynamodb_lists.reading.lists import Listing
from dynamodb_lists.reading.pages import Page, read_page
from dynamodb_lists.schema.entities import build
from hotels import commands as hotels
from hotels import keys as hotel_keys
from hotels.entities import Hotel
from hotels.models import HotelModel, word_items
from rooms import commands, keys, queries
from rooms.entities import Room, RoomQuery
from rooms.models import (
    BulkChangeModel,
    BulkProgressModel,
    PackedCountsModel,
    RoomCountModel,
    RoomModel,
    RoomNumberModel,
)
from rooms.queries.rooms import room_count
from tests.helpers.contents import scanned
from tests.helpers.kinds import assert_kind
from tests.helpers.statistics import assert_statistics, of_rooms

ABC = "abc"


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
    rooms, guards, counts, totals = Counter[Any](), Counter[Any](), Counter[Any](), Counter[Any]()
    room_keys: dict[Any, str] = {}
    guarded_keys: dict[Any, str] = {}
    found_words, wanted_words = [], []
    copies: dict[str, Any] = {}
    originals: dict[str, Any] = defaultdict(list)
    revisions: dict[str, Any] = {}
    items = [item for item in all_items() if not item["pk"]["S"].endswith("#statistics")]
    for item in items:
        pk, sk = item["pk"]["S"], item["sk"]["S"]
        if pk == HotelModel.partition_of():
            assert_kind(item, HotelModel)
            totals[item["hotel_id"]["S"]] += int(item["rooms"]["N"])
            revisions[item["hotel_id"]["S"]] = item.get("counts_revision")
            wanted_words += [word.to_dynamodb_dict() for word in word_items(build(Hotel, HotelModel.decoded(item)))]
            continue
        if hotel_keys.WORDS.holds(pk):
            found_words.append(item)
            continue
        _, hotel_id, kind = pk.split("#")
        if kind == "rooms":
            assert_kind(item, RoomModel)
            assert_keys(item)
            room_keys[hotel_id, item["number"]["S"]] = sk
            rooms[hotel_id, plain(item)] += 1
        elif kind == "room-numbers":
            assert_kind(item, RoomNumberModel)
            assert sk == item["number"]["S"]
            assert item["any_hotel"]["S"] == sk.casefold()
            guarded_keys[hotel_id, sk] = item["room_key"]["S"]
            guards[hotel_id, plain(item)] += 1
        elif kind == "bulk-changes":
            assert_kind(item, BulkProgressModel if sk.endswith("#progress") else BulkChangeModel)
        elif kind == "packed-counts":
            assert_kind(item, PackedCountsModel)
            copies[hotel_id] = item["counts_revision"], item["packed"]["B"]
        else:
            assert_kind(item, RoomCountModel)
            counts[hotel_id, sk] += int(item["rooms"]["N"])
            originals[hotel_id].append(room_count(RoomCountModel.decoded(item)))
    assert by_key(found_words) == by_key(wanted_words), "each hotel has the items of its words"
    assert guards == rooms
    assert guarded_keys == room_keys
    assert set(rooms.values()) <= {1}
    assert +counts == Counter((hotel, key_of(room)) for hotel, room in rooms)
    assert min(counts.values(), default=0) >= 0
    assert +totals == Counter(hotel for hotel, _ in rooms)
    for hotel_id, (revision, packed) in copies.items():
        if revision == revisions[hotel_id]:
            assert unpack(packed, len(keys.FACETS)) == dict(originals[hotel_id]), "a copy that pages would use is right"
    assert_statistics("rooms", of_rooms(item for item in items if item["pk"]["S"].endswith("#rooms")))


def by_key(items: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Items in the order of their keys."""
    return sorted(items, key=lambda item: (item["pk"]["S"], item["sk"]["S"]))


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
