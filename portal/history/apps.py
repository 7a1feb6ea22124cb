from django.apps import AppConfig

from portal.app_config import PortalConfig, SidebarLink
from portal.frame import ANY_PERMISSION


class HistoryConfig(PortalConfig, AppConfig):
    name = "portal.history"
    sidebar = (SidebarLink("Staff", "My changes", "history", "history:mine", ANY_PERMISSION),)
