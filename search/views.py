"""The page of the search, and its results in the command palette."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.http import urlencode

from hotelapp.portal.access import ANY_STAFF, StaffPage
from hotelapp.portal.forms.parameters import BadParameters, checked
from hotels.apps import HOME
from hotels.entities import Hotel
from orders.entities import FoundOrder, Guest
from rooms.entities import FoundRoom
from search import queries
from search.forms import SearchForm


class Hit(NamedTuple):
    """A hit of the search: its name, a description that tells it from others, and its address."""

    title: str
    description: str
    address: str


class Kind(NamedTuple):
    """A kind of hits: the permission to find them, and how they are shown.

    ``icon`` names a Material symbol. ``all_hits`` names the URL of a list that takes the same text, or is blank.
    """

    permission: str
    label: str
    icon: str
    hit: Callable[[Any], Hit]
    all_hits: str = ""


def _hotel(hotel: Hotel) -> Hit:
    return Hit(hotel.name, _joined(hotel.city, hotel.hotel_id), reverse(HOME, args=[hotel.hotel_id]))


def _room(room: FoundRoom) -> Hit:
    address = reverse("rooms:room", args=[room.hotel_id, room.number])
    return Hit(f"Room {room.number}", _joined(f"hotel {room.hotel_id}", room.type, room.view), address)


def _guest(guest: Guest) -> Hit:
    return Hit(guest.name, _joined(guest.username, guest.email), reverse("orders:guest", args=[guest.username]))


def _order(order: FoundOrder) -> Hit:
    facts = (
        f"{noun} {value}" if value else "" for noun, value in (("guest", order.username), ("hotel", order.hotel_id))
    )
    return Hit(f"Order {order.order_id}", _joined(*facts), reverse("orders:order", args=[order.order_id]))


KINDS: Mapping[str, Kind] = {
    "hotels": Kind("hotels.view_hotel", "Hotels", "hotel", _hotel, "hotels:hotels"),
    "rooms": Kind("rooms.view_room", "Rooms", "meeting_room", _room),
    "guests": Kind("orders.view_guest", "Guests", "badge", _guest, "orders:guests"),
    "orders": Kind("orders.view_order", "Orders", "receipt_long", _order),
}


class SearchPage(StaffPage):
    """The hits of a text, by kind. Each member of staff finds the kinds that they may view."""

    title = "Search"
    permission = ANY_STAFF
    template_name = "search/search.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The hits in sections. Raises :class:`~hotelapp.portal.forms.parameters.BadParameters`."""
        text = checked(SearchForm(self.request.GET))["q"]
        kinds = [name for name, kind in KINDS.items() if self.may(kind.permission)]
        found = queries.search(text, kinds, self.scope.hotel_ids)
        context = {
            "text": text,
            "sections": [_section(kind, *hits, text) for kind, hits in found.items() if any(hits)],
            "searched": [KINDS[kind].label.lower() for kind in kinds],
            "shown": sum(len(hits) for hits, _ in found.values()),
            "title": f"Search: {text}" if text else self.title,
        }
        return super().get_context_data(**context, **kwargs)


class PaletteResults(SearchPage):
    """The same hits as the part of a page that the command palette loads while somebody types."""

    template_name = "search/_palette.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        try:
            context = super().get_context_data(**kwargs)
        except BadParameters as error:
            return {"problem": " ".join(text for problem in error.problems for text in problem.texts)}
        return {**context, "results": [(section, hit) for section in context["sections"] for hit in section["hits"]]}


def _section(name: str, found: Sequence[Any], more: bool, text: str) -> dict[str, Any]:
    """The hits of a kind under a heading, with the address of a list of all of them, or blank."""
    kind = KINDS[name]
    address = f"{reverse(kind.all_hits)}?{urlencode({'q': text})}" if kind.all_hits else ""
    hits = [kind.hit(each) for each in found]
    return {"kind": name, "label": kind.label, "icon": kind.icon, "hits": hits, "more": more, "all_address": address}


def _joined(*facts: str) -> str:
    return " · ".join(filter(None, facts))
