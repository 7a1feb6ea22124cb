"""The floors of a hotel, as far as the numbers of its rooms tell them."""

import re
from collections.abc import Iterable
from itertools import groupby

from rooms import keys
from rooms.entities.rooms import Room

FLOOR_AND_DOOR = re.compile("([0-9]{1,2})[0-9]{2}[A-Za-z]?")
"""A number that tells its floor: two digits for the door, and one or two before them. A letter may follow."""


def floor_of(number: str) -> str:
    """The floor in a room number: "1" of 101 and 101A, "12" of 1203, blank for 7, 12345 and B12, which tell none."""
    found = FLOOR_AND_DOOR.fullmatch(number)
    return str(int(found[1])) if found else ""


def by_floor(rooms: Iterable[Room], *, descending: bool = False) -> list[tuple[str, list[Room]]]:
    """Rooms in natural order under the headings of their floors. Without any floor, there is one blank heading."""
    ordered = sorted(rooms, key=lambda room: keys.natural(room.number), reverse=descending)
    floors = [(floor, list(group)) for floor, group in groupby(ordered, key=lambda room: floor_of(room.number))]
    others = "Other rooms" if any(floor for floor, _ in floors) else ""
    return [(f"Floor {floor}" if floor else others, group) for floor, group in floors]
