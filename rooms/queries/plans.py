"""Plans of a day: who has which rooms on it."""

from collections.abc import Callable, Collection, Iterable
from datetime import date
from functools import partial
from typing import Any

from dynamodb_lists import begins
from dynamodb_lists.connection import ledger
from dynamodb_lists.reading.cursors import Position
from dynamodb_lists.reading.fetching import in_parallel
from dynamodb_lists.reading.listing import Grounds, Listing, Row
from dynamodb_lists.reading.sorting import SortedRows
from dynamodb_lists.schema.keys import prefix
from dynamodb_lists.schema.natural import natural
from hotels.queries import zone_of
from hotels.staff_hotels import staff_of
from portal.people import full_name
from portal.times import today_in
from rooms import keys
from rooms.entities import Room
from rooms.lists import ROOMS
from rooms.queries.room_lists import rooms_to_clean

FEW = "Those of a day are few, so they are read whole, and sorted in memory."


def cleaners(hotel_id: str, words: Callable[[Any], str] = full_name) -> dict[str, str]:
    """The names, or other ``words``, of those who may clean in a hotel, by ``person_id``.

    A plan may still name somebody whose account has ended, or who has lost the hotel or the role. That is nobody, on
    every page and in every file, so that no room waits for them.
    """
    return staff_of(hotel_id, "rooms.change_room_status", words)


def rooms_of_day(hotel_id: str, day: date, assignee: str = "") -> Listing[Room]:
    """R9: the rooms that a person has on a day of the hotel, the most urgent first; of everybody, person by person."""
    of_day = begins(prefix(*filter(None, (str(day), assignee))))
    query = ROOMS.query(hotel_id=hotel_id).only(keys.ASSIGNED).where(plan=of_day)
    return query.showing("responsible", keys.SINCE).listing()


def has_rooms_today(hotel_id: str, assignee: str) -> bool:
    """R9: whether a person has rooms today, on the day of the hotel."""
    with ledger.purpose("list"):
        return bool(rooms_of_day(hotel_id, today_in(zone_of(hotel_id)), assignee).take(1, None, backward=False))


def plan_of_day(hotel_id: str, day: date, people: Collection[str]) -> tuple[list[Room], list[Room]]:
    """R9 and R7 at the same time: the rooms with a plan for a day, and those to clean that none of ``people`` has."""
    lists = rooms_of_day(hotel_id, day), rooms_to_clean(hotel_id)
    planned, dirty = in_parallel([partial(_whole, each) for each in lists])
    return planned, [room for room in dirty if room.planned_on(day).assignee not in people]


def _whole(listing: Listing[Room]) -> list[Room]:
    with ledger.purpose("list"):
        return [*listing.stream()]


def rooms_in_order(selected: str, found: Iterable[Room], begin: Callable[[Room], str] = lambda _: "") -> Listing[Room]:
    """Rooms of a day that were read whole, by the beginning of their order, then by number."""
    rows = [Row(Position(f"{begin(room)}#{natural(room.number)}", ()), room) for room in found]
    return SortedRows(
        name="rooms of a day",
        selected=selected,
        index=keys.ASSIGNED,
        rows=sorted(rows),
        total=len(rows),
        grounds=Grounds(why=FEW),
    )
