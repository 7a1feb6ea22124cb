"""The history app."""

from django.apps import AppConfig


class HistoryConfig(AppConfig):
    """Who changed what, when, from what to what."""

    name = "hotelapp.history"
    label = "history"
