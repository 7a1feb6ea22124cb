"""The hotels app: the hotels of the group, and what other apps show on their pages."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules

from hotelapp.history.subjects import Subject, register
from hotels import links


class HotelsConfig(AppConfig):
    """Loads each app's ``hotel_links``, in the order of ``INSTALLED_APPS``. A hotel's page is what they say it is."""

    name = "hotels"
    rules = ("hotels.invariants.RULES",)

    def ready(self) -> None:
        register(Subject("hotel", "Hotel {0}", links.home, "hotels.view_hotel", in_hotel=True))
        autodiscover_modules("hotel_links")
