"""What htmx asks for: the list of a page, or something else that is no page by itself."""

from django.http import HttpRequest

LIST_TARGET = "list"
"""Id of the element that htmx swaps when a list's filters, sort or page change."""


def page_address(request: HttpRequest) -> str:
    """The address of the whole page: of the list as asked for; else of the page that the rest would go into."""
    htmx = getattr(request, "htmx", None)
    if htmx and htmx.target != LIST_TARGET and htmx.current_url_abs_path:
        return str(htmx.current_url_abs_path)
    return request.get_full_path()
