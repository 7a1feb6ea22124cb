"""Callbacks of the UNFOLD setting: the portal's static files, its search, and which links of the sidebar a user sees.

The links themselves are in ``UNFOLD["SIDEBAR"]``, in the settings.
"""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import resolve


def stylesheet(request: HttpRequest) -> str:
    """Address of the portal's stylesheet."""
    return static("portal/portal.css")


def script(request: HttpRequest) -> str:
    """Address of the portal's script."""
    return static("portal/portal.js")


def favicon(request: HttpRequest) -> str:
    """Address of the portal's icon."""
    return static("portal/favicon.svg")


def may_open(address: str, request: HttpRequest) -> bool:
    """Whether the sidebar shows the link to a page of the portal: by the permission that the page itself declares."""
    match = resolve(str(address))
    page = match.func.view_class()  # type: ignore[attr-defined]
    page.setup(request, *match.args, **match.kwargs)
    return bool(page.may_open())


def may_do_something(request: HttpRequest) -> bool:
    """Whether the sidebar shows the link to one's own changes. Without any permission there are none."""
    return bool(request.user.get_all_permissions())


def search(request: HttpRequest) -> dict[str, Any]:
    """The addresses of the search and of its results in the command palette, for every page."""
    return {"search_address": settings.SEARCH_URL, "palette_address": settings.PALETTE_URL}


def may_see_users(request: HttpRequest) -> bool:
    """Whether the sidebar shows the link to staff accounts."""
    return request.user.has_perm("auth.view_user")


def may_see_groups(request: HttpRequest) -> bool:
    """Whether the sidebar shows the link to groups of staff."""
    return request.user.has_perm("auth.view_group")
