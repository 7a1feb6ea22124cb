"""The search app: one field that finds all, and what pickers in forms find."""

from django.apps import AppConfig


class SearchConfig(AppConfig):
    """The search."""

    name = "search"
    finders = ("search.views.pages.UsersFinder",)
    frame_links = (("search", "search:search"), ("palette", "search:palette"), ("choices", "search:choices"))
