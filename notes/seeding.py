"""Demo notes: the same seed always gives the same notes."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from random import Random
from typing import Any

from django.contrib.auth.models import User

from hotels.entities import Hotel
from hotels.seeding import demo_hotels
from hotels.staff_hotels import staff_of
from notes import commands
from notes.entities import Kind, Note, State
from portal.seeding import Collection
from portal.times import in_zone

ROOM, LATEST, LONGEST, HOURS = "room:1{:02d}", -2, 5, 60
"""What a note about a room of the first floor is about, between which days from today it ends, and how old it is."""
STAFF = ("receptionist", "lena", "sam", "housekeeper", "anna", "ben")
TEXTS: tuple[tuple[Kind, str, str], ...] = (
    (Kind.NOTE, "", "The lift is slow today, so send heavy luggage by the service lift."),
    (Kind.NOTE, "", "Fire drill on Thursday at ten: tell guests at check-in."),
    (Kind.NOTE, ROOM, "Wants to be woken at 06:30, and a taxi at seven."),
    (Kind.NOTE, ROOM, "Möchte nur Federkissen. Bitte täglich prüfen."),
    (Kind.NOTE, ROOM, "Birthday on Saturday: flowers before they come."),
    (Kind.JOB, ROOM, "The reading lamp on the left does not work."),
    (Kind.JOB, ROOM, "La porte du balcon ferme mal."),
    (Kind.JOB, ROOM, "The shower drains slowly."),
    (Kind.JOB, "", "Two bulbs are out in the corridor of the second floor."),
    (Kind.LOST, ROOM, "Black umbrella with a wooden handle"),
    (Kind.LOST, ROOM, "Reading glasses in a blue case"),
    (Kind.LOST, "", "Child's teddy bear, brown, one ear torn"),
)
PLACES, HANDED = ("Under the bed", "In the wardrobe", "Breakfast room", "Lobby"), ("Its owner, at check-out", "Post")


def notes(random: Random, hotel: Hotel, options: Mapping[str, Any]) -> Iterator[Note]:
    """Yield the notes of a hotel: a third are done, and most jobs are for somebody, and end soon."""
    usernames = staff_of(hotel.hotel_id, "notes.view_note", User.get_username)
    ids = {username: person for person, username in usernames.items()}
    today, doors = in_zone(options["until"], hotel.time_zone).date(), max(min(hotel.rooms, 40), 1)
    for number, (kind, about, text) in enumerate(TEXTS):
        is_done, is_job, is_lost = random.random() < 1 / 3, kind == Kind.JOB, kind == Kind.LOST
        yield Note(
            hotel_id=hotel.hotel_id,
            note_id=f"demo-{number:02d}",
            kind=kind,
            text=text,
            about=about.format(1 + random.randrange(doors)),
            person=ids.get(random.choice(STAFF), "") if is_job else "",
            until=today + timedelta(days=random.randint(LATEST, LONGEST)) if is_job else None,
            place=random.choice(PLACES) if is_lost else "",
            handed_to=random.choice(HANDED) if is_lost and is_done else "",
            status=State.DONE if is_done else State.OPEN,
            written_at=options["until"] - timedelta(minutes=random.randrange(HOURS * 60)),
            written_by=random.choice(STAFF),
        )


def demo_data(options: Mapping[str, Any]) -> Iterator[Collection[Note]]:
    hotels, seed = demo_hotels(options), options["seed"]
    found = (note for each in hotels for note in notes(Random(f"notes:{seed}:{each.hotel_id}"), each, options))
    yield Collection("note", len(TEXTS) * len(hotels), found, commands.save_notes)
