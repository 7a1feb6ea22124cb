"""Helpers for tests of rooms: rooms and hotels, and the invariant of the table."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from dynamodb_lists import Query
from hotels import commands as hotels
from hotels.entities import Hotel
from rooms import commands
from rooms.entities import Room
from rooms.lists import ROOMS
from tests.helpers.contents import scanned
from tests.helpers.kinds import faults_of

ABC = "abc"


def make_room(number: str, view: str = "Sea view", size: int = 40, type: str = "Suite", **other: Any) -> Room:  # noqa: A002
    """Return a room of the hotel ``abc``."""
    values: dict[str, Any] = {"hotel_id": ABC, "rate": Decimal("120.50"), "currency": "EUR", **other}
    return Room(number=number, view=view, size=size, type=type, **values)


def make_hotel(rooms: Sequence[Room] = (), hotel_id: str = ABC, name: str = "Hotel ABC") -> None:
    """Store a hotel with these rooms."""
    hotels.save_hotels([Hotel(hotel_id, name, "Paris", currency="EUR", time_zone="Europe/Paris")])
    for start in range(0, len(rooms), 90):
        commands.save_rooms(rooms[start : start + 90], packs=start + 90 >= len(rooms))


def of_abc(**conditions: Any) -> Query[Room]:
    """Return the rooms of the hotel ``abc`` that meet these conditions, by number."""
    return ROOMS.query(hotel_id=ABC).where(**conditions).order_by("number")


def all_items() -> Iterator[Mapping[str, Any]]:
    """Yield every item of the rooms' table. Tests may scan; pages never do."""
    yield from scanned(ROOMS.model.Meta.table_name)


def assert_in_step() -> None:
    """Check that rooms, facet counts, their packed copies, hotels' totals and statistics agree."""
    assert faults_of(ROOMS.model.Meta.table_name) == []
