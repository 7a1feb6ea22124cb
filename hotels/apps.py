"""The hotels app: the hotels of the group, and what other apps show on their pages."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class HotelsConfig(AppConfig):
    """Loads each app's ``hotel_links``, in the order of ``INSTALLED_APPS``."""

    name = "hotels"

    def ready(self) -> None:
        """Let every app register its links."""
        autodiscover_modules("hotel_links")
