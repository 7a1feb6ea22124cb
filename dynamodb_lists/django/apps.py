"""The package as a Django app. Its settings configure the package, and ``manage.py`` has its commands."""

from django.apps import AppConfig
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.encoding import force_str

from dynamodb_lists.connection.configuration import Configuration, read_from


def _configuration() -> Configuration:
    return Configuration(
        endpoint_url=settings.DYNAMODB_ENDPOINT_URL,
        region=settings.AWS_REGION,
        on_aws=settings.DYNAMODB_ENGINE == "aws",
        table_prefix=settings.DYNAMODB_TABLE_PREFIX,
        table_names=settings.DYNAMODB_TABLE_NAMES,
        secret=settings.SECRET_KEY,
        former_secrets=[*map(force_str, settings.SECRET_KEY_FALLBACKS)],
        connect_timeout=settings.DYNAMODB_CONNECT_TIMEOUT,
        read_timeout=settings.DYNAMODB_READ_TIMEOUT,
        connections=2 * settings.SERVER_THREADS,
        waiting_calls=settings.WAITING_CALLS,
        protected=settings.DYNAMODB_PROTECTED,
        tags=settings.DYNAMODB_TAGS,
    )


read_from(_configuration)  # now, because models of other apps name their tables when they are imported


class DynamoDBConfig(AppConfig):
    """Configures the package. It has commands, and no ORM models."""

    name = "dynamodb_lists.django"
    label = "dynamodb"

    def ready(self) -> None:
        """Refuse a configured table name that no model uses. A misspelt one would leave the old table in use."""
        from dynamodb_lists.schema import tables  # noqa: PLC0415

        if unused := set(settings.DYNAMODB_TABLE_NAMES.values()) - set(tables.names()):
            raise ImproperlyConfigured(f"DYNAMODB_TABLE_NAMES names {min(unused)}, but for no table of the project.")
