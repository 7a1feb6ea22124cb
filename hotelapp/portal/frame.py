"""Callbacks of the UNFOLD setting: the portal's static files, its search, and which links of the sidebar a user sees.

The links themselves are in ``UNFOLD["SIDEBAR"]``, in the settings.
"""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.templatetags.static import static


def stylesheet(request: HttpRequest) -> str:
    """Address of the portal's stylesheet."""
    return static("portal/portal.css")


def script(request: HttpRequest) -> str:
    """Address of the portal's script."""
    return static("portal/portal.js")


def favicon(request: HttpRequest) -> str:
    """Address of the portal's icon."""
    return static("portal/favicon.svg")


def search(request: HttpRequest) -> dict[str, Any]:
    """The addresses of the search and of its results in the command palette, for every page."""
    return {"search_address": settings.SEARCH_URL, "palette_address": settings.PALETTE_URL}


def may_see_users(request: HttpRequest) -> bool:
    """Whether the sidebar shows the link to staff accounts."""
    return request.user.has_perm("auth.view_user")
