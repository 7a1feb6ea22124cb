"""The base of the commands that read whole tables."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from hotelapp.dynamodb.connection.errors import DynamoDBError
from hotelapp.dynamodb.maintenance import scans
from hotelapp.dynamodb.maintenance.scans import ScannedPage

T = TypeVar("T")

MAX_SEGMENTS = 64
STOPPED = 130
"""The exit status that a shell expects of a command that Ctrl-C has ended."""


class TableCommand(BaseCommand):
    """A command that may be stopped and repeated, and reads several segments of a table at once."""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--segments",
            type=int,
            choices=range(1, MAX_SEGMENTS + 1),
            default=scans.SEGMENTS,
            metavar="N",
            help=f"Segments of a table to read at once, 1 to {MAX_SEGMENTS} (default: {scans.SEGMENTS})",
        )

    def progress(self, table: str, title: str, pages: Iterator[ScannedPage[T]]) -> Iterator[T]:
        """The results of the pages of a Scan, with a progress bar on a terminal."""
        total = scans.size_of(table) or None
        with tqdm(total=total, unit=" items", desc=title, disable=None) as bar:
            for page in pages:
                yield page.result
                bar.update(page.read)

    @contextmanager
    def repeatable(self) -> Iterator[None]:
        """Turn an error of the database, or Ctrl-C, into a :class:`CommandError` that says how to go on."""
        try:
            yield
        except (DynamoDBError, KeyboardInterrupt) as error:
            why, code = ("Stopped.", STOPPED) if isinstance(error, KeyboardInterrupt) else (error, 1)
            again = "What is written stays. Run the same command again: it goes on."
            raise CommandError(f"{why} {again}", returncode=code) from error
