"""The search app: one field that finds all, and what pickers in forms find."""

from django.apps import AppConfig

from portal.frame import HasLinks, Links


class SearchConfig(HasLinks, AppConfig):
    """The search."""

    name = "search"
    finders = ("search.views.pages.UsersFinder",)
    links = Links(frame=(("search", "search:search"), ("palette", "search:palette"), ("choices", "search:choices")))
