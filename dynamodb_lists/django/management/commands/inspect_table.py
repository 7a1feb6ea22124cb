from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from dynamodb_lists.connection.errors import DynamoDBError
from dynamodb_lists.maintenance.inspection import declaration, table_of
from dynamodb_lists.maintenance.scans import SAMPLED, sample
from dynamodb_lists.schema import drift, tables


class Command(BaseCommand):
    help = "Print a first declaration of a table that exists, from its description and a sample of at most 300 items."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("table", help="Name of the table in DynamoDB")

    def handle(self, *args: Any, table: str, **options: Any) -> None:
        try:
            described = tables.description(table)
            found = table_of(table, drift.facts(described)) if described else None
            items, units = sample(table, found.key) if found else ([], 0)
        except DynamoDBError as error:
            raise CommandError(str(error)) from error
        if described is None or found is None or not items:
            raise CommandError(f"There is no table {table}, or it has no items.")
        self.stdout.write(f"# {len(items)} of about {described['ItemCount']} items of {table} were read:")
        self.stdout.write(f"# some of {SAMPLED} segments of a Scan, {units:g} read units.")
        self.stdout.write(declaration(found, items))
