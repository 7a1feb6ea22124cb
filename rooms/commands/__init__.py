"""Writes of rooms, one function for each event. Each is one transaction, or the write of one item."""

from rooms.commands.changes import RoomWriter
from rooms.commands.repairs import mend_count, mend_keys
from rooms.commands.rooms import NumberTaken, create_room, delete_room, edit_room, save_rooms
from rooms.commands.statuses import set_status, set_statuses

__all__ = [
    "NumberTaken",
    "RoomWriter",
    "create_room",
    "delete_room",
    "edit_room",
    "mend_count",
    "mend_keys",
    "save_rooms",
    "set_status",
    "set_statuses",
]
