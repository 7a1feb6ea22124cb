from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from dynamodb_lists.connection.errors import DynamoDBError
from dynamodb_lists.maintenance import upgrades
from dynamodb_lists.schema import tables

SHOWN = 10
"""How many of the items that could not be upgraded are named."""


class Command(BaseCommand):
    help = (
        "Bring items that an earlier release wrote forward to the present version. It reads every item, is safe beside "
        "the running portal, and may be stopped and repeated. The exit status is 1 if items are left."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            left = sum(map(self._upgrade, tables.names()))
        except DynamoDBError as error:
            raise CommandError(f"{error} What is written stays. Run the same command again: it goes on.") from error
        if left:
            raise CommandError(f"{left} left. Run the command again for items that were changed meanwhile.")

    def _upgrade(self, table: str) -> int:
        """Upgrade a table; returns how many items are left."""
        items = left = 0
        failed: list[str] = []
        with tqdm(total=tables.size_of(table) or None, unit=" items", desc=table, disable=None) as bar:
            for page in upgrades.upgrade(table):
                items += page.result.items
                left += page.result.changed_meanwhile + len(page.result.failed)
                failed += page.result.failed
                bar.update(page.read)
        self.stdout.write(f"{table}: {items} upgraded, {left} left.")
        for reason in failed[:SHOWN]:
            self.stderr.write(f"  {reason}")
        if len(failed) > SHOWN:
            self.stderr.write(f"  and {len(failed) - SHOWN} more")
        return left
