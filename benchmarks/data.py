"""The measured hotels: any number of rooms in 150 combinations of view, size and type."""

from collections.abc import Iterator
from decimal import Decimal
from random import Random

from hotels.entities import Hotel
from rooms.entities import Room

HOTEL = Hotel("benchmark", "Benchmark hotel", city="Lugano")
VIEWS = ("Sea view", "Garden view", "City view", "Pool view", "Courtyard", "Mountain view")
SIZES = (18, 26, 35, 48, 70)
TYPES = ("Single", "Double", "Twin", "Family", "Suite")
FIRST_NUMBER = 1_000_001


def rooms(how_many: int, hotel_id: str = HOTEL.hotel_id) -> Iterator[Room]:
    """The first ``how_many`` rooms of a hotel. They are always the same."""
    random = Random(1)
    for number in range(FIRST_NUMBER, FIRST_NUMBER + how_many):
        size = random.choice(SIZES)
        yield Room(
            hotel_id=hotel_id,
            number=str(number),
            view=random.choice(VIEWS),
            size=size,
            type=random.choice(TYPES),
            rate=Decimal(size * random.randint(3, 6)) + Decimal("0.50"),
            currency="EUR",
        )
