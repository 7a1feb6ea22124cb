"""The sessions app: takes the place of ``django.contrib.sessions``, whose SQL table is not made."""

from django.apps import AppConfig


class SessionsConfig(AppConfig):
    """Its items live in DynamoDB; importing the models makes their table known."""

    name = "hotelapp.sessions"
    label = "sessions"

    def ready(self) -> None:
        """Register the table."""
        from hotelapp.sessions import models  # noqa: F401, PLC0415
