"""What must agree in the table ``hotel-app``: rooms, facet counts and the totals of hotels."""

from collections.abc import Iterator, Mapping
from typing import Any

from dynamodb_lists.maintenance.rules import CountRule, Identity, ItemRule, KeysRule, PackedCountsRule, text
from dynamodb_lists.reading.items import read_partition
from dynamodb_lists.schema.keys import parse, prefix_range
from dynamodb_lists.schema.models import RawItem
from hotels.entities import ROOMS, Statistic
from hotels.invariants import StatisticsRule
from hotels.lists import HOTELS, forget_hotel
from rooms import commands, keys
from rooms.entities import Room
from rooms.models import PackedCountsModel, RoomCountModel, RoomModel


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
        commands.mend_attention(RoomModel.entity_of(item))
        return True


def _hotel(item: RawItem) -> Identity:
    return (parse(text(item, "pk"))[1],)


def _combination(item: RawItem) -> Identity:
    """The hotel of a room, and its facets."""
    return *_hotel(item), *RoomModel.declaration.combination(RoomModel.entity_of(item))


def _rooms_of(hotel_id: str, *facets: str) -> Mapping[str, int]:
    """The number of a hotel's rooms; with facets, of those of the combination."""
    asked: Any = {"index": keys.BY_FACETS, "span": prefix_range(*facets)} if facets else {}
    rooms = read_partition(RoomModel, RoomModel.partition_of(hotel_id=hotel_id), ("sk",), consistent=True, **asked)
    return {"": sum(1 for _ in rooms)}


def _stored_rooms(hotel_id: str, what: Statistic) -> Iterator[Room]:
    items = read_partition(RoomModel, RoomModel.partition_of(hotel_id=hotel_id), decode=dict, consistent=True)
    return map(RoomModel.entity_of, items)


RULES = (
    KeysRule(model=RoomModel),
    RoomAttentionRule(),
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
    PackedCountsRule(
        model=PackedCountsModel,
        store=lambda owner: commands.RoomCountsStore(*owner),
        owner=lambda item: _hotel(item) if PackedCountsModel.holds(item) else None,
    ),
    StatisticsRule(model=RoomModel, what=ROOMS, read=_stored_rooms),
)
"""The keys of rooms, the counts of their facets with their packed copies, hotels' totals, statistics."""
