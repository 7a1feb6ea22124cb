"""The overview app: the start pages of the group and of each hotel, with figures and plots of the other apps' data."""

from django.apps import AppConfig

from hotels.apps import HOME, HOME_PERMISSION, Action, HasHotelPages, HotelPages, HotelTab
from portal.frame import HasLinks, Links, SidebarLink


class OverviewConfig(HasLinks, HasHotelPages, AppConfig):
    name = "overview"
    links = Links(sidebar=(SidebarLink("Hotels", "Overview", "home", "overview:group", alone=True),))
    hotel_pages = HotelPages(
        tabs=(
            HotelTab(10, "Overview", HOME, HOME_PERMISSION),
            HotelTab(60, "History", "overview:history", HOME_PERMISSION),
        ),
        actions=(
            Action("Handover", "overview:handover", HOME_PERMISSION, more="notes next shift"),
            Action(
                "Compare hotels",
                "overview:group",
                HOME_PERMISSION,
                "?hotel={hotel}&choices=hotel",
                more="side by side other",
            ),
        ),
    )
