"""The search app: one field that finds all, and what pickers in forms find."""

from django.apps import AppConfig
from django.http import HttpRequest

from portal.forms.pickers import Finder, HasFinder
from portal.frame import HasLinks, Links


class SearchConfig(HasFinder, HasLinks, AppConfig):
    """The search."""

    name = "search"
    links = Links(frame=(("search", "search:search"), ("palette", "search:palette"), ("choices", "search:choices")))

    def finder_of(self, request: HttpRequest) -> Finder:
        from search.views.pages import UsersFinder

        return UsersFinder(request)
