"""Writes of rooms, one function for each event. Each is one transaction, or the write of one item."""

from rooms.commands.bulk import MAX_ROOMS, ask_for, take_step_of
from rooms.commands.repairs import mend_attention, mend_count, mend_guard, mend_keys
from rooms.commands.rooms import NumberTaken, create_room, delete_room, edit_room, save_rooms
from rooms.commands.statuses import set_status

__all__ = [
    "MAX_ROOMS",
    "ask_for",
    "take_step_of",
    "NumberTaken",
    "create_room",
    "delete_room",
    "edit_room",
    "mend_attention",
    "mend_count",
    "mend_guard",
    "mend_keys",
    "save_rooms",
    "set_status",
]
