"""``manage.py seed_demo``: demo data of any size, the same for the same seed."""

from argparse import ArgumentTypeError
from itertools import islice
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from hotelapp.dynamodb.errors import DynamoDBError
from hotelapp.portal.importing import counted
from rooms import commands, queries, seeding

DEFAULT_ROOMS = (240, 2000, 60)
BATCH = 900


class Command(BaseCommand):
    """Writes hotels and rooms. Repeating it with the same options changes nothing."""

    help = "Write demo hotels and rooms. The same seed gives the same data; repeating it changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        """The seed and the sizes."""
        parser.add_argument(
            "--seed", type=int, default=seeding.DEFAULT_SEED, help="Each seed makes hotels of its own (default: 1)"
        )
        parser.add_argument(
            "--rooms",
            type=_size,
            nargs="+",
            default=DEFAULT_ROOMS,
            metavar="N",
            help="Number of rooms, one for each hotel to make (default: 240 2000 60)",
        )
        parser.add_argument("--if-empty", action="store_true", help="Do nothing if there is a hotel already")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the hotels one after the other."""
        sizes = options["rooms"]
        try:
            if options["if_empty"] and next(queries.hotels().stream(), None):
                self.stdout.write("There is data already; no demo data was made.")
                return
            with tqdm(total=sum(sizes), unit=" rooms", desc="Rooms", disable=None) as bar:
                written = sum(self._seed_hotel(options["seed"], place, size, bar) for place, size in enumerate(sizes))
        except DynamoDBError as error:
            raise CommandError(f"{error} Run the command again: what was written stays.") from error
        made = f"{counted(len(sizes), 'hotel')} with {counted(sum(sizes), 'room')}"
        self.stdout.write(f"{made}: {written} written, {sum(sizes) - written} there already.")

    def _seed_hotel(self, seed: int, place: int, size: int, bar: "tqdm[Any]") -> int:
        commands.save_hotel(seeding.hotel(seed, place))
        rooms = seeding.rooms(seed, place, size)
        written = 0
        while batch := list(islice(rooms, BATCH)):
            written += commands.save_rooms(batch)
            bar.update(len(batch))
        return written


def _size(text: str) -> int:
    if not text.isdecimal():
        raise ArgumentTypeError(f"{text!r} is no number of rooms")
    return int(text)
