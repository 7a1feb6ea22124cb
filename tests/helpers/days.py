"""A hotel whose day is not UTC's, with rooms of yesterday, today and tomorrow: the data of every test of days."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

from django.contrib.auth.models import User

from hotels.commands import save_hotels
from hotels.entities import Hotel
from portal.people import person_id
from portal.times import now, today_in
from rooms import commands
from rooms.entities import Room, StatusChange
from rooms.entities.rooms import Steps
from rooms.statuses import Housekeeping, Priority, Service
from tests.helpers.people import bind, join
from tests.helpers.rooms import ABC, make_room

FAR_ZONES = ("Pacific/Kiritimati", "Pacific/Niue")
"""At each hour, one of them has not UTC's day."""
DAYS = {-1: "yesterday", 0: "today", 1: "tomorrow"}
RUSH, QUIET = Priority.RUSH, Priority.DO_NOT_DISTURB
TO_CLEAN, CLEANED, URGENT, UNDISTURBED, REPAIR, RUSHED = (f"{door:02d}" for door in range(1, 7))
"""The ends of room numbers, by what each room is on its day: dirty and Zoe's; clean and Amy's; dirty, rush and
nobody's; dirty, not to be disturbed and Zoe's; dirty, Zoe's and out of order until the day; clean, rush and Amy's."""


def far_zone() -> str:
    """Return a time zone whose day is not UTC's now."""
    return next(zone for zone in FAR_ZONES if today_in(zone) != today_in())


def make_housekeeper(username: str, name: str = "", *hotel_ids: str) -> User:
    first, _, last = name.partition(" ")
    user = User.objects.create_user(username, first_name=first, last_name=last, is_staff=True)
    join(user, "Housekeeping")
    bind(user, *(hotel_ids or (ABC,)))
    return user


def on(day: str, *ends: str) -> list[str]:
    """Return the numbers of the rooms of a day: those of today begin with 2."""
    return [f"{[*DAYS.values()].index(day) + 1}{end}" for end in ends]


def make_days(hotel_id: str = ABC) -> tuple[User, User]:
    """Store the hotel, and return its cleaners, Zoe and Amy. Their names sort in another order than their numbers."""
    zone = far_zone()
    save_hotels([Hotel(hotel_id, "Far", currency="EUR", time_zone=zone)])
    people = make_housekeeper("amy", "Zoe Abel", hotel_id), make_housekeeper("zoe", "Amy Zorn", hotel_id)
    commands.save_rooms([*_rooms(hotel_id, today_in(zone), *map(person_id, people))])
    return people


def _rooms(hotel_id: str, today: date, zoe: str, amy: str) -> Iterator[Room]:
    for days, name in DAYS.items():
        day = today + timedelta(days=days)
        planned: dict[str, dict[str, Any]] = {
            TO_CLEAN: {"housekeeping": Housekeeping.DIRTY, "assignee": zoe},
            CLEANED: {"assignee": amy},
            URGENT: {"housekeeping": Housekeeping.DIRTY, "priority": RUSH},
            UNDISTURBED: {"housekeeping": Housekeeping.DIRTY, "priority": QUIET, "assignee": zoe},
            REPAIR: {
                "housekeeping": Housekeeping.DIRTY,
                "assignee": zoe,
                "service": Service.OUT_OF_ORDER,
                "reason": f"Until {name}",
                "until": day,
            },
            RUSHED: {"priority": RUSH, "assignee": amy},
        }
        for number, values in zip(on(name, *planned), planned.values(), strict=True):
            cleaned = values.get("assignee") == amy and days <= 0
            steps = Steps(now() + timedelta(days=days), "zoe") if cleaned else Steps()
            yield StatusChange(**values, day=day).of(make_room(number, hotel_id=hotel_id, steps=steps))
