"""``manage.py seed_demo``: demo data of any size, the same for the same seed."""

from argparse import ArgumentTypeError
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any, TypeVar

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from hotelapp.dynamodb.errors import DynamoDBError
from hotelapp.portal.importing import counted
from orders import commands as order_commands
from orders import queries as order_queries
from orders import seeding as order_seeding
from reviews import commands as review_commands
from reviews import seeding as review_seeding
from rooms import commands as room_commands
from rooms import queries as room_queries
from rooms import seeding as room_seeding

T = TypeVar("T")
DEFAULT_ROOMS = (240, 2000, 60)
DEFAULT_GUESTS = 150
DEFAULT_ORDERS = 600
DEFAULT_REVIEWS = 400
BATCH = 900


class Command(BaseCommand):
    """Writes hotels, rooms, guests, orders and reviews. Repeating it with the same options changes nothing."""

    help = "Write demo data. The same seed gives the same data; repeating it changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        """The seed and the sizes."""
        parser.add_argument(
            "--seed", type=int, default=room_seeding.DEFAULT_SEED, help="Each seed makes data of its own (default: 1)"
        )
        parser.add_argument(
            "--rooms",
            type=_size,
            nargs="+",
            default=DEFAULT_ROOMS,
            metavar="N",
            help="Number of rooms, one for each hotel to make (default: 240 2000 60)",
        )
        parser.add_argument("--guests", type=_size, default=DEFAULT_GUESTS, metavar="N", help="(default: 150)")
        parser.add_argument("--orders", type=_size, default=DEFAULT_ORDERS, metavar="N", help="(default: 600)")
        parser.add_argument(
            "--reviews", type=_size, default=DEFAULT_REVIEWS, metavar="N", help="For each hotel (default: 400)"
        )
        parser.add_argument("--if-empty", action="store_true", help="Do nothing if there is a hotel or a guest already")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write hotel after hotel, then the guests and their orders."""
        try:
            if options["if_empty"] and _has_data():
                self.stdout.write("There is data already; no demo data was made.")
                return
            self._seed_rooms(options["seed"], options["rooms"])
            self._seed_orders(options["seed"], options["guests"], options["orders"], len(options["rooms"]))
            self._seed_reviews(options["seed"], options["reviews"], len(options["rooms"]))
        except DynamoDBError as error:
            raise CommandError(f"{error} Run the command again: what was written stays.") from error

    def _seed_rooms(self, seed: int, sizes: list[int]) -> None:
        written = 0
        with _bar("Rooms", sum(sizes)) as bar:
            for place, size in enumerate(sizes):
                room_commands.save_hotel(room_seeding.hotel(seed, place))
                written += _save(room_seeding.rooms(seed, place, size), room_commands.save_rooms, bar)
        self._report(f"{counted(len(sizes), 'hotel')} with {counted(sum(sizes), 'room')}", written, sum(sizes))

    def _seed_orders(self, seed: int, guests: int, orders: int, hotels: int) -> None:
        if not guests:
            self.stdout.write("Without guests no orders are made.")
            return
        made = order_seeding.guests(seed, guests)
        with _bar("Guests", guests) as bar:
            written = _save(made, order_commands.add_missing_guests, bar)
        self._report(counted(guests, "guest"), written, guests)
        places = [
            order_seeding.Place(room_seeding.hotel(seed, place).hotel_id, room_seeding.currency(place))
            for place in range(hotels)
        ]
        with _bar("Orders", orders) as bar:
            rows = order_seeding.orders(seed, orders, made, places)
            written = _save(rows, lambda batch: order_commands.save_orders(batch)[0], bar)
        self._report(counted(orders, "order"), written, orders)

    def _seed_reviews(self, seed: int, number: int, hotels: int) -> None:
        written = 0
        with _bar("Reviews", number * hotels) as bar:
            for place in range(hotels):
                rows = review_seeding.reviews(seed, room_seeding.hotel(seed, place).hotel_id, number)
                written += _save(rows, lambda batch: review_commands.save_reviews(batch)[0], bar)
        self._report(counted(number * hotels, "review"), written, number * hotels)

    def _report(self, made: str, written: int, total: int) -> None:
        self.stdout.write(f"{made}: {written} written, {total - written} there already.")


def _has_data() -> bool:
    lists = (room_queries.hotels(), order_queries.guests())
    return any(next(one.stream(), None) for one in lists)


def _bar(noun: str, total: int) -> "tqdm[Any]":
    return tqdm(total=total, unit=f" {noun.lower()}", desc=noun, disable=None)


def _save(rows: Iterable[T], save: Callable[[list[T]], int], bar: "tqdm[Any]") -> int:
    """Write the rows in batches; gives how many were not there already."""
    left = iter(rows)
    written = 0
    while batch := list(islice(left, BATCH)):
        written += save(batch)
        bar.update(len(batch))
    return written


def _size(text: str) -> int:
    if not text.isdecimal():
        raise ArgumentTypeError(f"{text!r} is no number")
    return int(text)
