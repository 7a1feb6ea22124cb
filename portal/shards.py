"""Shards of items to which everybody writes. Their number is stored in the table, and raised beside running processes.

Each process keeps the numbers for a while, so processes disagree for that time. Lists and sums would lack an item in a
shard that a process does not read. So there are two steps. First all processes read the new shards, which are empty.
Then, after every process must know them, writers use them. Stored items stay in their shards, which are read as before.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, cast

from django.core.cache import cache
from django.core.management.base import BaseCommand, CommandError, CommandParser

from dynamodb_lists import Field, ItemModel, Put, counted, errors, get_item, ledger

CACHE_SECONDS = 60
"""How long a process keeps the numbers."""

WAIT_SECONDS = 2 * CACHE_SECONDS
"""The time between the two steps. A process may take a while between the read of the numbers and their use."""


@dataclass(frozen=True, slots=True)
class Shards:
    """The numbers of shards: readers read all of ``read``, writers use the first ``written`` ones."""

    read: Annotated[int, Field("Shards to read")] = 1
    written: Annotated[int, Field("Shards to write")] = 1


@dataclass(frozen=True)
class Sharding:
    """Data in shards, named by ``words``. An item of ``model`` has the numbers; without the item, ``fewest``."""

    words: str
    model: type[ItemModel]
    fewest: int
    most: int

    def numbers(self) -> Shards:
        """Return the numbers, at most a minute old."""
        return cast(Shards, cache.get_or_set(self.model.kind, self.stored, CACHE_SECONDS))

    def stored(self) -> Shards:
        try:
            with ledger.purpose("shards"):
                return cast(Shards, self.model.built(get_item(self.model, *self.model.place_of(), consistent=True)))
        except errors.NotFound:
            return Shards(self.fewest, self.fewest)

    def raise_to(self, number: int) -> Iterator[Shards]:
        """Raise the number of shards; yields the numbers after each step. It may be stopped and repeated.

        Raises :class:`ValueError` for a number below the present one: readers would miss what is in the other shards.
        Raises :class:`~dynamodb_lists.connection.errors.Conflict` if another command changes the number.
        """
        before = self.stored()
        if number < before.read:
            raise ValueError(f"There are {before.read} shards. Their number can only grow.")
        if number > before.read:
            before = self._put(before, Shards(number, before.written))
            yield before
        if number > before.written:
            time.sleep(WAIT_SECONDS)
            yield self._put(before, Shards(number, number))

    def _put(self, before: Shards, after: Shards) -> Shards:
        """Write the numbers if they are as seen, or already as wanted: the answer to the first attempt may be lost."""
        read, written = self.model.attribute("read"), self.model.attribute("written")
        as_seen, wanted = ((read == each.read) & (written == each.written) for each in (before, after))
        Put(self.model.item(after), read.does_not_exist() | as_seen | wanted).send()
        return after


class ShardsCommand(BaseCommand):
    """The command that shows or raises a number of shards. Each sharding has one of its own."""

    sharding: ClassVar[Sharding]

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("number", type=int, nargs="?", choices=range(1, self.sharding.most + 1), metavar="N")

    def handle(self, *args: Any, **options: Any) -> None:
        sharding = self.sharding
        try:
            for shards in sharding.raise_to(options["number"]) if options["number"] else ():
                self.stdout.write(f"{shards.read} shards are read, {shards.written} written.")
            shards = sharding.stored()
        except (errors.DynamoDBError, ValueError) as error:
            raise CommandError(f"{error} Run the command again: it goes on.") from error
        self.stdout.write(f"{sharding.words} has {counted(shards.written, 'shard')}.")
