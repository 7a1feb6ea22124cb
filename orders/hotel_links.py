"""The links to a hotel's orders and big orders, on the hotel's pages."""

from hotels.links import HOTEL_BAR, HotelLink, register

register(HotelLink(HOTEL_BAR, "orders/_hotel_link.html", permission="orders.view_order"))
