from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.template.defaultfilters import filesizeformat

from dynamodb_lists.connection.errors import Unavailable
from dynamodb_lists.schema import drift, tables
from dynamodb_lists.schema.drift import Facts, words


class Command(BaseCommand):
    help = "Compare every DynamoDB table with what this release declares. Writes nothing. Exit status 1: they differ."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            found = sum(map(self._check, tables.names()))
        except Unavailable as error:
            raise CommandError(f"{error} Is DynamoDB running, and are its settings right?") from error
        if found:
            raise CommandError("The tables are not as declared. See above what differs.")
        self.stdout.write("Every table is as declared.")

    def _check(self, name: str) -> int:
        """Show a table; returns the number of differences."""
        declared, described = tables.declared(name), tables.described(name)
        if described is None:
            self.stderr.write(f"{name}: the table is missing. Run manage.py create_tables.")
            return 1
        self._show(name, declared, described)
        differences = list(drift.differences(declared, described))
        for difference in differences:
            self.stderr.write(f"{name}: {difference.text}")
        return len(differences)

    def _show(self, name: str, declared: Facts, described: Facts) -> None:
        size = f"{described['items']} items, {filesizeformat(described['bytes'])}"
        self.stdout.write(f"{name}: {described['status']}, {size}, {described['billing mode']}")
        for index, keys in drift.named(described, "index").items():
            progress = described[f"status of {index}"]
            note = "" if progress == drift.ACTIVE else f", {progress}"
            self.stdout.write(f"  index {index}: {words(keys)}; {words(described[f'projection of {index}'])}{note}")
        unsupported = drift.unsupported(declared, described)
        for setting in (drift.TTL, drift.PROTECTION, drift.RECOVERY):
            wanted = words(declared.get(setting, "as it is"))
            note = "; this endpoint does not support it" if setting in unsupported else ""
            self.stdout.write(f"  {setting}: {words(described[setting])} (declared: {wanted}){note}")
