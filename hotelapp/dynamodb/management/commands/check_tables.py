"""``manage.py check_tables``: compare every table with what this release declares. Writes nothing."""

from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.template.defaultfilters import filesizeformat

from hotelapp.dynamodb.connection.errors import Unavailable
from hotelapp.dynamodb.schema import drift, tables
from hotelapp.dynamodb.schema.drift import TableState
from hotelapp.dynamodb.schema.migration import not_supported


class Command(BaseCommand):
    """Shows each table as it is, and in which points it is not as declared."""

    help = "Compare every DynamoDB table with what this release declares. Writes nothing. Exit status 1: they differ."

    def handle(self, *args: Any, **options: Any) -> None:
        found = 0
        try:
            for name in tables.names():
                declared, described = tables.declared(name), tables.described(name)
                if described is None:
                    self.stderr.write(f"{name}: the table is missing. Run manage.py create_tables.")
                    found += 1
                    continue
                for line in lines(name, declared, described):
                    self.stdout.write(line)
                for difference in drift.differences(declared, described):
                    self.stderr.write(f"{name}: {difference.text}")
                    found += 1
        except Unavailable as error:
            raise CommandError(f"{error} Is DynamoDB running, and are its settings right?") from error
        if found:
            raise CommandError("The tables are not as declared. See above what differs.")
        self.stdout.write("Every table is as declared.")


def lines(name: str, declared: TableState, described: TableState) -> Iterator[str]:
    """A table in words: its size, its indexes and its settings."""
    yield f"{name}: {described.status}, {described.items} items, {filesizeformat(described.bytes)}, {described.billing}"
    yield from (f"  index {index.text}" for index in described.indexes.values())
    unsupported = not_supported(declared, described)
    for setting, value, wanted in (
        ("TTL", described.ttl or "none", declared.ttl or "none"),
        ("deletion protection", _word(described.protection), _word(declared.protection, "as it is")),
        ("point-in-time recovery", _word(described.recovery), _word(declared.recovery, "as it is")),
        ("tags", _pairs(described), _pairs(declared)),
    ):
        note = "; this endpoint does not support it" if setting in unsupported else ""
        yield f"  {setting}: {value} (declared: {wanted}){note}"


def _word(value: bool | None, unknown: str = "not supported") -> str:
    return unknown if value is None else ("on" if value else "off")


def _pairs(state: TableState) -> str:
    return ", ".join(f"{name}={value}" for name, value in sorted((state.tags or {}).items())) or "none"
