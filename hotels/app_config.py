"""What apps add to the pages of hotels and of their rooms: attributes of their ``AppConfig``."""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

from dynamodb_lists.django.declaring import declaring
from portal.app_config import PortalConfig

HOME, HOME_PERMISSION = "overview:hotel", "hotels.view_hotel"
"""The page that a hotel's name links to: the name of its URL, which takes the hotel's id, and its permission."""

ROOM, ROOM_PERMISSION = "rooms:room", "rooms.view_room"
"""The page of a room: the name of its URL, which takes the hotel's id and the room's number, and its permission."""


class HotelTab(NamedTuple):
    """A page of a hotel, and its tab in the hotel's bar. ``url_name`` names a URL that takes the hotel's id.

    A page ``under`` another one has no tab of its own: that page links to it. ``unless`` is the permission of those who
    need no tab. ``also`` has other words by which the search finds it.
    """

    place: int
    label: str
    url_name: str
    permission: str
    under: str = ""
    unless: str = ""
    also: str = ""

    def is_for(self, user: Any) -> bool:
        return user.has_perm(self.permission) and not (self.unless and user.has_perm(self.unless))


class RoomPart(NamedTuple):
    """A part of a room's page, and of the page for a number that no room has.

    Only users with ``permission`` see it. ``read`` takes the hotel's id and the room's number. The template has its
    result as ``shown``.
    """

    template_name: str
    permission: str
    read: Callable[[str, str], Any]


class HotelPagesConfig(PortalConfig):
    """A base of the ``AppConfig`` of an app that adds to these pages. What needs models is set in ``ready``."""

    tabs: Sequence[HotelTab] = ()
    room_parts: Sequence[RoomPart] = ()
    naming: Callable[[str, str], str] | None = None
    """Takes a hotel's id and a number, and says in words what names this room; blank if nothing."""

    forget_guest: Callable[[str], None] | None = None
    """Takes a username, and erases what else the app has of this guest, who is erased. It is safe to repeat."""


def hotel_pages() -> Sequence[HotelPagesConfig]:
    return declaring(HotelPagesConfig)


@cache
def tabs() -> Sequence[HotelTab]:
    return sorted(tab for app in hotel_pages() for tab in app.tabs)


@lru_cache(1000)  # names come from query strings, too
def tab_of(view_name: str) -> HotelTab | None:
    """Return the tab of a page, by the name of its URL: its own, or else the first one of its app."""
    app, _, _ = view_name.partition(":")
    own = [tab for tab in tabs() if tab.url_name == view_name]
    of_app = [tab for tab in tabs() if tab.url_name.startswith(f"{app}:")]
    return next(iter(own + of_app), None)
