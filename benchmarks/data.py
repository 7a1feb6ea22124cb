"""The measured hotels: any number of rooms in 150 combinations of view, size and type, and 1,200 rooms in 1,160."""

from collections.abc import Iterator
from decimal import Decimal
from itertools import cycle, islice, product
from random import Random

from hotels.entities import Hotel
from rooms.entities import Room

HOTEL = Hotel("benchmark", "Benchmark hotel", city="Lugano")
VIEWS = ("Sea view", "Garden view", "City view", "Pool view", "Courtyard", "Mountain view")
SIZES = (18, 26, 35, 48, 70)
TYPES = ("Single", "Double", "Twin", "Family", "Suite")
VARIED = Hotel("varied", "Varied hotel", city="Lugano")
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


def varied_rooms() -> Iterator[Room]:
    """The rooms of :data:`VARIED`, which almost all differ in view, size or type."""
    views = [f"{view}, {where}" for view in VIEWS for where in ("high", "low")]
    facets = islice(product(views, range(20, 45), TYPES[:4]), 1160)
    for number, (view, size, type_) in enumerate(islice(cycle(facets), 1200), FIRST_NUMBER):
        yield Room(VARIED.hotel_id, str(number), view, size, type_, rate=Decimal(100 + number % 90), currency="EUR")
