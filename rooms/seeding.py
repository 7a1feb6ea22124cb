"""Demo rooms: the same seed always gives the same rooms."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import chain, starmap
from random import Random
from typing import Any

from django.contrib.auth.models import User

from hotels.entities import Hotel
from hotels.seeding import demo_hotels
from portal.seeding import Collection
from portal.times import in_zone, now
from rooms import commands, queries
from rooms.entities import Room, StatusChange
from rooms.entities.cleanings import Cleaning
from rooms.entities.rooms import Steps
from rooms.statuses import Housekeeping, Priority, Service

VIEWS = ("Sea view", "Garden view", "City view", "Pool view", "Courtyard", "Mountain view")
TYPES = (("Single", 18), ("Double", 24), ("Twin", 24), ("Deluxe", 32), ("Family", 40), ("Suite", 55))
FLOOR_ROOMS = 40
ENDINGS = {"CHF": ("-1.00", "-5.00", "-0.50", "-0.10")}
USUAL_ENDINGS = ("-1.00", "-1.00", "-5.00", "-0.10")
"""What is added to a multiple of ten, so that rates end as prices do: 129.00, 125.00 or 129.90."""

HOUSEKEEPING = {Housekeeping.CLEAN: 70, Housekeeping.INSPECTED: 20, Housekeeping.DIRTY: 10}
"""Of a hundred rooms, how many are in each state."""

OUT_OF_ORDER = 0.03
REASONS = ("Dripping tap", "New carpet", "Air conditioning is out", "Window does not close", "Painting", "No hot water")
RESPONSIBLE = ("Bauer, plumber", "House technician", "Cool Air Ltd.", "Night porter", "")
NOTES = ("A cot, please.", "The key sticks.", "Guest sleeps until noon.", "Check the minibar.", "Extra towels.")
NOTED = 0.06  # the share of rooms with a note
DIRTY_HOURS = 20
CLEANERS = ("anna", "ben")
CLEANERS_OF = {"lakeview": ("housekeeper", *CLEANERS)}
"""The usernames of those who clean, floor by floor; of hotels with an account of their own, by id."""
INSPECTS, CLEANED_HOURS, LONGEST_CLEAN = "sam", 6, 45
"""Who inspects, and the most hours and days ago that rooms with a plan and others were cleaned."""
MINUTES_A_ROOM = 18, 45
"""The fewest and most minutes that a room takes."""
PLANNED = {Housekeeping.CLEAN: 0.1, Housekeeping.INSPECTED: 0.05, Housekeeping.DIRTY: 0.75}
"""The shares of rooms that somebody has today."""
URGENT = {Priority.NORMAL: 80, Priority.RUSH: 12, Priority.DO_NOT_DISTURB: 5, Priority.NO_SERVICE: 3}
FLOORS_EACH = 2
"""How many floors one person cleans in a day: about 14 of their rooms."""
LATEST, LONGEST = 3, 14
"""The most days before and after today on which a repair is to end."""


def rooms(
    random: Random, hotel: Hotel, until: datetime | None = None, cleaners: Sequence[str] = CLEANERS
) -> Iterator[Room]:
    """Yield the ``hotel.rooms`` rooms of a hotel as they are at the time ``until``; by default, now.

    Numbers begin with the floor: 101, 102, ... The ``cleaners`` have the rooms, floor by floor; a blank one is nobody.
    """
    until, endings = until or now(), ENDINGS.get(hotel.currency, USUAL_ENDINGS)
    for index in range(hotel.rooms):
        floor, door = divmod(index, FLOOR_ROOMS)
        type_, smallest = random.choice(TYPES)
        size = smallest + random.randrange(0, 12, 2)
        room = Room(
            hotel_id=hotel.hotel_id,
            number=f"{floor + 1}{door + 1:02d}",
            view=random.choice(VIEWS),
            size=size,
            type=type_,
            rate=-(-size * random.randint(3, 6) // 10) * 10 + Decimal(random.choice(endings)),
            currency=hotel.currency,
            added_at=hotel.added_at,
        )
        luck = Random(f"{room.hotel_id}:{room.number}")
        room = with_plan(luck, with_status(luck, room, until), in_zone(until, hotel.time_zone).date(), floor, cleaners)
        yield with_steps(luck, room, until, floor)


def with_status(random: Random, room: Room, until: datetime) -> Room:
    """Return the room with a status. Rooms are dirty for some hours, and a few are out of order, for some days."""
    housekeeping = random.choices(tuple(HOUSEKEEPING), tuple(HOUSEKEEPING.values()))[0]
    change, hours = StatusChange(housekeeping), DIRTY_HOURS
    if random.random() < OUT_OF_ORDER:
        last_day = until.date() + timedelta(days=random.randint(-LATEST, LONGEST))
        reason, responsible = random.choice(REASONS), random.choice(RESPONSIBLE)
        change = StatusChange(housekeeping, Service.OUT_OF_ORDER, reason, last_day, responsible)
        hours = LONGEST * 24
    since = until - timedelta(minutes=random.randrange(hours * 60))
    note = random.choice(NOTES) if random.random() < NOTED else ""
    return change.of(replace(room, attention_since=since, note=note))


def with_plan(random: Random, room: Room, today: date, floor: int, cleaners: Sequence[str]) -> Room:
    """Return the room with a plan for today, if one of the cleaners has it."""
    on_a_floor = floor < FLOORS_EACH * len(cleaners)
    if not on_a_floor or room.out_of_order or random.random() > PLANNED[room.housekeeping]:
        return room
    (priority,) = random.choices(tuple(URGENT), tuple(URGENT.values()))
    return StatusChange(day=today, assignee=cleaners[floor // FLOORS_EACH], priority=priority).of(room)


def with_steps(random: Random, room: Room, until: datetime, floor: int) -> Room:
    """Return the room with the person who cleaned it, and when: today for most with a plan for today."""
    if room.housekeeping == Housekeeping.DIRTY:
        return room
    usernames = CLEANERS_OF.get(room.hotel_id, CLEANERS)
    hours = random.randrange(CLEANED_HOURS if room.plan else LONGEST_CLEAN * 24)
    cleaned = until - timedelta(hours=hours, minutes=random.randrange(60))
    steps = Steps(cleaned, usernames[floor // FLOORS_EACH % len(usernames)])
    if room.housekeeping == Housekeeping.INSPECTED:
        steps = replace(steps, inspected_at=cleaned + (until - cleaned) / 2, inspected_by=INSPECTS)
    return replace(room, steps=steps)


def cleaners_of(hotel_id: str) -> list[str]:
    """Return the ids of those who clean in a demo hotel; blank for people without an account there."""
    ids = {username: person for person, username in queries.cleaners(hotel_id, User.get_username).items()}
    return [ids.get(username, "") for username in CLEANERS_OF.get(hotel_id, CLEANERS)]


def worked(hotel: Hotel, rooms: Iterable[Room]) -> Iterator[commands.Worked]:
    """Yield what each of those who clean in a hotel cleaned on each day, as its rooms say it."""
    cleaned = defaultdict[tuple[str, str], list[Cleaning]](list)
    for room in rooms:
        if room.steps.cleaned_at:
            at = in_zone(room.steps.cleaned_at, hotel.time_zone).replace(tzinfo=None)
            minutes = Random(f"{room.hotel_id} {room.number}").randint(*MINUTES_A_ROOM)
            cleaned[str(at.date()), room.steps.cleaned_by].append(Cleaning(at, room.number, minutes))
    yield from ((hotel.hotel_id, day, person, found) for (day, person), found in cleaned.items())


def demo_data(options: Mapping[str, Any]) -> Iterator[Collection[Any]]:
    hotels, until = demo_hotels(options), options["until"] or now()

    def rooms_of(number: int, hotel: Hotel) -> Iterator[Room]:
        return rooms(Random(f"{options['seed']}:{number}"), hotel, until, cleaners_of(hotel.hotel_id))

    days = [day for number, hotel in enumerate(hotels) for day in worked(hotel, rooms_of(number, hotel))]
    all_rooms = chain.from_iterable(starmap(rooms_of, enumerate(hotels)))
    yield Collection("working day", len(days), days, commands.save_worked)
    yield Collection("room", sum(hotel.rooms for hotel in hotels), all_rooms, commands.save_rooms)
