"""The cost lab: a list read with keys, with filters and by a Scan, side by side."""

from django.apps import AppConfig

from portal.frame import HasLinks, Links, SidebarLink

OPEN_LAB = "portal.open_lab"


class LabConfig(HasLinks, AppConfig):
    name = "lab"
    links = Links(sidebar=(SidebarLink("Engineers", "Cost lab", "dataset", "lab:lab"),))
