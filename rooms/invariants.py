"""What must agree in the table ``hotel-app``: rooms, number guards, facet counts and the totals of hotels."""

from collections.abc import Iterator, Mapping
from typing import Any

from dynamodb_lists.connection.errors import NotFound
from dynamodb_lists.lists.counting import CountsStore
from dynamodb_lists.maintenance.rules import (
    CountRule,
    Entry,
    GroupRule,
    Identity,
    ItemRule,
    KeysRule,
    Observation,
    PackedCountsRule,
    text,
)
from dynamodb_lists.reading.items import get_item, read_partition
from dynamodb_lists.schema.entities import build, stored_fields
from dynamodb_lists.schema.models import ItemModel, RawItem, Values
from hotels.entities import ROOMS, Statistic
from hotels.invariants import StatisticsRule
from hotels.lists import HOTELS, forget_hotel
from rooms import commands, keys
from rooms.entities import Room
from rooms.keys import RoomFacets
from rooms.models import PackedCountsModel, RoomCountModel, RoomModel, RoomNumberModel


def _hotel_id(item: RawItem) -> str:
    return keys.hotel_of(text(item, "pk"))


def _fields(values: Values, key: str) -> str:
    """What a room and its guard share, as one text: the room's sort key and the fields."""
    return repr([key, *(values.get(field.name) for field in stored_fields(Room))])


class RoomAttentionRule(ItemRule):
    """A room has ``attention_since`` if, and only if, it needs attention."""

    model = RoomModel

    def wrong(self, item: RawItem) -> str:
        room = RoomModel.entity_of(item)
        if room.needs_attention == bool(room.attention_since):
            return ""
        name = f"room {room.number} of {room.hotel_id}"
        if room.needs_attention:
            return f"{name} needs attention, but has no time since when"
        return f"{name} needs no attention, but has a time since when"

    def repair(self, item: RawItem) -> bool:
        return commands.mend_attention(RoomModel.entity_of(item))


class RoomGuardsRule(GroupRule):
    """Every room has a guard that repeats it, and every guard has its room. A group is a room's key."""

    model = RoomModel

    def entries(self, item: RawItem) -> Iterator[Entry]:
        if RoomModel.holds(item):
            key = text(item, "sk")
            yield Entry((_hotel_id(item), key), _fields(RoomModel.decoded(item), key), 1)
        elif RoomNumberModel.holds(item):
            room, guard = RoomNumberModel.entity_of(item), RoomNumberModel.decoded(item)
            yield Entry((room.hotel_id, room.stored_key), _fields(guard, guard.get("room_key", room.stored_key)), -1)

    def stored(self, identity: Identity) -> Mapping[str, int]:
        hotel_id, key = identity
        guard = _found(
            RoomNumberModel, *RoomNumberModel.place_of(hotel_id=hotel_id, number=keys.parse_room(key).number)
        )
        agrees = guard and build(Room, guard, hotel_id=hotel_id).stored_key == key
        return {_fields(guard, guard.get("room_key", key)): 1} if guard and agrees else {}

    def counted(self, identity: Identity) -> Mapping[str, int]:
        hotel_id, key = identity
        room = _found(RoomModel, RoomModel.partition_of(hotel_id=hotel_id), key)
        return {_fields(room, key): 1} if room else {}

    def wrong(self, identity: Identity, seen: Observation) -> str:
        hotel_id, key = identity
        number = keys.parse_room(key).number
        if not seen.stored:
            return f"room {number} of {hotel_id} has no number guard that agrees with it"
        if not seen.counted:
            return f"number guard {number} of {hotel_id} has no room {key}"
        return f"room {number} of {hotel_id} and its number guard differ"


def _found(model: type[ItemModel], partition: str, sort_key: str) -> Values | None:
    try:
        return get_item(model, partition, sort_key, consistent=True)
    except NotFound:
        return None


class RoomPackedCountsRule(PackedCountsRule):
    """The revision of the counts is an attribute of the hotel."""

    model = PackedCountsModel

    def store(self, owner: Identity) -> CountsStore[Any]:
        return commands.RoomCountsStore(*owner)

    def owner(self, item: RawItem) -> Identity | None:
        return _hotel(item) if self.model.holds(item) else None


def _hotel(item: RawItem) -> Identity:
    return (_hotel_id(item),)


def _combination(item: RawItem) -> Identity:
    """The hotel of a room, and the facets in its key."""
    return _hotel_id(item), *keys.parse_room(text(item, "sk")).facets


def _rooms_of(hotel_id: str, *facets: str) -> Mapping[str, int]:
    """The number of a hotel's rooms; with facets, of those of the combination."""
    span = keys.rooms_of(RoomFacets(*facets)) if facets else None
    rooms = read_partition(RoomModel, RoomModel.partition_of(hotel_id=hotel_id), ("sk",), span=span, consistent=True)
    return {"": sum(1 for _ in rooms)}


def _stored_rooms(hotel_id: str, what: Statistic) -> Iterator[Room]:
    items = read_partition(RoomModel, RoomModel.partition_of(hotel_id=hotel_id), decode=dict, consistent=True)
    return map(RoomModel.entity_of, items)


RULES = (
    KeysRule(model=RoomModel),
    KeysRule(model=RoomNumberModel, seen=("number",)),
    RoomAttentionRule(),
    RoomGuardsRule(),
    CountRule(
        model=RoomModel,
        numbers={"": "rooms"},
        counter_model=RoomCountModel,
        group=_combination,
        count=_rooms_of,
        name="the count of {rest} of {0}",
        noun="rooms",
        more=commands.labels_of_a_room,
        repaired=commands.count_repaired,
    ),
    CountRule(
        model=RoomModel,
        numbers={"": "rooms"},
        counter_model=HOTELS.model,
        group=_hotel,
        count=_rooms_of,
        name="the total of hotel {0}",
        noun="rooms",
        without="there is no hotel {0}, but there are {number} rooms of it",
        repaired=forget_hotel,
    ),
    RoomPackedCountsRule(),
    StatisticsRule(model=RoomModel, what=ROOMS, read=_stored_rooms),
)
"""The keys of rooms and guards, the counts of their facets with their packed copies, hotels' totals, statistics."""
