"""Django's own admin site with the rooms' changelist, and its addresses."""

from django.contrib.admin import AdminSite, ModelAdmin
from django.urls import path

from benchmarks.stock.models import Room

site = AdminSite(name="admin")
# The columns, filters and page size are those of the portal; everything else is Django's default.
site.register(
    Room,
    ModelAdmin,
    list_display=("number", "view", "size", "type", "rate", "currency"),
    list_filter=("view", "size", "type"),
    list_per_page=25,
)
urlpatterns = [path("admin/", site.urls)]
