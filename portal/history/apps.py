"""The app of the history: who changed what, and the undoing of it."""

from django.apps import AppConfig

from portal.frame import ANY_PERMISSION, HasLinks, Links, SidebarLink


class HistoryConfig(HasLinks, AppConfig):
    """The history."""

    name = "portal.history"
    links = Links(sidebar=(SidebarLink("Staff", "My changes", "history", "history:mine", ANY_PERMISSION),))
