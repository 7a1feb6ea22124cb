from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from dynamodb_lists.django.importing import ImportCommand
from dynamodb_lists.lists.file_rows import Importer
from dynamodb_lists.lists.files import ListImport
from dynamodb_lists.lists.list import lists_by_name


class Command(ImportCommand):
    help = (
        "Import a CSV file into a list. The file has a column for each field, in any order. Stored rows are changed. "
        "Safe to repeat. Exit status 1: bad rows were written to FILE.rejected.csv, with their line and the reason."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("list", help="The name of the list, such as books", metavar="LIST")
        parser.add_argument("file", type=Path, metavar="FILE.csv")

    def importer_of(self, options: Mapping[str, Any]) -> Importer[Any]:
        if options["list"] not in lists_by_name:
            known = ", ".join(sorted(lists_by_name)) or "none"
            raise CommandError(f"There is no list {options['list']!r}. There are {known}.")
        return ListImport(lists_by_name[options["list"]])
