"""The hotels app, and what other apps show on its pages: they declare tabs and parts in their ``AppConfig``."""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple
from urllib.parse import quote

from django.apps import AppConfig

from dynamodb_lists.django.declarations import declared
from portal.frame import SidebarLink, address
from portal.history.subjects import Subject

HOME, HOME_PERMISSION = "overview:hotel", "hotels.view_hotel"
"""The page that a hotel's name links to: the name of its URL, which takes the hotel's id, and its permission."""

ROOM, ROOM_PERMISSION = "rooms:room", "rooms.view_room"
"""The page of a room: the name of its URL, which takes the hotel's id and the room's number, and its permission."""


class HotelTab(NamedTuple):
    """A tab on a hotel's pages, in ``hotel_tabs``. ``url_name`` names a URL that takes the hotel's id."""

    place: int
    label: str
    url_name: str
    permission: str


class Action(NamedTuple):
    """What the palette offers for a hotel, in ``hotel_actions``, or for a room, in ``room_actions``.

    The URL takes the hotel's id and the room's number, but for what ``query`` has in braces: ``{hotel}``, ``{room}``.
    ``more`` are words that name it beside its label.
    """

    label: str
    url_name: str
    permission: str
    query: str = ""
    more: str = ""

    def at(self, hotel_id: str, number: str | None = None) -> str:
        """The address of its page, of a hotel or of a room."""
        given = {"hotel": hotel_id} | ({} if number is None else {"room": number})
        path = address(self.url_name, *(value for name, value in given.items() if f"{{{name}}}" not in self.query))
        return path + self.query.format(**{name: quote(value, "") for name, value in given.items()})


class RoomPart(NamedTuple):
    """A part of a room's page, in ``room_parts`` or, for a number that no room has, ``gone_room_parts``.

    Only users with ``permission`` see it. ``read`` takes the hotel's id and the room's number. The template has its
    result as ``shown``.
    """

    template_name: str
    permission: str
    read: Callable[[str, str], Any]


@cache
def tabs() -> Sequence[HotelTab]:
    return sorted(declared("hotel_tabs"))


@lru_cache(1000)  # names come from query strings, too
def tab_of(view_name: str) -> HotelTab | None:
    """The tab of a page, by the name of its URL: its own, or else the first one of its app."""
    app, _, _ = view_name.partition(":")
    own = [tab for tab in tabs() if tab.url_name == view_name]
    of_app = [tab for tab in tabs() if tab.url_name.startswith(f"{app}:")]
    return next(iter(own + of_app), None)


class HotelsConfig(AppConfig):
    name = "hotels"
    sidebar = (SidebarLink("Hotels", "All hotels", "hotel", "hotels:hotels"),)
    hotel_actions = (Action("Edit the hotel", "hotels:edit_hotel", "hotels.change_hotel", more="change currency"),)
    frame_links = (("changed", "hotels:changed"),)
    subjects = (Subject("hotel", "Hotel {0}", HOME, "hotels.view_hotel", in_hotel=True),)
    hotel_names = ("hotels.queries.hotel_name",)
    time_zones = ("hotels.queries.zone_of",)
    offered_hotels = ("hotels.queries.hotel_names",)
    example_hotels = ("hotels.queries.largest_hotel",)
    rules = ("hotels.invariants.RULES",)
    seeders = ("hotels.seeding.HotelSeeder",)
