"""Registers the toolkit's management commands with Django."""

from django.apps import AppConfig
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured


class DynamoDBConfig(AppConfig):
    """The toolkit as a Django app: it has commands, and no ORM models."""

    name = "dynamodb_lists"
    label = "dynamodb"

    def ready(self) -> None:
        """Refuse a configured table name that no model uses. A misspelt one would leave the portal on the old table."""
        from dynamodb_lists.schema import tables  # noqa: PLC0415

        if unused := set(settings.DYNAMODB_TABLE_NAMES.values()) - set(tables.names()):
            raise ImproperlyConfigured(f"DYNAMODB_TABLE_NAMES names {min(unused)}, but for no table of the portal.")
