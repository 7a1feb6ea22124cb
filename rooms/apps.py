"""The rooms app: hotels, their rooms, and the counts of their facets."""

from django.apps import AppConfig


class RoomsConfig(AppConfig):
    """Its items live in DynamoDB; importing the models makes their table known."""

    name = "rooms"

    def ready(self) -> None:
        """Register the table."""
        from rooms import models  # noqa: F401, PLC0415
