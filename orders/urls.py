"""Addresses of guests and orders."""

from django.urls import path

from orders import editing, views

app_name = "orders"
urlpatterns = [
    path("guests/", views.GuestsPage.as_view(), name="guests"),
    path("guests/add/", editing.AddGuestPage.as_view(), name="add_guest"),
    path("guests/<str:username>/", views.GuestPage.as_view(), name="guest"),
    path("guests/<str:username>/edit/", editing.EditGuestPage.as_view(), name="edit_guest"),
    path("guests/<str:username>/orders/", views.GuestOrdersPage.as_view(), name="guest_orders"),
    path("orders/open/", views.OpenOrdersPage.as_view(), name="open"),
    path("orders/place/", editing.PlaceOrderPage.as_view(), name="place"),
    path("orders/<str:order_id>/", editing.OrderPage.as_view(), name="order"),
    path("hotels/<str:hotel_id>/orders/big/", views.BigOrdersPage.as_view(), name="big"),
]
