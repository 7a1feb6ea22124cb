"""What hotels store and read, for ``manage.py estimate_cost``."""

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from typing import Any

from hotelapp.dynamodb.deployment.workloads import PageLoad, Read, Stock, Workload, positive, register, stocks_of
from hotelapp.history.workload import ACTOR, STAMP
from hotels.commands import HotelWriter
from hotels.entities import Hotel
from hotels.models import HotelModel, HotelWordModel
from hotels.seeding import DemoHotel

DEFAULT_HOTELS = 5000
SAMPLES = 5
PAGE = 26
"""The rows that a list reads for a page of 25."""


def sample_hotels(rooms: int, number: int = SAMPLES) -> list[DemoHotel]:
    """Hotels whose rooms, orders and reviews are samples."""
    return [DemoHotel(_hotel(n), rooms) for n in range(number)]


def _hotel(number: int) -> Hotel:
    name = f"Grand Hotel {number}"
    values = {"currency": "GBP", "time_zone": "Europe/London", "revision": 1, **STAMP}
    return Hotel(f"hotel-{number:05d}", name, city="Brighton", **values)


@register
class HotelWorkload(Workload):
    """The hotels, all in one partition."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """How many hotels."""
        parser.add_argument("--hotels", type=positive, default=DEFAULT_HOTELS, metavar="N")

    def stocks(self, options: Mapping[str, Any]) -> Iterator[Stock]:
        """The hotels and their words."""
        hotels = [({"hotel": demo.hotel.hotel_id}, demo.hotel) for demo in sample_hotels(0)]
        yield from stocks_of(HotelWriter(ACTOR), hotels, options["hotels"], {"hotel": options["hotels"]})

    def pages(self, options: Mapping[str, Any]) -> Iterator[PageLoad]:
        """The list of hotels, and the hotels found by words."""
        yield PageLoad("hotels", [Read(HotelModel, PAGE)], 5)
        yield PageLoad("hotels by words", [Read(HotelWordModel, PAGE), Read(HotelModel, PAGE)], 1)
