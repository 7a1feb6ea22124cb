from django.apps import AppConfig

from hotels.app_config import HOME, HotelPagesConfig
from portal.app_config import HasHotels, SidebarLink, Subject


class HotelsConfig(HasHotels, HotelPagesConfig, AppConfig):
    name = "hotels"
    sidebar = (SidebarLink("Hotels", "All hotels", "hotel", "hotels:hotels", alone=True),)
    subjects = (Subject("hotel", "Hotel {0}", HOME, "hotels.view_hotel", in_hotel=True),)
    frame_urls = {"changed": "hotels:changed"}
    bar_template = "hotels/_hotel_bar.html"

    def ready(self) -> None:
        from hotels import invariants, queries

        self.rules = invariants.RULES
        self.hotel_name, self.zone_of = queries.hotel_name, queries.zone_of
