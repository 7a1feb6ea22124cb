"""The cost lab: a list read with keys, with filters and by a Scan, side by side."""

from django.apps import AppConfig

from portal.app_config import PortalConfig, SidebarLink

OPEN_LAB = "portal.open_lab"


class LabConfig(PortalConfig, AppConfig):
    name = "lab"
    sidebar = (SidebarLink("Engineers", "Cost lab", "dataset", "lab:lab"),)
