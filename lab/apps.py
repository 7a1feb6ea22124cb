"""The cost lab: a list read with keys, with filters and by a Scan, side by side, and from when on keys pay."""

from typing import TYPE_CHECKING

from django.apps import AppConfig

from portal.frame import HasLinks, Links, SidebarLink

if TYPE_CHECKING:  # it needs models, which are not loaded before apps
    from lab.measured import Measured

OPEN_LAB = "portal.open_lab"


class HasMeasured:
    """An ``AppConfig`` of an app with a part in the lab."""

    @property
    def measured(self) -> "Measured":
        raise NotImplementedError


class LabConfig(HasLinks, AppConfig):
    name = "lab"
    links = Links(sidebar=(SidebarLink("Engineers", "Cost lab", "dataset", "lab:lab"),))
