from math import inf
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from dynamodb_lists.connection.errors import DynamoDBError
from dynamodb_lists.django.declaring import own_lists
from dynamodb_lists.django.management.commands.create_tables import create_tables
from dynamodb_lists.lists.list import List
from dynamodb_lists.maintenance.migration import migrate_list, plan


class Command(BaseCommand):
    help = (
        "Create the tables and indexes that lists declare, and fill indexes, counts and words. Run it before a new "
        "release starts, and with --finish once the old release has ended. Safe to stop and to repeat."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--plan", action="store_true", help="Only say what would be done, and what it costs")
        finish = "Verify, fill counts and words, and let pages use them. No older release may run any more"
        parser.add_argument("--finish", action="store_true", help=finish)
        most = "Limit of read and write units a second (default: no limit)"
        parser.add_argument("--units", type=float, default=inf, help=most)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            failed = 0 if options["plan"] else create_tables(self)
            failed += sum(self._migrate(each, options) for each in own_lists())
        except DynamoDBError as error:
            raise CommandError(f"{error} Run the command again: what was done stays.") from error
        if failed:
            raise CommandError("Not everything could be done. See above.")

    def _migrate(self, listed: List[Any], options: dict[str, Any]) -> int:
        """Migrate a list, and return the number of faults that are left."""
        name, wanted = listed.name, plan(listed)
        self.stdout.write(f"{name}: {wanted if wanted.lacks else 'the table has all that is declared.'}")
        if options["plan"] or not wanted.lacks:
            return 0
        with tqdm(total=wanted.items or None, unit=" items", desc=name, disable=None) as bar:
            units = options["units"]
            faults = migrate_list(listed, finish=options["finish"], most_units=units, progress=bar.update)
        for fault in faults:
            self.stderr.write(f"{name}: {fault}.")
        if not options["finish"]:
            self.stdout.write(f"{name}: filled. Once no older release runs, run migrate_lists --finish.")
        elif not faults:
            self.stdout.write(f"{name}: finished.")
        return len(faults)
