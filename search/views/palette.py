"""What the command palette finds while somebody types."""

from typing import Any

from portal.forms.parameters import BadParameters
from search.views.pages import SearchPage


class PaletteResults(SearchPage):
    """The same hits as the part of a page that the command palette loads while somebody types."""

    template_name = "search/_palette.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        try:
            context = super().get_context_data(**kwargs)
        except BadParameters as error:
            return {"problem": " ".join(text for problem in error.problems for text in problem.texts)}
        return {**context, "results": [(section, hit) for section in context["sections"] for hit in section["hits"]]}
