"""The link from a hotel's name to its rooms, and the place for other apps' links on a room's page."""

from hotels.links import register_home

ROOM_LINKS = "room-links"
"""The place for links on a room's page."""

register_home("rooms:rooms", permission="rooms.view_room")
