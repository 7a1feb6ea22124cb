"""The registration point for the links that other apps show on a hotel's pages.

Such an app has a module ``hotel_links``, which is loaded when Django starts. So this app imports no other app, and no
app needs to know which others exist.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from hotels.entities import Hotel

HOTEL_BAR = "hotel-bar"
"""The bar at the top of a hotel's pages."""


@dataclass(frozen=True)
class HotelLink:
    """A template for a link in one place of the portal. Only users with ``permission`` see it.

    The template's context is that of the page, the hotel, and what ``context`` returns for the hotel.
    """

    place: str
    template_name: str
    context: Callable[[Hotel], Mapping[str, Any]] = lambda hotel: {}
    permission: str = field(kw_only=True)


_links: list[HotelLink] = []
_home: dict[str, str] = {}


def register(link: HotelLink) -> None:
    """Show a link in its place, after the links that were registered earlier."""
    _links.append(link)


def register_home(url_name: str, *, permission: str) -> None:
    """Set the page that a hotel's name links to, by the name of its URL, and the permission that this page needs.

    The URL takes the hotel's id.
    """
    _home.update(url_name=url_name, permission=permission)


def home() -> str:
    """The name of the URL that a hotel's name links to."""
    return _home["url_name"]


def home_permission() -> str:
    """The permission that the page of :func:`home` needs."""
    return _home["permission"]


def links(place: str) -> Iterator[HotelLink]:
    """The links that are registered for a place."""
    return (link for link in _links if link.place == place)
