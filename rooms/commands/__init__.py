"""Writes of rooms, one function for each event. Each is one transaction, or the write of one item."""

from rooms.commands.bulk import MAX_ROOMS, ask_for, take_step_of
from rooms.commands.changes import RoomWriter, count_key, guard_item, now, room_item
from rooms.commands.repairs import labels_of_a_room, mend_attention
from rooms.commands.rooms import NumberTaken, create_room, delete_room, edit_room, save_rooms
from rooms.commands.statuses import set_status, set_statuses

__all__ = [
    "MAX_ROOMS",
    "ask_for",
    "take_step_of",
    "NumberTaken",
    "RoomWriter",
    "count_key",
    "create_room",
    "delete_room",
    "edit_room",
    "guard_item",
    "labels_of_a_room",
    "mend_attention",
    "now",
    "room_item",
    "save_rooms",
    "set_status",
    "set_statuses",
]
