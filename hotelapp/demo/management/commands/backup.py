import os
import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from hotelapp import private_files

ELSEWHERE = """This copies the files of the embedded engine, which is not in use here. On AWS, use point-in-time \
recovery and AWS Backup: docs/operate.md."""


class Command(BaseCommand):
    help = (
        "Copy the files of the embedded engine and of the staff accounts into a folder. The portal may run meanwhile."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="Folder for the copies. Files are never overwritten")

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.DYNAMODB_NAMED_ENDPOINT or settings.DYNAMODB_ENGINE != "embedded":
            raise CommandError(ELSEWHERE)
        folder: Path = options["folder"]
        files, database = [Path(settings.DYNAMODB_ENGINE_FILE)], settings.DATABASES["default"]
        files += [Path(database["NAME"])] if database["ENGINE"].endswith("sqlite3") else []
        for file in files:
            _copy(file, folder / file.name)
        self.stdout.write(f"{folder} holds: {', '.join(file.name for file in files)}.")
        if len(files) == 1:
            self.stdout.write("Not copied: the staff accounts. Back up DATABASE_URL with its own tool.")


def _copy(source: Path, target: Path) -> None:
    """Copy a database as it is at one moment, also while others write to it. The target is whole or not there."""
    if target.exists():
        raise CommandError(f"Nothing is overwritten. Move away first: {target}")
    target.parent.mkdir(private_files.FOLDER_MODE, parents=True, exist_ok=True)
    try:
        with TemporaryDirectory(prefix=".copy-", dir=target.parent) as folder:
            draft = Path(folder) / target.name
            private_files.make_file(draft)
            address = f"{source.resolve().as_uri()}?mode=rw"  # a missing file is an error, and is not created
            with closing(sqlite3.connect(address, uri=True)) as old, closing(sqlite3.connect(draft)) as new:
                old.backup(new)
                new.execute("PRAGMA journal_mode = DELETE")  # one file, which can be read from a read-only medium
                if new.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                    raise sqlite3.DatabaseError("it is damaged")
            os.replace(draft, target)
    except (OSError, sqlite3.Error) as error:
        raise CommandError(f"{source} cannot be copied to {target}: {error}") from error
