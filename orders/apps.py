"""The orders app: guests, their orders, and the items of each order."""

from django.apps import AppConfig


class OrdersConfig(AppConfig):
    """The orders app."""

    name = "orders"
