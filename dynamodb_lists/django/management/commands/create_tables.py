from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from dynamodb_lists.connection.errors import Unavailable
from dynamodb_lists.schema import migration


class Command(BaseCommand):
    help = (
        "Create missing DynamoDB tables, add missing indexes to the others, set their TTL and protection, and "
        "wait until they are ready. Safe to repeat. The exit status is 1 if a table needs what cannot be done in place."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="Write nothing: name all that differs")

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        failures = 0
        try:
            for step in migration.differences() if check else migration.migrate():
                (self.stderr if step.failed else self.stdout).write(f"{step.table}: {step.text}")
                failures += step.failed
        except Unavailable as error:
            hint = "Is DynamoDB running, and are its settings right? The command can be run again."
            raise CommandError(f"{error} {hint}") from error
        if failures:
            raise CommandError("The tables are not as this release needs them. See above.")
