"""The demo: the whole portal on one machine, with demo data."""

from django.apps import AppConfig


class DemoConfig(AppConfig):
    """Commands that start the portal and write demo data, which each app provides."""

    name = "hotelapp.demo"
    label = "demo"
