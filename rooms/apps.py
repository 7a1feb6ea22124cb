"""The rooms app: rooms and the counts of their facets."""

from django.apps import AppConfig


class RoomsConfig(AppConfig):
    """The rooms app."""

    name = "rooms"
