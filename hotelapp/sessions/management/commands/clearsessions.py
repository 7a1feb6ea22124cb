"""``manage.py clearsessions``: Django's command, whose app is not installed here."""

from typing import Any

from django.contrib.sessions.management.commands import clearsessions
from django.core.management.base import CommandError

from hotelapp.dynamodb.connection.errors import Unavailable


class Command(clearsessions.Command):
    """Deletes expired sessions at once. DynamoDB would delete them within days."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Delete the sessions. Raises :class:`CommandError` if the database is unavailable."""
        try:
            super().handle(**options)
        except Unavailable as error:
            raise CommandError(f"{error} Run the command again: what is deleted stays deleted.") from error
