"""``manage.py order_shards N``: raise the number of shards of each status of unfinished orders."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from dynamodb_lists.connection.errors import DynamoDBError
from dynamodb_lists.planning.wording import counted
from orders import commands, queries

MOST_SHARDS = 16
"""A page of all unfinished orders sends three requests for each shard."""


class Command(BaseCommand):
    help = (
        "Show the number of shards that each status of unfinished orders has, or raise it to N. Safe beside the "
        "running portal. It takes two minutes, and may be stopped and repeated."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("number", type=int, nargs="?", choices=range(1, MOST_SHARDS + 1), metavar="N")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            for shards in commands.raise_shards(options["number"]) if options["number"] else ():
                self.stdout.write(f"{shards.read} shards are read, {shards.written} written.")
            shards = queries.stored_shards()
        except (DynamoDBError, ValueError) as error:
            raise CommandError(f"{error} Run the command again: it goes on.") from error
        self.stdout.write(f"Each status of unfinished orders has {counted(shards.written, 'shard')}.")
