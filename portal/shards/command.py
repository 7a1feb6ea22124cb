"""The command that shows or raises a number of shards. Each sharding has one of its own."""

from typing import Any, ClassVar

from django.core.management.base import BaseCommand, CommandError, CommandParser

from dynamodb_lists.connection.errors import DynamoDBError
from dynamodb_lists.planning.wording import counted
from portal.shards.numbers import Sharding


class ShardsCommand(BaseCommand):
    sharding: ClassVar[Sharding]

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("number", type=int, nargs="?", choices=range(1, self.sharding.most + 1), metavar="N")

    def handle(self, *args: Any, **options: Any) -> None:
        sharding = self.sharding
        try:
            for shards in sharding.raise_to(options["number"]) if options["number"] else ():
                self.stdout.write(f"{shards.read} shards are read, {shards.written} written.")
            shards = sharding.stored()
        except (DynamoDBError, ValueError) as error:
            raise CommandError(f"{error} Run the command again: it goes on.") from error
        self.stdout.write(f"{sharding.words} has {counted(shards.written, 'shard')}.")
