"""Requests of htmx, which loads the list of a page or another part of it."""

from django.http import HttpRequest

LIST_TARGET = "list"
"""Id of the element that htmx swaps when a list's filters, sort or page change."""


def page_address(request: HttpRequest) -> str:
    """The address of the whole page, also if htmx requested only its list or another part of it."""
    htmx = getattr(request, "htmx", None)
    if htmx and htmx.target != LIST_TARGET and htmx.current_url_abs_path:
        return str(htmx.current_url_abs_path)
    return request.get_full_path()
