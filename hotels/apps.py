"""The hotels app: the hotels of the group, and the links that other apps show on their pages.

An app declares its links in its ``AppConfig``. So this app imports no other app, and no app needs to know the others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from django.apps import AppConfig
from django.utils.module_loading import import_string

from hotelapp.declarations import declared
from hotelapp.history.subjects import Subject

HOTEL_BAR, ROOM_LINKS = "hotel-bar", "room-links"
"""The places for links: the bar at the top of a hotel's pages, and the page of a room."""

HOME, HOME_PERMISSION = "rooms:rooms", "rooms.view_room"
"""The page that a hotel's name links to: the name of its URL, which takes the hotel's id, and its permission."""


@dataclass(frozen=True)
class HotelLink:
    """A template for a link in one place of the portal, in ``hotel_links``. Only users with ``permission`` see it.

    The template's context is that of the page, the hotel, and ``values``: by its name in the template, each is the
    dotted name of a function that takes the hotel's id.
    """

    place: str
    template_name: str
    permission: str
    values: Mapping[str, str] = field(default_factory=dict)

    def read(self, hotel_id: str) -> dict[str, Any]:
        """The values, by their names. Functions that send requests keep what they read for some seconds."""
        return {name: import_string(function)(hotel_id) for name, function in self.values.items()}


@cache
def links(place: str) -> Sequence[HotelLink]:
    """The links of all apps for a place."""
    return [link for link in declared("hotel_links") if link.place == place]


class HotelsConfig(AppConfig):
    """The hotels app."""

    name = "hotels"
    subjects = (Subject("hotel", "Hotel {0}", HOME, "hotels.view_hotel", in_hotel=True, read="hotels.queries.hotel"),)
    rules = ("hotels.invariants.RULES",)
    seeders = ("hotels.seeding.HotelSeeder",)
