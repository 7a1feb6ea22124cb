from typing import Any

from django.core.management.base import BaseCommand, CommandError

from dynamodb_lists.connection.errors import Unavailable
from dynamodb_lists.schema import tables


class Command(BaseCommand):
    help = (
        "Create missing DynamoDB tables, add missing indexes to the others, set their TTL and protection, and wait "
        "until they are ready. Safe to repeat. Exit status 1: a table differs in a way that cannot be changed in place."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            failures = create_tables(self)
        except Unavailable as error:
            hint = "Is DynamoDB running, and are its settings right? The command can be run again."
            raise CommandError(f"{error} {hint}") from error
        if failures:
            raise CommandError("The tables are not as this release needs them. See above what cannot be done in place.")


def create_tables(command: BaseCommand) -> int:
    """Create tables and indexes, and return the number of differences that cannot be removed in place."""
    failures = 0
    for step in tables.migrate():
        (command.stderr if step.failed else command.stdout).write(str(step))
        failures += step.failed
    return failures
