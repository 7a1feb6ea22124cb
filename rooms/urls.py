"""Addresses of hotels and rooms."""

from django.urls import path

from rooms import views

app_name = "rooms"
urlpatterns = [
    path("hotels/", views.HotelsPage.as_view(), name="hotels"),
    path("hotels/switcher/", views.HotelSwitcher.as_view(), name="switcher"),
    path("hotels/<str:hotel_id>/rooms/", views.RoomsPage.as_view(), name="rooms"),
    path("hotels/<str:hotel_id>/rooms/<str:number>/", views.RoomPage.as_view(), name="room"),
]
