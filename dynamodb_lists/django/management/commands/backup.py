from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from dynamodb_lists.django.management import file_copies


class Command(BaseCommand):
    help = "Copy the data of the embedded engine and the staff accounts into a folder. The portal may run meanwhile."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="Folder for the copies, which must have none yet")

    def handle(self, *args: Any, **options: Any) -> None:
        folder: Path = options["folder"]
        files = file_copies.own_files()
        file_copies.copy_all({file: folder / name for name, file in files.items()})
        self.stdout.write(f"{folder} holds: {', '.join(files)}.")
        if "portal.sqlite3" not in files:
            self.stdout.write("Not copied: the staff accounts. Back up DATABASE_URL with its own tool.")
