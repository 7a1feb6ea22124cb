"""``manage.py create_tables``: create every table that is missing."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from hotelapp.dynamodb import tables
from hotelapp.dynamodb.errors import Unavailable


class Command(BaseCommand):
    """Creates what is missing and waits until it can be used. Safe to repeat."""

    help = "Create every DynamoDB table that is missing, and wait until it is ready. Safe to repeat."

    def handle(self, *args: Any, **options: Any) -> None:
        """Say of each table whether it was made or was there."""
        try:
            for name, made in tables.create_missing():
                self.stdout.write(f"{name}: {'created' if made else 'there already'}")
        except Unavailable as error:
            raise CommandError(f"{error} Is DynamoDB running, and are its settings right?") from error
