"""Addresses of hotels."""

from django.urls import path

from hotels import views

app_name = "hotels"
urlpatterns = [
    path("hotels/", views.HotelsPage.as_view(), name="hotels"),
    path("hotels/switcher/", views.HotelSwitcher.as_view(), name="switcher"),
]
