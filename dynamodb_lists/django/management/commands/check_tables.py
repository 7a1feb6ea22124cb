from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from dynamodb_lists.connection.configuration import scoped
from dynamodb_lists.connection.errors import Unavailable
from dynamodb_lists.lists.list import tables_of_others
from dynamodb_lists.maintenance.misfits import misfits
from dynamodb_lists.maintenance.scans import sample
from dynamodb_lists.schema import tables


class Command(BaseCommand):
    help = (
        "Compare every DynamoDB table with its declaration, and a sample of items of each table that exists with its "
        "lists. The command writes nothing. Exit status 1: something differs."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        differ = False
        try:
            for name, text in differences():
                differ = True
                self.stderr.write(f"{scoped(name)}: {text}")
        except Unavailable as error:
            raise CommandError(f"{error} Is DynamoDB running, and are its settings right?") from error
        if differ:
            raise CommandError("The tables are not as declared. See above what differs.")
        self.stdout.write("Every table is as declared.")


def differences() -> Iterator[tuple[str, str]]:
    """Yield each difference as a text, with its table: of tables that the program creates, and of tables that exist."""
    for name in tables.names():
        if (there := tables.described(name)) is None:
            yield name, "the table is missing. Run manage.py create_tables."
        else:
            yield from ((name, difference.text) for difference in tables.differences(name, there))
    for table in tables_of_others():
        if tables.description(table.name) is None:
            yield table.name, "the table is missing."
        else:
            yield from ((table.name, text) for text in misfits(table, sample(table.name, table.key)[0]))
