"""The page of the search, and its results in the command palette."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from hotelapp.dynamodb.schema.words import Words, typed, words_of
from hotelapp.portal.access import ANY_STAFF, StaffPage
from hotelapp.portal.forms.parameters import BadParameters, checked
from hotels.apps import HOME
from hotels.entities import Hotel
from orders.entities import FoundOrder, Guest
from rooms.entities import FoundRoom
from saved_views.views import known_views
from search import queries
from search.forms import SearchForm

Names = Mapping[str, str]
"""The names of hotels, by id."""


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
    hit: Callable[[Any, Names], Hit]
    all_hits: str = ""


def _hotel(hotel: Hotel, names: Names) -> Hit:
    return Hit(hotel.name, _joined(hotel.city, hotel.hotel_id), reverse(HOME, args=[hotel.hotel_id]))


def _room(room: FoundRoom, names: Names) -> Hit:
    address = reverse("rooms:room", args=[room.hotel_id, room.number])
    return Hit(f"Room {room.number}", _joined(names.get(room.hotel_id, room.hotel_id), room.type, room.view), address)


def _guest(guest: Guest, names: Names) -> Hit:
    return Hit(guest.name, _joined(guest.username, guest.email), reverse("orders:guest", args=[guest.username]))


def _order(order: FoundOrder, names: Names) -> Hit:
    guest = f"guest {order.username}" if order.username else ""
    facts = _joined(guest, names.get(order.hotel_id, order.hotel_id))
    return Hit(f"Order {order.order_id}", facts, reverse("orders:order", args=[order.order_id]))


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
        asked = checked(SearchForm(self.request.GET))
        text, here = asked["q"], asked["hotel"] if self.scope.allows(asked["hotel"]) else ""
        kinds = [name for name, kind in KINDS.items() if self.may(kind.permission)]
        found = queries.search(text, kinds, self.scope.hotel_ids, here)
        names = queries.hotel_names(found)
        saved = _saved(known_views(self.request, here), text)
        context = {
            "text": text,
            "sections": [*saved, *(_section(kind, *hits, text, names) for kind, hits in found.items() if any(hits))],
            "searched": [KINDS[kind].label.lower() for kind in kinds] + ["saved views"] * bool(kinds),
            "shown": sum(len(hits) for hits, _ in found.values()),
            "title": f"Search: {text}" if text else self.title,
            "first": asked["first"],
        }
        return super().get_context_data(**context, **kwargs)

    def render_to_response(self, context: dict[str, Any], **kwargs: Any) -> HttpResponse:
        """The page; for Enter in the palette, a redirect to the first hit."""
        hits = [hit for section in context.get("sections", ()) for hit in section["hits"]]
        return redirect(hits[0].address) if hits and context["first"] else super().render_to_response(context, **kwargs)


class PaletteResults(SearchPage):
    """The same hits as the part of a page that the command palette loads while somebody types."""

    template_name = "search/_palette.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        try:
            context = super().get_context_data(**kwargs)
        except BadParameters as error:
            return {"problem": " ".join(text for problem in error.problems for text in problem.texts)}
        return {**context, "results": [(section, hit) for section in context["sections"] for hit in section["hits"]]}


def _section(name: str, found: Sequence[Any], more: bool, text: str, names: Names) -> dict[str, Any]:
    """The hits of a kind under a heading, with the address of a list of all of them, or blank."""
    kind = KINDS[name]
    address = f"{reverse(kind.all_hits)}?{urlencode({'q': text})}" if kind.all_hits else ""
    hits = [kind.hit(each, names) for each in found]
    return {"kind": name, "label": kind.label, "icon": kind.icon, "hits": hits, "more": more, "all_address": address}


def _saved(known: Sequence[tuple[str, str, str]], text: str) -> list[dict[str, Any]]:
    """The section of the saved views whose names have words that begin as typed. Without any, none."""
    query = typed(text)
    found = [view for view in known if query and query.term(Words(words_of(view[0])))]
    hits = [Hit(name, "Saved view", address) for name, address, _ in found]
    section = {"kind": "views", "label": "Saved views", "icon": "person", "hits": hits, "more": False}
    return [section] if hits else []


def _joined(*facts: str) -> str:
    return " · ".join(filter(None, facts))
