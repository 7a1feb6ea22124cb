"""Links on a hotel's pages: to its rooms, to those that need attention; and the place for links on a room's page."""

from hotels.links import HOTEL_BAR, HotelLink, register, register_home

ROOM_LINKS = "room-links"
"""The place for links on a room's page."""

register_home("rooms:rooms", permission="rooms.view_room")
register(HotelLink(HOTEL_BAR, "rooms/_hotel_links.html", permission="rooms.view_room"))
