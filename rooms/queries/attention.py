"""R7: the rooms that need attention."""

from hotelapp.dynamodb.planning.range_planner import PlannedRange
from hotelapp.dynamodb.reading.lists import Listing
from hotelapp.dynamodb.reading.ranges import Ranges
from rooms import keys
from rooms.entities import Room
from rooms.queries.rooms import room_fetcher


def rooms_needing_attention(hotel_id: str, *, descending: bool = False) -> Listing[Room]:
    """R7: a hotel's rooms that are dirty or out of order, by the time since when. The index holds no other rooms."""
    return Ranges(
        name="rooms needing attention",
        selected=repr((hotel_id, descending)),
        index=keys.NEEDING_ATTENTION,
        descending=descending,
        ranges=[PlannedRange(keys.all_attention())],
        fetch=room_fetcher(hotel_id, keys.NEEDING_ATTENTION, ["attention_since"]),
    )
