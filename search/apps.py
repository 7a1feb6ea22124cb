"""The search app: one field that finds hotels, rooms, guests and orders."""

from django.apps import AppConfig


class SearchConfig(AppConfig):
    """The search app."""

    name = "search"
