from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from dynamodb_lists.connection.configuration import scoped
from dynamodb_lists.connection.errors import DynamoDBError
from dynamodb_lists.django.declaring import rules
from dynamodb_lists.maintenance.rules import Unread
from dynamodb_lists.maintenance.verification import TableCheck
from dynamodb_lists.planning.request_cost import MINIMUM_BYTES
from dynamodb_lists.schema.tables import size_of


class Command(BaseCommand):
    help = (
        "Read all data, and check that counts, totals, words and index keys agree with it, while others write. Exit "
        "status 1: a fault is left."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--repair", action="store_true", help="Repair counts, totals, words and index keys")
        unread = "With --repair, for items that cannot be read: reset the fields to their defaults, or delete the items"
        parser.add_argument("--unread", type=Unread, choices=[*Unread], help=unread)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            tables = sorted({rule.model.Meta.table_name for rule in rules()})
            if not tables:
                raise CommandError("Nothing was checked, because no app declares rules.")
            left = sum(self._check(name, options["repair"], options["unread"]) for name in tables)
        except DynamoDBError as error:
            raise CommandError(f"{error} Run the command again: what was repaired stays.") from error
        if left:
            raise CommandError(f"Faults left: {left}.")

    def _check(self, name: str, repair: bool, unread: Unread | None) -> int:
        """Check a table, and return the number of faults that are left."""
        label, faults, left = scoped(name), 0, 0
        check, (items, size) = TableCheck(name, rules(), repair=repair, unread=unread), size_of(name)
        units = f"{size / MINIMUM_BYTES / 2:,.0f}" if size else "an unknown number of"
        self.stdout.write(f"{label}: about {items:,} items, {units} read units, as DynamoDB counts every six hours.")
        with tqdm(total=items or None, unit=" items", desc=label, disable=None) as bar:

            def confirming(groups: int) -> None:
                bar.reset()
                bar.total = None
                bar.set_description(f"{label}: {groups} groups differ, and are read again")

            for fault in check.faults(bar.update, confirming):
                faults += 1
                left += not fault.repaired
                note = " Repaired." if fault.repaired else ""
                self.stderr.write(f"{label}: {fault.text}.{note}")
        self.stdout.write(f"{label}: {check.read} items read, faults: {faults}, repaired: {faults - left}.")
        return left
