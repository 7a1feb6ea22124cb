"""The start page: it leads to the first page of the sidebar that the user may open."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from hotelapp.portal.access import ANY_STAFF, StaffPage


class HomePage(StaffPage):
    """Redirects to the first page that the user may open. Without any, it says who can grant a permission."""

    title = "Welcome"
    permission = ANY_STAFF
    template_name = "portal/no_pages.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        groups = admin.site.each_context(request)["sidebar_navigation"]
        links = [item["link"] for group in groups for item in group["items"] if item["has_permission"]]
        return redirect(str(links[0])) if links else super().get(request, *args, **kwargs)
