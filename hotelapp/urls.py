"""Every address of the portal: staff accounts below ``/admin/``, one include for each app."""

from typing import NoReturn

from django.contrib import admin
from django.http import Http404, HttpRequest
from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView


def unused(request: HttpRequest, **kwargs: str) -> NoReturn:
    """Return a 404 for an address of Unfold or Django that no page of the portal links to."""
    raise Http404


UNUSED = [
    path("", RedirectView.as_view(url="/"), name="index"),  # it would show most people nothing but an error
    path("search/", unused, name="search"),
    path("r/<path:rest>", unused, name="view_on_site"),
]

APPS = (
    *("hotels", "rooms", "orders", "reviews", "notes", "portal.history", "portal.uploads"),
    *("search", "saved_views", "overview"),
)

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("accounts.urls")),
    path("admin/", include((UNUSED, "unused"))),
    path("admin/", admin.site.urls),
    *(path("", include(f"{app}.urls")) for app in APPS),
]

handler400 = "portal.error_pages.bad_request"
handler403 = "portal.error_pages.forbidden"
handler404 = "portal.error_pages.not_found"
handler500 = "portal.error_pages.server_error"
