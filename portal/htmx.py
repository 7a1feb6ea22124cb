"""Requests of htmx, which loads the list of a page or another part of it."""

from django.http import HttpRequest
from django.utils.encoding import iri_to_uri
from django.utils.http import url_has_allowed_host_and_scheme

LIST_TARGET = "list"
"""Id of the element that htmx swaps when a list's filters, sort or page change."""


def is_part(request: HttpRequest) -> bool:
    """Return whether htmx requested a part of a page other than its list.

    Errors are then shown in this part, because leaving the page would lose typed text.
    """
    htmx = getattr(request, "htmx", None)
    return bool(htmx and htmx.target != LIST_TARGET and (htmx.target or not htmx.boosted))


def page_address(request: HttpRequest) -> str:
    """Return the address of the whole page, also if htmx requested only its list or another part of it."""
    htmx = getattr(request, "htmx", None)
    return (htmx and htmx.target != LIST_TARGET and shown_address(request)) or request.get_full_path()


def shown_address(request: HttpRequest) -> str:
    """Return the address, without the host, that the browser shows while htmx requests a part of the page.

    Blank if htmx does not say it, or says no address of the portal: a path like ``//host/`` leads to another host.
    """
    try:
        address = request.htmx.current_url_abs_path  # type: ignore[attr-defined]
    except ValueError:  # no address at all, such as "//["
        return ""
    return iri_to_uri(address) if url_has_allowed_host_and_scheme(address, allowed_hosts=None) else ""
