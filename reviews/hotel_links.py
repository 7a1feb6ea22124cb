"""The links on the pages of hotels and rooms: to a hotel's reviews, with their average, and to those of a room."""

from collections.abc import Mapping
from typing import Any

from hotels.entities import Hotel
from hotels.links import HOTEL_BAR, HotelLink, register
from reviews import queries
from rooms.hotel_links import ROOM_LINKS

VIEW_REVIEWS = "reviews.view_review"


def _average(hotel: Hotel) -> Mapping[str, Any]:
    return {"reviewed": queries.summary(hotel.hotel_id)}


register(HotelLink(HOTEL_BAR, "reviews/_hotel_link.html", _average, permission=VIEW_REVIEWS))
register(HotelLink(ROOM_LINKS, "reviews/_room_link.html", permission=VIEW_REVIEWS))
