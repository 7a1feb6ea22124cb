"""The hotels app."""

from collections.abc import Mapping

from django.apps import AppConfig

from hotels.app_config import HOME, Action, HotelPagesConfig, hotel_pages
from portal.app_config import SidebarLink, Subject
from portal.hotels_app import HasHotels, HotelQueries


class HotelsConfig(HasHotels, HotelPagesConfig, AppConfig):
    name = "hotels"
    sidebar = (SidebarLink("Hotels", "All hotels", "hotel", "hotels:hotels"),)
    hotel_actions = (Action("Edit the hotel", "hotels:edit_hotel", "hotels.change_hotel", more="change currency"),)
    subjects = (Subject("hotel", "Hotel {0}", HOME, "hotels.view_hotel", in_hotel=True),)
    changed_url, bar_template = "hotels:changed", "hotels/_hotel_bar.html"

    def ready(self) -> None:
        from hotels import invariants, seeding

        self.rules = invariants.RULES
        self.seeder = seeding.HotelSeeder

    @property
    def hotels(self) -> HotelQueries:
        from hotels import queries

        return queries

    def duties_of(self, person: str, names: Mapping[str, str]) -> str:
        return ", ".join(filter(None, (app.duties(person, names) for app in hotel_pages() if app.duties)))
