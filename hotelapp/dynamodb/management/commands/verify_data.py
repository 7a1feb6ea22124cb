"""``manage.py verify_data``: check that counts, totals, guards and keys agree with the items; mend them on request."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.module_loading import autodiscover_modules
from tqdm import tqdm

from hotelapp.dynamodb.connection.errors import DynamoDBError
from hotelapp.dynamodb.maintenance.invariants import GroupRule, ItemRule, group_rules, item_rules
from hotelapp.dynamodb.maintenance.verification import TableCheck
from hotelapp.dynamodb.schema import tables
from hotelapp.dynamodb.schema.models import PortalModel


class Command(BaseCommand):
    """Scans every table that has rules. It may run beside writers."""

    help = (
        "Read all data and check that counts, totals, number guards and index keys agree with it. May run while others "
        "write. Exit status 1: something does not agree, and was not repaired."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Whether to repair."""
        parser.add_argument("--repair", action="store_true", help="Mend counts, totals and index keys")

    def handle(self, *args: Any, **options: Any) -> None:
        """Check one table after the other. Raises :class:`CommandError` for faults that are left."""
        autodiscover_modules("invariants")
        rules: list[ItemRule | GroupRule] = [*item_rules, *group_rules]
        models = {rule.model.Meta.table_name: rule.model for rule in rules}
        try:
            left = sum(self._check(name, model, options["repair"]) for name, model in sorted(models.items()))
        except DynamoDBError as error:
            raise CommandError(f"{error} Run the command again: what was repaired stays.") from error
        if left:
            raise CommandError(f"Faults left: {left}.")

    def _check(self, name: str, model: type[PortalModel], repair: bool) -> int:
        """Check a table; returns how many faults are left."""
        state = tables.described_schema(name)
        faults = left = read = 0
        with tqdm(total=state.items if state else None, unit=" items", desc=name, disable=None) as bar:

            def progress(items: int) -> None:
                nonlocal read
                read += items
                bar.update(items)

            check = TableCheck(
                model,
                [rule for rule in item_rules if rule.model.Meta.table_name == name],
                [rule for rule in group_rules if rule.model.Meta.table_name == name],
                repair,
                progress,
            )
            for fault in check.faults():
                faults += 1
                left += not fault.repaired
                note = " Repaired." if fault.repaired else ""
                self.stderr.write(f"{fault.table}: {fault.text}.{note}")
        self.stdout.write(f"{name}: {read} items read, faults: {faults}, repaired: {faults - left}.")
        return left
