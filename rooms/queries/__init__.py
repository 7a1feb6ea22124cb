"""Reads of rooms, one function for each access pattern."""

from rooms.queries.room_lists import (
    all_rooms,
    attention_of_hotels,
    cleaners,
    has_rooms_today,
    needing_attention,
    plan_of_day,
    repairs,
    repairs_of_hotels,
    require_known,
    rooms_by_number,
    rooms_by_status,
    rooms_in_order,
    rooms_needing_attention,
    rooms_numbered,
    rooms_of_day,
    rooms_to_clean,
    since_days,
)
from rooms.queries.rooms import (
    bulk_change,
    bulk_progress,
    has_room,
    repairs_of_room,
    room,
    room_counts,
    rooms_anywhere,
    rooms_as_stored,
)
