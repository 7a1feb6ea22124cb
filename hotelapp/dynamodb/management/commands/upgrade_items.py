"""``manage.py upgrade_items``: bring items of earlier versions forward."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from hotelapp.dynamodb.maintenance import upgrades
from hotelapp.dynamodb.maintenance.upgrades import Upgraded
from hotelapp.dynamodb.management.table_command import TableCommand
from hotelapp.dynamodb.schema import tables

SHOWN = 10
"""How many of the items that could not be upgraded are named."""


class Command(TableCommand):
    """Upgrades items beside the running portal. It may be stopped and repeated; a second run finds nothing to do."""

    help = (
        "Bring items that an earlier release wrote forward to the present version. It reads every item, is safe beside "
        "the running portal, and may be stopped and repeated. The exit status is 1 if items are left."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--table", metavar="NAME", help="Only this table, with or without the prefix")
        super().add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Upgrade table by table. Raises :class:`CommandError` if items are left, or the database is unavailable."""
        left = 0
        for table in self._tables(options["table"]):
            result = Upgraded()
            with self.repeatable():
                pages = upgrades.upgrade(table, options["segments"])
                for page in self.progress(table, table, pages):
                    result.add(page)
            self._report(table, result)
            left += result.left
        if left:
            raise CommandError(f"{left} left. Run the command again for items that were changed meanwhile.")

    def _tables(self, name: str | None) -> list[str]:
        if name is None:
            return tables.names()
        chosen = [table for table in tables.names() if table in {name, tables.table_name(name)}]
        if not chosen:
            raise CommandError(f"There is no table {name}. The tables are: {', '.join(tables.names())}.")
        return chosen

    def _report(self, table: str, result: Upgraded) -> None:
        self.stdout.write(f"{table}: {result.items} upgraded, {result.left} left.")
        for reason in result.failed[:SHOWN]:
            self.stderr.write(f"  {reason}")
        if len(result.failed) > SHOWN:
            self.stderr.write(f"  and {len(result.failed) - SHOWN} more")
