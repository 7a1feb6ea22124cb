"""``manage.py seed_demo``: demo data of any size. The same seed and time always give the same data."""

from argparse import ArgumentTypeError
from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import chain, islice
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from dynamodb_lists import counted, errors
from hotelapp import private_files
from hotelapp.demo import unfinished
from hotels import queries
from hotels import seeding as hotels
from notes import seeding as notes
from orders import seeding as orders
from orders.lists import GUESTS
from portal.seeding import DEFAULT_SEED
from portal.times import now
from reviews import seeding as reviews
from rooms import seeding as rooms
from saved_views import seeding as saved_views

BATCH = 900
SEEDED = [each.demo_data for each in (hotels, rooms, orders, reviews, notes, saved_views)]
"""What gives the data of each app, in the order in which it is written."""

DEFAULT_ROOMS = (240, 2000, 60)
NUMBERS = (
    ("guests", 150, "guests"),
    ("orders", 600, "orders, if there are guests"),
    ("reviews", 400, "reviews of each hotel"),
)
"""The options that are numbers: for each its name, its default, and what it counts."""


class Command(BaseCommand):
    help = "Write demo data. The same seed and time give the same data, so a second run changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        words = "Seed of the random data (default: %(default)s)"
        parser.add_argument("--seed", type=int, default=DEFAULT_SEED, help=words)
        words = "Time of the newest data, in UTC (default: the present hour)"
        hour = now().replace(minute=0, second=0)
        parser.add_argument("--until", type=moment, default=hour, metavar="TIME", help=words)
        words = "Do nothing if there is data already, except to complete an interrupted seed_demo --if-empty"
        parser.add_argument("--if-empty", action="store_true", help=words)
        words = f"Number of rooms of each hotel to create (default: {' '.join(map(str, DEFAULT_ROOMS))})"
        parser.add_argument("--rooms", type=size, nargs="+", default=DEFAULT_ROOMS, metavar="N", help=words)
        for name, default, noun in NUMBERS:
            words = f"Number of {noun} (default: %(default)s)"
            parser.add_argument(f"--{name}", type=size, default=default, metavar="N", help=words)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if not options["if_empty"]:
                self._write_all(options)
            elif begun := _begun(options["until"]):
                self._write_all({**options, "until": begun})
                unfinished().unlink()
            else:
                self.stdout.write("There is already data, so no demo data was written.")
        except errors.DynamoDBError as error:
            raise CommandError(f"{error} Run the command again. It keeps what is already written.") from error

    def _write_all(self, options: Mapping[str, Any]) -> None:
        for collection in chain.from_iterable(demo_data(options) for demo_data in SEEDED):
            total, remaining, written = collection.total, iter(collection.entities), 0
            named, nouns = counted(total, collection.noun), counted(2, collection.noun).removeprefix("2 ")
            with tqdm(total=total, unit=f" {nouns}", desc=nouns.capitalize(), disable=None) as bar:
                while batch := list(islice(remaining, BATCH)):
                    written += collection.save(batch)
                    bar.update(len(batch))
            self.stdout.write(f"{named}: {written:,} written, {total - written:,} already there.")
            self.stdout.flush()


def moment(text: str) -> datetime:
    """Return the value of an option that is a time in UTC: ``2026-11-23T18:00``. Raises :class:`ValueError`."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def size(text: str) -> int:
    """Return the value of an option that is a number of entities. Raises :class:`argparse.ArgumentTypeError`."""
    if not text.isdecimal():
        raise ArgumentTypeError(f"{text!r} is not a number")
    return int(text)


def _begun(until: datetime) -> datetime | None:
    """Return the time of the data to write: of an interrupted command, or ``until``; ``None`` if data exist already."""
    file = unfinished()
    if file.exists():
        return moment(file.read_text(encoding="utf-8"))
    if queries.hotels().first(1) or GUESTS.query().first():
        return None
    private_files.write(file, f"{until:%Y-%m-%dT%H:%M:%S}")
    return until
