"""The orders app: guests, their orders, and the items of each order."""

from django.apps import AppConfig


class OrdersConfig(AppConfig):
    """Its items live in DynamoDB; importing the models makes their table known."""

    name = "orders"

    def ready(self) -> None:
        """Register the table."""
        from orders import models  # noqa: F401, PLC0415
