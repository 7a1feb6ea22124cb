"""The history app. It loads what each app says about its things."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class HistoryConfig(AppConfig):
    """Loads each app's ``history_subjects``, in the order of ``INSTALLED_APPS``."""

    name = "hotelapp.history"
    label = "history"

    def ready(self) -> None:
        """Let every app register its things."""
        autodiscover_modules("history_subjects")
