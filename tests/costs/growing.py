"""What pages of rooms cost while a hotel grows, against one Query of all its rooms without local indexes."""

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from math import ceil
from typing import Any

from dynamodb_lists.planning.selection import Selection
from dynamodb_lists.schema import tables
from hotels import commands as hotel_commands
from rooms import keys
from rooms.entities import RoomQuery
from rooms.models import RoomModel
from rooms.statuses import Service
from tests.costs.data import ABC, HOTEL, demo_rooms, save_rooms
from tests.costs.measuring import recorded, size, units
from tests.helpers.contents import items_of
from tests.helpers.rooms import rooms_page
from tests.helpers.tables import forget_counts

SIZES = (25, 50, 100, 200, 500, 1000, 2000)
PAGES = {
    "by size": RoomQuery(sort=keys.SIZE),
    "sea view, by rate": RoomQuery(Selection({keys.VIEW: frozenset({"sea-view"})}), sort=keys.RATE),
    "dearest first": RoomQuery(sort=keys.RATE, descending=True),
    "out of order": RoomQuery(statuses=frozenset({Service.OUT_OF_ORDER}), sort=keys.SIZE),
}
UNIT, QUERY = 4096, 1 << 20
"""The bytes that half a read unit pays for, and those that a Query returns at most."""


def measure(largest: int) -> dict[str, Any]:
    """For a hotel of each size up to ``largest``: its combinations, the units and requests of pages, and of one read
    without LSIs.
    """
    hotel_commands.save_hotels([HOTEL])
    rooms, found = demo_rooms(SIZES[-1]), {}
    for before, number in pairwise((0, *(number for number in SIZES if number <= largest))):
        save_rooms(rooms[before:number])
        found[str(number)] = {
            "combinations": len({room.facets for room in rooms[:number]}),
            "pages": [cost(partial(rooms_page, ABC, query)) for query in PAGES.values()],
            "whole": _whole(),
        }
    return found


def cost(read: Callable[[], object]) -> list[float]:
    """What reading costs a process that has kept no counts: units and requests."""
    forget_counts()
    with recorded() as answers:
        read()
    return [sum(units(answer for _, answer in answers).values()), len(answers)]


def _whole() -> list[float]:
    """The units and requests that read every stored room, if rooms had no keys of local indexes."""
    table = RoomModel.Meta.table_name
    indexes = tables.definition(table)["LocalSecondaryIndexes"]
    local = {part["AttributeName"] for index in indexes for part in index["KeySchema"] if part["KeyType"] == "RANGE"}
    stored_rooms = [item for item in items_of(table).values() if item["kind"]["S"] == RoomModel.kind]
    total = sum(size({name: item[name] for name in item.keys() - local}) for item in stored_rooms)
    return [ceil(total / UNIT) / 2, ceil(total / QUERY)]
