"""``manage.py seed_demo``: demo data of any size. The same seed and time always give the same data."""

from collections.abc import Mapping
from datetime import datetime
from itertools import islice
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from dynamodb_lists.connection import private_files
from dynamodb_lists.connection.errors import DynamoDBError
from dynamodb_lists.django.declaring import declaring
from dynamodb_lists.planning.wording import counted
from dynamodb_lists.schema.keys import now
from portal.app_config import PortalConfig
from portal.seeding import DEFAULT_SEED, Collection, Seeder, moment, unfinished

BATCH = 900


class Command(BaseCommand):
    help = "Write demo data. The same seed and time give the same data, so a second run changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--seed",
            type=int,
            default=DEFAULT_SEED,
            help=f"Different seeds give different data (default: {DEFAULT_SEED})",
        )
        parser.add_argument(
            "--until",
            type=moment,
            default=now().replace(minute=0, second=0),
            metavar="TIME",
            help="Time of the newest data, in UTC (default: the present hour)",
        )
        parser.add_argument(
            "--if-empty",
            action="store_true",
            help="Do nothing if there is already data, but complete what such a command began",
        )
        for seeder in seeders():
            seeder.add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if not options["if_empty"]:
                self._write_all(options)
            elif begun := _begun(options["until"]):
                self._write_all({**options, "until": begun})
                unfinished().unlink()
            else:
                self.stdout.write("There is already data, so no demo data was written.")
        except DynamoDBError as error:
            raise CommandError(f"{error} Run the command again. It keeps what is already written.") from error

    def _write_all(self, options: Mapping[str, Any]) -> None:
        for seeder in seeders():
            for collection in seeder.collections(options):
                self._write(collection)

    def _write(self, collection: Collection[Any]) -> None:
        total, remaining, written = collection.total, iter(collection.entities), 0
        nouns = counted(2, collection.noun).removeprefix("2 ")
        with tqdm(total=total, unit=f" {nouns}", desc=nouns.capitalize(), disable=None) as bar:
            while batch := list(islice(remaining, BATCH)):
                written += collection.save(batch)
                bar.update(len(batch))
        self.stdout.write(f"{counted(total, collection.noun)}: {written:,} written, {total - written:,} already there.")
        self.stdout.flush()


def seeders() -> list[Seeder]:
    """The seeders of all apps, in the order of ``INSTALLED_APPS``."""
    return [app.seeder() for app in declaring(PortalConfig) if app.seeder]


def _begun(until: datetime) -> datetime | None:
    """The time of the data to write: that of an interrupted command, or ``until``; ``None`` if there is other data."""
    file = unfinished()
    if file.exists():
        return moment(file.read_text(encoding="utf-8"))
    if any(seeder.has_data() for seeder in seeders()):
        return None
    private_files.write(file, f"{until:%Y-%m-%dT%H:%M:%S}")
    return until
