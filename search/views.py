"""The page of the search, and its results in the command palette."""

from typing import Any

from hotelapp.portal.access import ANY_STAFF
from hotelapp.portal.forms.parameters import BadParameters, checked
from hotelapp.portal.views import StaffPage
from search import queries
from search.forms import SearchForm
from search.links import KINDS, sections


class SearchPage(StaffPage):
    """What a text finds, by kind. Each member of staff finds the kinds that they may view."""

    title = "Search"
    permission = ANY_STAFF
    template_name = "search/search.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The hits in sections. Raises :class:`~hotelapp.portal.forms.parameters.BadParameters`."""
        text = checked(SearchForm(self.request.GET))["q"]
        kinds = [name for name, kind in KINDS.items() if self.may(kind.permission)]
        found = queries.search(text, kinds, self.scope.hotel_ids)
        context = {
            "text": text,
            "sections": sections(found, text),
            "searched": [KINDS[kind].label.lower() for kind in kinds],
            "shown": sum(len(finds.hits) for finds in found),
            "title": f"Search: {text}" if text else self.title,
        }
        return super().get_context_data(**context, **kwargs)


class PaletteResults(SearchPage):
    """The same hits as the part of a page that the command palette loads while somebody types."""

    template_name = "search/_palette.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        try:
            context = super().get_context_data(**kwargs)
        except BadParameters as error:
            return {"problem": " ".join(text for problem in error.problems for text in problem.texts)}
        return {**context, "results": [(section, hit) for section in context["sections"] for hit in section.hits]}
