"""Addresses of rooms."""

from django.urls import path

from rooms import views

app_name = "rooms"
urlpatterns = [
    path("hotels/<str:hotel_id>/rooms/", views.RoomsPage.as_view(), name="rooms"),
    path("hotels/<str:hotel_id>/rooms/<str:number>/", views.RoomPage.as_view(), name="room"),
]
