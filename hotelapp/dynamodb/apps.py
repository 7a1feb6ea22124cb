"""Makes the toolkit's management commands known to Django."""

from django.apps import AppConfig


class DynamoDBConfig(AppConfig):
    """The toolkit as a Django app: it has commands, and no ORM models."""

    name = "hotelapp.dynamodb"
    label = "dynamodb"
