"""Demo hotels: the same seed always gives the same hotels."""

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from hotels import commands, queries
from hotels.entities import Hotel
from portal.seeding import DEFAULT_SEED, Collection, Seeder, size

HOTELS = (
    Hotel("seaside", "Grand Seaside Hotel", city="Brighton", currency="GBP", time_zone="Europe/London"),
    Hotel("lakeview", "Lake View Resort", city="Lugano", currency="CHF", time_zone="Europe/Zurich"),
    Hotel("altstadt", "Hôtel zur Altstadt", city="Zürich", currency="CHF", time_zone="Europe/Zurich"),
)
ADDED_AT = datetime(2022, 9, 1, 8, 0, tzinfo=UTC)
DEFAULT_ROOMS = (240, 2000, 60)


def demo_hotels(options: Mapping[str, Any]) -> list[Hotel]:
    """A demo hotel for each number of rooms in ``--rooms``. Each seed has its own hotels."""
    hotels = []
    for number, rooms in enumerate(options["rooms"]):
        hotel = HOTELS[number % len(HOTELS)]
        if number >= len(HOTELS):
            hotel = replace(hotel, hotel_id=f"hotel-{number + 1}", name=f"Hotel {number + 1}", city="")
        if (seed := options["seed"]) != DEFAULT_SEED:
            hotel = replace(hotel, hotel_id=f"{hotel.hotel_id}-{seed}", name=f"{hotel.name} {seed}")
        hotels.append(replace(hotel, added_at=ADDED_AT, rooms=rooms))
    return hotels


class HotelSeeder(Seeder):
    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--rooms",
            type=size,
            nargs="+",
            default=DEFAULT_ROOMS,
            metavar="N",
            help=f"Number of rooms, one for each hotel to create (default: {' '.join(map(str, DEFAULT_ROOMS))})",
        )

    def has_data(self) -> bool:
        return bool(queries.first_hotels(1))

    def collections(self, options: Mapping[str, Any]) -> Iterator[Collection[Hotel]]:
        hotels = demo_hotels(options)
        yield Collection("hotel", len(hotels), hotels, commands.save_hotels)
