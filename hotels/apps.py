"""The hotels app, and what other apps show on its pages, in ``hotel_pages`` of their ``AppConfig``."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple
from urllib.parse import quote

from django.apps import AppConfig

from dynamodb_lists.django.declaring import HasRules, Rules, declaring
from portal.frame import HasLinks, Links, SidebarLink, address
from portal.history.subjects import HasSubjects, Subject
from portal.hotels_app import HasHotels, HotelQueries
from portal.sources import HasSources, Sources

HOME, HOME_PERMISSION = "overview:hotel", "hotels.view_hotel"
"""The page that a hotel's name links to: the name of its URL, which takes the hotel's id, and its permission."""

ROOM, ROOM_PERMISSION = "rooms:room", "rooms.view_room"
"""The page of a room: the name of its URL, which takes the hotel's id and the room's number, and its permission."""


class HotelTab(NamedTuple):
    """A tab on a hotel's pages. ``url_name`` names a URL that takes the hotel's id."""

    place: int
    label: str
    url_name: str
    permission: str


class Action(NamedTuple):
    """What the palette offers for a hotel or for a room.

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
    """A part of a room's page, and of the page for a number that no room has.

    Only users with ``permission`` see it. ``read`` takes the hotel's id and the room's number. The template has its
    result as ``shown``.
    """

    template_name: str
    permission: str
    read: Callable[[str, str], Any]


@dataclass(frozen=True)
class HotelPages:
    """What an app adds to the pages of hotels and of their rooms.

    ``naming`` takes a hotel's id and a number, and says what names this room; ``duties`` takes a ``person_id`` and the
    names of hotels, and says what somebody has to do there today. Both say it in words, or nothing.
    """

    tabs: Sequence[HotelTab] = ()
    actions: Sequence[Action] = ()
    room_actions: Sequence[Action] = ()
    room_parts: Sequence[RoomPart] = ()
    naming: Callable[[str, str], str] | None = None
    duties: Callable[[str, Mapping[str, str]], str] | None = None


class HasHotelPages:
    """An ``AppConfig`` that adds to the pages of hotels."""

    @property
    def hotel_pages(self) -> HotelPages:
        raise NotImplementedError


@cache
def hotel_pages() -> Sequence[HotelPages]:
    """What each app adds."""
    return [app.hotel_pages for app in declaring(HasHotelPages)]


@cache
def tabs() -> Sequence[HotelTab]:
    return sorted(tab for pages in hotel_pages() for tab in pages.tabs)


@lru_cache(1000)  # names come from query strings, too
def tab_of(view_name: str) -> HotelTab | None:
    """The tab of a page, by the name of its URL: its own, or else the first one of its app."""
    app, _, _ = view_name.partition(":")
    own = [tab for tab in tabs() if tab.url_name == view_name]
    of_app = [tab for tab in tabs() if tab.url_name.startswith(f"{app}:")]
    return next(iter(own + of_app), None)


class HotelsConfig(HasSubjects, HasRules, HasSources, HasLinks, HasHotels, HasHotelPages, AppConfig):
    name = "hotels"
    links = Links(sidebar=(SidebarLink("Hotels", "All hotels", "hotel", "hotels:hotels"),))
    hotel_pages = HotelPages(
        actions=(Action("Edit the hotel", "hotels:edit_hotel", "hotels.change_hotel", more="change currency"),)
    )
    subjects = (Subject("hotel", "Hotel {0}", HOME, "hotels.view_hotel", in_hotel=True),)
    changed_url, bar_template = "hotels:changed", "hotels/_hotel_bar.html"

    @property
    def hotels(self) -> HotelQueries:
        from hotels import queries

        return queries

    def duties_of(self, person: str, names: Mapping[str, str]) -> str:
        return ", ".join(filter(None, (pages.duties(person, names) for pages in hotel_pages() if pages.duties)))

    @property
    def rules(self) -> Rules:
        from hotels.invariants import RULES

        return RULES

    @property
    def sources(self) -> Sources:
        from hotels.seeding import HotelSeeder

        return Sources(HotelSeeder)
