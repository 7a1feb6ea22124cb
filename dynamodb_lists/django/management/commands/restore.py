from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from dynamodb_lists.connection import engine
from dynamodb_lists.django.management import file_copies


class Command(BaseCommand):
    help = (
        "Copy a folder that manage.py backup has written to the portal's own, which must hold no data. Stop it first."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="The folder that manage.py backup has written")

    def handle(self, *args: Any, **options: Any) -> None:
        folder: Path = options["folder"]
        files = file_copies.own_files()
        try:
            with engine.locked(settings.DYNAMODB_ENGINE_FILE):  # no engine can start meanwhile
                file_copies.copy_all({folder / name: file for name, file in files.items()})
        except (engine.EngineError, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Restored: {', '.join(files)}. Start the portal, and run manage.py verify_data.")
