"""Demo hotels: the same seed always gives the same hotels."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from hotels import commands
from hotels.entities import Hotel
from portal.seeding import DEFAULT_SEED, Collection

HOTELS = (
    Hotel("seaside", "Grand Seaside Hotel", city="Brighton", currency="GBP", time_zone="Europe/London"),
    Hotel("lakeview", "Lake View Resort", city="Lugano", currency="CHF", time_zone="Europe/Zurich"),
    Hotel("altstadt", "Hôtel zur Altstadt", city="Zürich", currency="CHF", time_zone="Europe/Zurich"),
)
ADDED_AT = datetime(2022, 9, 1, 8, 0, tzinfo=UTC)


def demo_hotels(options: Mapping[str, Any]) -> list[Hotel]:
    """Return a demo hotel for each number of rooms in ``--rooms``. Each seed has its own hotels."""
    hotels = []
    for number, rooms in enumerate(options["rooms"]):
        hotel = HOTELS[number % len(HOTELS)]
        if number >= len(HOTELS):
            hotel = replace(hotel, hotel_id=f"hotel-{number + 1}", name=f"Hotel {number + 1}", city="")
        if (seed := options["seed"]) != DEFAULT_SEED:
            hotel = replace(hotel, hotel_id=f"{hotel.hotel_id}-{seed}", name=f"{hotel.name} {seed}")
        hotels.append(replace(hotel, added_at=ADDED_AT, rooms=rooms))
    return hotels


def demo_data(options: Mapping[str, Any]) -> Iterator[Collection[Hotel]]:
    hotels = demo_hotels(options)
    yield Collection("hotel", len(hotels), hotels, commands.save_hotels)
