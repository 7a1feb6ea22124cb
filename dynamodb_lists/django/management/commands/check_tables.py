from typing import Any

from django.core.management.base import BaseCommand, CommandError

from dynamodb_lists.connection.configuration import scoped
from dynamodb_lists.connection.errors import Unavailable
from dynamodb_lists.declared.told import Table
from dynamodb_lists.lists.list import tables_of_others
from dynamodb_lists.maintenance.misfits import misfits
from dynamodb_lists.maintenance.scans import sample
from dynamodb_lists.schema import tables


class Command(BaseCommand):
    help = (
        "Compare every DynamoDB table with what this release declares, and samples of the tables that others fill with "
        "their lists. Writes nothing. Exit status 1: they differ."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            found = sum(map(self._check, tables.names())) + sum(map(self._check_sample, tables_of_others()))
        except Unavailable as error:
            raise CommandError(f"{error} Is DynamoDB running, and are its settings right?") from error
        if found:
            raise CommandError("The tables are not as declared. See above what differs.")
        self.stdout.write("Every table is as declared.")

    def _check(self, name: str) -> int:
        """Compare a table; returns the number of differences."""
        label, described = scoped(name), tables.described(name)
        if described is None:
            self.stderr.write(f"{label}: the table is missing. Run manage.py create_tables.")
            return 1
        differences = list(tables.differences(name, described))
        for difference in differences:
            self.stderr.write(f"{label}: {difference.text}")
        return len(differences)

    def _check_sample(self, table: Table) -> int:
        """Compare a sample of a table that exists with its lists; returns the number of differences."""
        is_there = tables.description(table.name) is not None
        differences = [*misfits(table, sample(table.name, table.key)[0])] if is_there else ["the table is missing."]
        for text in differences:
            self.stderr.write(f"{scoped(table.name)}: {text}")
        return len(differences)
