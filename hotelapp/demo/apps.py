"""The demo: the whole portal on one machine, with made-up data."""

from django.apps import AppConfig


class DemoConfig(AppConfig):
    """Commands that start the portal and fill it. It knows every app, and no app knows it."""

    name = "hotelapp.demo"
    label = "demo"
