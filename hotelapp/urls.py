"""Every address of the portal: staff accounts below ``/admin/``, one include for each domain."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView

urlpatterns: list[URLPattern | URLResolver] = [
    path("", RedirectView.as_view(pattern_name="rooms:hotels"), name="home"),
    path("admin/", admin.site.urls),
    path("", include("rooms.urls")),
    path("", include("orders.urls")),
    path("", include("reviews.urls")),
]

handler400 = "hotelapp.portal.errors.bad_request"
handler403 = "hotelapp.portal.errors.forbidden"
handler404 = "hotelapp.portal.errors.not_found"
handler500 = "hotelapp.portal.errors.server_error"
