"""The floors of a hotel, as far as the numbers of its rooms tell them."""

import re
from collections.abc import Iterable

from dynamodb_lists.schema.natural import natural_order
from rooms.entities.rooms import Room

FLOOR_AND_DOOR = re.compile("([0-9]{1,2})[0-9]{2}([^0-9].*)?")
"""A number that tells its floor: two digits for the door, and one or two before them. More may follow, but no digit."""


def floor_of(number: str) -> str:
    """The floor in a room number: "1" of 101, 101A and 101-2, "12" of 1203, blank for 7, 12345 and B12."""
    found = FLOOR_AND_DOOR.fullmatch(number)
    return str(int(found[1])) if found else ""


def by_floor(rooms: Iterable[Room], *, descending: bool = False) -> list[tuple[str, list[Room]]]:
    """Rooms in natural order under the headings of their floors, each once. Without any floor, one heading is blank."""
    ordered = sorted(rooms, key=lambda room: natural_order(room.number), reverse=descending)
    floors: dict[str, list[Room]] = {}
    for room in ordered:
        floors.setdefault(floor_of(room.number), []).append(room)
    others = "Other rooms" if any(floors) else ""
    return [(f"Floor {floor}" if floor else others, group) for floor, group in floors.items()]
