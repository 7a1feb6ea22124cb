"""How the search shows what it found: a title, a description and an address for each hit."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.http import urlencode

from hotels import links
from hotels.entities import Hotel
from orders.entities import FoundOrder, Guest
from rooms.entities import FoundRoom
from search.entities import Finds, Hit, Section


class Kind(NamedTuple):
    """Who may find hits of a kind, and how they are shown.

    ``all_hits`` names the URL of a list that takes the same text; blank if none.
    """

    permission: str
    label: str
    icon: str
    hit: Callable[[Any], Hit]
    all_hits: str = ""


def _hotel(hotel: Hotel) -> Hit:
    return Hit(hotel.name, _joined(hotel.city, hotel.hotel_id), reverse(links.home(), args=[hotel.hotel_id]))


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


def sections(found: Sequence[Finds], text: str) -> list[Section]:
    """The sections of a search for ``text``: those that have hits, or may have some further on."""
    return [_section(finds, text) for finds in found if finds.hits or finds.more]


def _section(finds: Finds, text: str) -> Section:
    kind = KINDS[finds.kind]
    address = f"{reverse(kind.all_hits)}?{urlencode({'q': text})}" if kind.all_hits else ""
    return Section(finds.kind, kind.label, kind.icon, tuple(map(kind.hit, finds.hits)), finds.more, address)


def _joined(*facts: str) -> str:
    return " · ".join(filter(None, facts))
