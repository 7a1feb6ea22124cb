"""The overview app: the start pages of the group and of each hotel, with figures and plots of the other apps' data."""

from django.apps import AppConfig

from hotels.app_config import HOME, HOME_PERMISSION, HotelPagesConfig, HotelTab
from portal.app_config import SidebarLink


class OverviewConfig(HotelPagesConfig, AppConfig):
    name = "overview"
    sidebar = (SidebarLink("Hotels", "Start page", "home", "overview:group", alone=True),)
    tabs = (
        HotelTab(10, "Overview", HOME, HOME_PERMISSION),
        HotelTab(60, "Handover", "overview:handover", HOME_PERMISSION),
        HotelTab(61, "History", "overview:history", HOME_PERMISSION, under=HOME),
    )
