"""The orders app: guests, their orders, and the items of each order."""

from django.apps import AppConfig

from hotelapp.history.subjects import Subject, register


class OrdersConfig(AppConfig):
    """The orders app."""

    name = "orders"
    rules = ("orders.invariants.RULES",)

    def ready(self) -> None:
        register(Subject("guest", "Guest {0}", "orders:guest", "orders.view_guest"))
        register(Subject("order", "Order {0}", "orders:order", "orders.view_order"))
