"""The reviews app: what guests wrote about a hotel, and the counts of languages and ratings."""

from django.apps import AppConfig


class ReviewsConfig(AppConfig):
    """Its items live in DynamoDB; importing the models makes their table known."""

    name = "reviews"

    def ready(self) -> None:
        """Register the table."""
        from reviews import models  # noqa: F401, PLC0415
