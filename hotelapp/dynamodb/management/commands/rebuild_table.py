"""``manage.py rebuild_table``: copy a table into a new one that has the declared keys and indexes."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from hotelapp.dynamodb.maintenance import rebuilds
from hotelapp.dynamodb.management.table_command import TableCommand
from hotelapp.dynamodb.schema import tables

PASSES = 2

EQUAL = """{source} and {target} held the same items during the last pass.
If nothing wrote to {source} meanwhile, switch to the new table:
  1. Set DYNAMODB_TABLE_NAMES={name}={target} (add it to what the variable holds already).
  2. Run manage.py create_tables, which enables what a table has besides keys and indexes, such as the TTL.
  3. Start the portal. Delete {source} when you no longer need it.
If something may have written, stop it and run the same command again before you switch."""

DIFFERENT = """{source} changed while it was copied. Stop everything that writes to it (the portal and its commands),
and run the same command again. It writes only what differs, so the last pass is short."""


class Command(TableCommand):
    """Copies a table in two passes. Repeating it writes only what differs."""

    help = (
        "Copy a table into a new one with the declared keys and indexes, for changes that DynamoDB does not make in "
        "place (a key, an LSI). May be stopped and repeated: it writes only what differs. Writers must be stopped for "
        "the last run; the command says so, and how to switch. The exit status is 0 once both tables hold the same."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="The table, as its app names it, without the prefix: hotel-app")
        parser.add_argument("--to", required=True, metavar="NEW_NAME", help="The full name of the new table")
        super().add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Create the new table and copy. Raises :class:`CommandError` unless both tables hold the same."""
        name, target, segments = options["name"], options["to"], options["segments"]
        source = tables.table_name(name)
        if source not in tables.names():
            raise CommandError(f"There is no table {name}.")
        if target in tables.names():
            raise CommandError(f"The portal uses {target} already. Choose another name.")
        with self.repeatable():
            created = rebuilds.create(tables.declaring(source), target)
            self.stdout.write(f"{target}: {'created' if created else 'there already'}")
            changes = [self._copy(source, target, segments) for _ in range(PASSES)][-1]
        if changes:
            raise CommandError(DIFFERENT.format(source=source))
        self.stdout.write(EQUAL.format(name=name, source=source, target=target))

    def _copy(self, source: str, target: str, segments: int) -> int:
        """One pass; returns how many items were put or deleted."""
        put = sum(self.progress(source, f"Copy {source}", rebuilds.copy(source, target, segments)))
        surplus = rebuilds.remove_surplus(source, target, segments)
        deleted = sum(self.progress(target, f"Compare {target}", surplus))
        self.stdout.write(f"{source} to {target}: {put} copied, {deleted} deleted.")
        return put + deleted
