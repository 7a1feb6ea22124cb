"""What must agree in the table ``hotel-app``: rooms, facet counts and the totals of hotels."""

from collections.abc import Iterator

from dynamodb_lists import RawItem, read_partition
from dynamodb_lists.maintenance import rules
from hotels.entities import ROOMS as TOTALS
from hotels.invariants import StatisticsRule
from hotels.lists import HOTELS, forget_hotel
from portal.history.entities import REPAIR
from rooms.entities import Room
from rooms.lists import ROOMS


class RoomAttentionRule(rules.ItemRule):
    """A room has ``attention_since`` if, and only if, it needs attention."""

    model = ROOMS.model

    def wrong(self, item: RawItem) -> str:
        room = ROOMS.model.entity_of(item)
        if room.needs_attention == bool(room.attention_since):
            return ""
        name = f"room {room.number} of {room.hotel_id}"
        if room.needs_attention:
            return f"{name} needs attention, but has no time since when"
        return f"{name} needs no attention, but has a time since when"

    def repair(self, item: RawItem) -> bool:
        room = ROOMS.model.entity_of(item)
        ROOMS.by(REPAIR).update(room, room)  # which sets or removes the time
        return True


def _stored(hotel_id: str) -> Iterator[Room]:
    items = read_partition(ROOMS.model, ROOMS.model.partition_of(hotel_id=hotel_id), decode=dict, consistent=True)
    return map(ROOMS.model.entity_of, items)


RULES = (
    ROOMS,
    RoomAttentionRule(),
    rules.CountRule(
        model=ROOMS.model,
        numbers={"": "rooms"},
        counter_model=HOTELS.model,
        group=lambda item: ROOMS.declaration.owner_in(item["pk"]["S"]),
        count=lambda hotel_id: {"": len([*_stored(hotel_id)])},
        name="the total of hotel {0}",
        noun="rooms",
        without="there is no hotel {0}, but there are {number} rooms of it",
        repaired=forget_hotel,
    ),
    StatisticsRule(model=ROOMS.model, what=TOTALS, read=lambda hotel_id, _: _stored(hotel_id)),
)
"""The rules of the list of rooms, those of rooms that need attention, hotels' totals, statistics."""
