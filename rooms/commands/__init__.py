"""Writes of rooms, one function for each event. Each is one transaction, or the write of one item."""

from rooms.commands.bulk import MAX_ROOMS, ask_for, take_step_of
from rooms.commands.rooms import (
    changes_of,
    create_room,
    mend_attention,
    pack_hotels,
    save_rooms,
    set_status,
)
