"""The app of the history: who changed what, and the undoing of it."""

from django.apps import AppConfig

from portal.app_config import PortalConfig, SidebarLink
from portal.frame import ANY_PERMISSION


class HistoryConfig(PortalConfig, AppConfig):
    """The history."""

    name = "portal.history"
    sidebar = (SidebarLink("Staff", "My changes", "history", "history:mine", ANY_PERMISSION),)
