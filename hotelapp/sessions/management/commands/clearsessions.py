"""``manage.py clearsessions``: Django's command, which comes with an app that is not installed here."""

from typing import Any

from django.contrib.sessions.management.commands import clearsessions
from django.core.management.base import CommandError

from hotelapp.dynamodb.errors import Unavailable


class Command(clearsessions.Command):
    """Deletes expired sessions at once, which DynamoDB would do by itself within days."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Delete them. Raises :class:`CommandError` if the database is away."""
        try:
            super().handle(**options)
        except Unavailable as error:
            raise CommandError(str(error)) from error
