import csv
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from dynamodb_lists.connection.errors import DynamoDBError
from dynamodb_lists.lists.files import BadRow, CsvImport
from dynamodb_lists.lists.list import lists_by_name


class Command(BaseCommand):
    help = (
        "Import a CSV file into a list: a column for each field, in any order. Stored rows are changed. Safe to "
        "repeat. Bad rows go to FILE.rejected.csv with their line and the reason, and then the exit status is 1."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("list", help="The name of the list, such as books", metavar="LIST")
        parser.add_argument("file", type=Path, metavar="FILE.csv")

    def handle(self, *args: Any, **options: Any) -> None:
        name, file = options["list"], options["file"]
        if name not in lists_by_name:
            raise CommandError(f"There is no list {name!r}. There are {', '.join(sorted(lists_by_name)) or 'none'}.")
        rejected, writer, bad = file.with_suffix(".rejected.csv"), None, 0
        try:
            with ExitStack() as stack:
                rows = CsvImport[Any](
                    lists_by_name[name], stack.enter_context(file.open(encoding="utf-8-sig", newline=""))
                )
                bar = stack.enter_context(tqdm(unit=" rows", disable=None))
                for found in rows.run():
                    if not isinstance(found, BadRow):
                        bar.update(found)
                        continue
                    if writer is None:  # the file is there as soon as it has a row
                        writer = csv.writer(stack.enter_context(rejected.open("w", encoding="utf-8", newline="")))
                        writer.writerow(["line", "reason", *rows.header])
                    writer.writerow([found.line, found.reason, *found.cells])
                    bad += 1
        except UnicodeDecodeError as error:
            raise CommandError(f"{file} is not UTF-8: {error}") from error
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error}") from error
        except DynamoDBError as error:
            raise CommandError(f"{error} Run the command again: what was imported stays.") from error
        self.stdout.write(f"{rows.good} rows read, {rows.written} {name} added or changed.")
        if bad:
            raise CommandError(f"{bad} bad rows are in {rejected}.")
