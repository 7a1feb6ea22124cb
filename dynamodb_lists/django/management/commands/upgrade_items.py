from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from dynamodb_lists.connection.errors import DynamoDBError
from dynamodb_lists.django.management import progress
from dynamodb_lists.maintenance import scans, upgrades
from dynamodb_lists.schema import tables

SHOWN = 10
"""How many of the items that could not be upgraded are named."""

MAX_SEGMENTS = 64
STOPPED = 130
"""The exit status that a shell expects of a command that Ctrl-C has ended."""


class Command(BaseCommand):
    help = (
        "Bring items that an earlier release wrote forward to the present version. It reads every item, is safe beside "
        "the running portal, and may be stopped and repeated. The exit status is 1 if items are left."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--table", metavar="NAME", help="Only this table, with or without the prefix")
        parser.add_argument(
            "--segments",
            type=int,
            choices=range(1, MAX_SEGMENTS + 1),
            default=scans.SEGMENTS,
            metavar="N",
            help=f"Segments of a table to read at once, 1 to {MAX_SEGMENTS} (default: {scans.SEGMENTS})",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        left = 0
        try:
            for table in self._tables(options["table"]):
                left += self._upgrade(table, options["segments"])
        except (DynamoDBError, KeyboardInterrupt) as error:
            why, code = ("Stopped.", STOPPED) if isinstance(error, KeyboardInterrupt) else (error, 1)
            again = "What is written stays. Run the same command again: it goes on."
            raise CommandError(f"{why} {again}", returncode=code) from error
        if left:
            raise CommandError(f"{left} left. Run the command again for items that were changed meanwhile.")

    def _tables(self, name: str | None) -> list[str]:
        if name is None:
            return tables.names()
        chosen = [table for table in tables.names() if table in {name, tables.table_name(name)}]
        if not chosen:
            raise CommandError(f"There is no table {name}. The tables are: {', '.join(tables.names())}.")
        return chosen

    def _upgrade(self, table: str, segments: int) -> int:
        """Upgrade a table, and show the progress; returns how many items are left."""
        items = left = 0
        failed: list[str] = []
        with progress.shown(self.stderr, "items", tables.size_of(table) or None, table) as update:
            for page in upgrades.upgrade(table, segments):
                items += page.result.items
                left += page.result.changed_meanwhile + len(page.result.failed)
                failed += page.result.failed
                update(page.read)
        self.stdout.write(f"{table}: {items} upgraded, {left} left.")
        for reason in failed[:SHOWN]:
            self.stderr.write(f"  {reason}")
        if len(failed) > SHOWN:
            self.stderr.write(f"  and {len(failed) - SHOWN} more")
        return left
