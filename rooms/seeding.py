"""Made-up hotels and rooms: the same seed always gives the same data."""

from collections.abc import Iterator
from decimal import Decimal
from random import Random

from rooms.values import Hotel, Room

HOTELS = (
    ("seaside", "Grand Seaside Hotel", "Brighton"),
    ("lakeview", "Lake View Resort", "Lugano"),
    ("altstadt", "Hôtel zur Altstadt", "Zürich"),
)
CURRENCIES = ("GBP", "CHF", "CHF")
VIEWS = ("Sea view", "Garden view", "City view", "Pool view", "Courtyard", "Mountain view")
TYPES = (("Single", 18), ("Double", 24), ("Twin", 24), ("Deluxe", 32), ("Family", 40), ("Suite", 55))
FLOOR_ROOMS = 40
DEFAULT_SEED = 1


def hotel(seed: int, place: int) -> Hotel:
    """The hotel at a place, from 0: a few with names of their own, then as many as are asked for.

    Each seed has hotels of its own, so that seeding with another one changes nobody's rooms.
    """
    hotel_id, name, city = HOTELS[place] if place < len(HOTELS) else (f"hotel-{place + 1}", f"Hotel {place + 1}", "")
    return Hotel(hotel_id, name, city) if seed == DEFAULT_SEED else Hotel(f"{hotel_id}-{seed}", f"{name} {seed}", city)


def currency(place: int) -> str:
    """The currency of the hotel at a place."""
    return CURRENCIES[place % len(CURRENCIES)]


def rooms(seed: int, place: int, number_of_rooms: int) -> Iterator[Room]:
    """The rooms of the hotel at a place; numbers say the floor first: 101, 102, ..."""
    random = Random(f"{seed}:{place}")
    hotel_id = hotel(seed, place).hotel_id
    for index in range(number_of_rooms):
        floor, door = divmod(index, FLOOR_ROOMS)
        type_, smallest = random.choice(TYPES)
        size = smallest + random.randrange(0, 12, 2)
        yield Room(
            hotel_id=hotel_id,
            number=f"{floor + 1}{door + 1:02d}",
            view=random.choice(VIEWS),
            size=size,
            type=type_,
            rate=Decimal(size * random.randint(3, 6)) + Decimal("0.50"),
            currency=currency(place),
        )
