from django.urls import path

from orders.views import guests, order_lists, orders

app_name = "orders"
urlpatterns = [
    path("guests/", guests.GuestsPage.as_view(), name="guests"),
    path("guests/add/", guests.AddGuestPage.as_view(), name="add_guest"),
    path("guests/<str:username>/", guests.GuestPage.as_view(), name="guest"),
    path("guests/<str:username>/edit/", guests.EditGuestPage.as_view(), name="edit_guest"),
    path("guests/<str:username>/note/", guests.GuestNotePage.as_view(), name="guest_note"),
    path("guests/<str:username>/erase/", guests.EraseGuestPage.as_view(), name="erase_guest"),
    path("guests/<str:username>/orders/", order_lists.GuestOrdersPage.as_view(), name="guest_orders"),
    path("orders/", order_lists.OrdersPage.as_view(), name="orders"),
    path("orders/big/", order_lists.BigOrdersPage.as_view(), name="big_of_hotels"),
    path("orders/unfinished/", order_lists.UnfinishedPage.as_view(), name="unfinished"),
    path("orders/place/", orders.PlaceOrderPage.as_view(), name="place"),
    path("orders/<str:order_id>/edit/", orders.CorrectOrderPage.as_view(), name="correct"),
    path("orders/<str:order_id>/note/", orders.OrderNotePage.as_view(), name="note"),
    path("orders/<str:order_id>/", orders.OrderPage.as_view(), name="order"),
    path("hotels/<str:hotel_id>/orders/", order_lists.HotelOrdersPage.as_view(), name="hotel_orders"),
    path("hotels/<str:hotel_id>/orders/unfinished/", order_lists.UnfinishedPage.as_view(), name="hotel_unfinished"),
    path("hotels/<str:hotel_id>/orders/wanted/", order_lists.WantedPage.as_view(), name="wanted"),
    path("hotels/<str:hotel_id>/orders/big/", order_lists.BigOrdersPage.as_view(), name="big"),
]
