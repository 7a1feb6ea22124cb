"""The registration point for the links that other apps show on a hotel's pages.

Such an app has a module ``hotel_links``, which is loaded when Django starts. So this app imports no other app, and no
app needs to know which others exist.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hotels.entities import Hotel

HOTEL_BAR = "hotel-bar"
"""The bar at the top of a hotel's pages."""


@dataclass(frozen=True)
class HotelLink:
    """A template for a link in one place of the portal.

    The template's context is that of the page, the hotel, and what ``context`` returns for the hotel.
    """

    place: str
    template_name: str
    context: Callable[[Hotel], Mapping[str, Any]] = lambda hotel: {}


_links: list[HotelLink] = []
_home: list[str] = []


def register(link: HotelLink) -> None:
    """Show a link in its place, after the links that were registered earlier."""
    _links.append(link)


def register_home(url_name: str) -> None:
    """Set the page that a hotel's name links to, by the name of its URL. The URL takes the hotel's id."""
    _home[:] = [url_name]


def home() -> str:
    """The name of the URL that a hotel's name links to."""
    return _home[0]


def links(place: str, hotel: Hotel) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The template name and the context of each link in a place, for a hotel."""
    return ((link.template_name, link.context(hotel)) for link in _links if link.place == place)
