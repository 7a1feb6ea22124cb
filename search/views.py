"""The page of the search, its results in the command palette, and what pickers offer."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import islice
from operator import or_
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db.models import Q
from django.forms import BooleanField, CharField
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse

from accounts import authority
from dynamodb_lists import WordQuery, Words, errors
from hotels import queries as hotels
from hotels.app_config import HOME, tabs
from hotels.entities import Hotel
from orders.entities import CatalogueEntry, Guest, Order
from orders.lists import CATALOGUE
from portal.access import ANY_STAFF, StaffPage, scope_in
from portal.forms.fields import HotelField, SearchField
from portal.forms.parameters import BadParameters, read
from portal.forms.pickers import Pick
from portal.frame import open_links
from portal.money import amount_text, money
from portal.people import full_name
from rooms.entities import FoundRoom, Room
from saved_views.views import known_views
from search import queries

SEARCH = {"q": SearchField(label="Search"), "hotel": HotelField(required=False), "first": BooleanField(required=False)}
"""The text, on which hotel's page the palette is open, and that Enter opens the first hit."""

CHOICES = {"q": SearchField(), "hotel": HotelField(required=False), "kind": CharField(max_length=16, required=False)}
"""What a picker asks for: things of a kind that a text finds, rooms and items of a hotel."""

LEAST = 3
"""The fewest letters that find pages: one or two begin a word of too many of them."""


class Hit(NamedTuple):
    """A hit: the text and the address of its link, and a second text that tells it from others."""

    title: str
    address: str
    description: str = ""


class FoundKind(NamedTuple):
    """A kind of hits. ``icon`` is a Material symbol; ``all_hits`` names the URL of a list that takes the same text."""

    permission: str
    label: str
    icon: str
    all_hits: str = ""


KINDS: Mapping[str, FoundKind] = {
    "hotels": FoundKind("hotels.view_hotel", "Hotels", "hotel", "hotels:hotels"),
    "rooms": FoundKind("rooms.view_room", "Rooms", "meeting_room"),
    "guests": FoundKind("orders.view_guest", "Guests", "badge", "orders:guests"),
    "orders": FoundKind("orders.view_order", "Orders", "receipt_long"),
}


class SearchPage(StaffPage):
    """The hits of a text, by kind. Each member of staff finds the kinds that they may view."""

    title = "Search"
    permission = ANY_STAFF
    template_name = "search/search.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return the hits in sections. Raises :class:`~portal.forms.parameters.BadParameters`."""
        asked = read(self.request.GET, **SEARCH)
        text, here = asked["q"], asked["hotel"] if self.scope.allows(asked["hotel"]) else ""
        kinds = [name for name, kind in KINDS.items() if self.may(kind.permission)]
        found = queries.search(text, kinds, self.scope, here)
        names = queries.hotel_names(found)
        saved = _named(((name, address) for name, address, _ in known_views(self.request, here)), "Saved view", text)
        sections = [_section("views", "Saved views", "person", saved)]
        for name, (hits, more) in found.items():
            kind = KINDS[name]
            every = reverse(kind.all_hits, query={"q": text}) if kind.all_hits else ""
            sections.append(_section(name, kind.label, kind.icon, [_hit(each, names) for each in hits], more, every))
        sections.append(_section("staff", "Staff", "person", self._staff(text)))
        links = _named(open_links(self.request, palette=True), "Page", text)
        pages = [*islice(self._tabs(here, text), queries.SHOWN), *links] if len(text) >= LEAST else []
        sections.append(_section("pages", "Pages", "checklist", pages))
        context = {
            "text": text,
            "sections": [section for section in sections if section["hits"] or section["more"]],
            "searched": [KINDS[kind].label.lower() for kind in kinds]
            + ["staff"] * self.may("auth.view_user")
            + ["saved views", "pages"] * bool(kinds),
            "shown": sum(len(hits) for hits, _ in found.values()),
            "title": f"Search: {text}" if text else self.title,
            "first": asked["first"],
        }
        return super().get_context_data(**context, **kwargs)

    def _tabs(self, here: str, text: str) -> Iterator[Hit]:
        """Yield the pages of hotels that a text finds by more than the hotel's name: of the hotel ``here`` first."""
        query, seen = WordQuery.of(text), hotels.seen_hotels(self.scope)
        shown = [tab for tab in tabs() if tab.is_for(self.request.user)]
        for hotel_id, hotel in sorted(seen.items(), key=lambda each: (each[0] != here, each[1].name)):
            named = f"{hotel.name} {hotel_id}"
            if query is None or query.term(Words.of(named)):
                continue
            for tab in shown:
                if query.term(Words.of(f"{tab.label} {tab.also} {named}")):
                    yield Hit(tab.label, reverse(tab.url_name, args=[hotel_id]), hotel.name)

    def _staff(self, text: str) -> list[Hit]:
        """Return the staff whom the user may see, by the beginnings of their names."""
        if len(text) < LEAST or not self.may("auth.view_user"):
            return []
        found = authority.accounts_seen(self.request.user, User.objects.filter(is_staff=True))
        for word in text.split():
            names = (Q(**{f"{name}__istartswith": word}) for name in ("first_name", "last_name", "username"))
            found = found.filter(reduce(or_, names))
        found = found.order_by("first_name", "username")[: queries.SHOWN]
        return [Hit(full_name(each), reverse("admin:auth_user_change", args=[each.pk]), "Staff") for each in found]

    def render_to_response(self, context: dict[str, Any], **kwargs: Any) -> HttpResponse:
        """Return the page; for Enter in the palette, a redirect to the first hit."""
        hits = [hit for section in context.get("sections", ()) for hit in section["hits"]]
        return redirect(hits[0].address) if hits and context["first"] else super().render_to_response(context, **kwargs)


class PaletteResults(SearchPage):
    template_name = "search/_palette.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        try:
            context = super().get_context_data(**kwargs)
        except BadParameters as error:
            return {"problem": " ".join(text for problem in error.problems for text in problem.texts)}
        return {**context, "results": [(section, hit) for section in context["sections"] for hit in section["hits"]]}


PICKED = {
    "guest": "orders.view_guest",
    "hotel": "hotels.view_hotel",
    "room": "rooms.view_room",
    "item": "orders.add_order",
}
"""The kinds of things that pickers find, and the permission to find them."""


class UsersFinder:
    """The search for pickers: it finds what the user of a request may see. It keeps each catalogue that it reads."""

    def __init__(self, request: HttpRequest) -> None:
        self._user, self._scope = request.user, scope_in(request)
        self._catalogues: dict[str, Sequence[CatalogueEntry]] = {}

    def choices(self, kind: str, text: str, hotel_id: str = "") -> tuple[list[Pick], bool]:
        """Return the things of a kind that a text finds, at most eight, and whether there may be more."""
        if not self._may_find(kind, hotel_id if kind in {"room", "item"} else ""):
            return [], False
        if kind == "room":
            found = queries.rooms_of(hotel_id, text)
        elif kind == "item":
            found = queries.items_named(self._items(hotel_id), text)
        elif kind == "hotel" and not text:
            found = hotels.hotels(self._scope).hits(queries.SHOWN)
        else:
            found = queries.search(text, [f"{kind}s"], self._scope).get(f"{kind}s", ([], False))
        if kind == "hotel":
            whole = hotels.known_hotels(hotel.hotel_id for hotel in found[0])
            found = [whole.get(hotel.hotel_id, hotel) for hotel in found[0]], found[1]
        return [_choice(each) for each in found[0]], found[1]

    def named(self, kind: str, thing_id: str, hotel_id: str = "") -> Pick | None:
        """Return the thing of this id; ``None`` if there is none, or if the user may not find it."""
        if not self._may_find(kind, {"hotel": thing_id, "guest": ""}.get(kind, hotel_id)):
            return None
        try:
            if kind == "item":
                return next((_choice(item) for item in self._items(hotel_id) if item.sku == thing_id), None)
            return _choice(queries.named(kind, thing_id, hotel_id))
        except errors.NotFound:
            return None

    def _may_find(self, kind: str, hotel_id: str) -> bool:
        in_scope = self._scope.allows(hotel_id) if hotel_id else kind in {"guest", "hotel"}
        return kind in PICKED and self._user.has_perm(PICKED[kind]) and in_scope

    def _items(self, hotel_id: str) -> Sequence[CatalogueEntry]:
        if hotel_id not in self._catalogues:
            self._catalogues[hotel_id] = CATALOGUE.query(hotel_id=hotel_id).take(queries.MOST_ITEMS)
        return self._catalogues[hotel_id]


class Choices(StaffPage):
    """What a picker offers while somebody types. Forms ask it, too, for a browser without scripts."""

    permission = ANY_STAFF

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Return the choices as JSON, and what a screen reader says of them."""
        try:
            asked = read(request.GET, **CHOICES)
        except BadParameters as error:
            return JsonResponse({"choices": [], "said": str(error)}, status=400)
        found, more = UsersFinder(request).choices(asked["kind"], asked["q"], asked["hotel"])
        said = f"{len(found)} found{', and more' if more else ''}." if found else "Nothing was found."
        if asked["kind"] in {"room", "item"} and not asked["hotel"]:
            said = "Choose the hotel first."
        shown = [{**vars(choice), "chosen": choice.chosen()} for choice in found]
        return JsonResponse({"choices": shown, "said": said})


def _choice(found: Any) -> Pick:
    match found:
        case Guest():
            return Pick(found.username, found.name, found.email or found.username)
        case Hotel():
            facts = {"currency": found.currency, "time_zone": found.time_zone}
            return Pick(found.hotel_id, found.name, found.city, facts)
        case Room():
            return Pick(found.number, found.number, _joined(found.type, found.view))
        case CatalogueEntry():
            facts = {"unit_price": amount_text(found.unit_price, found.currency), "currency": found.currency}
            return Pick(found.sku, found.name, money(found.unit_price, found.currency), facts)
    raise TypeError(found)


def _hit(found: Any, names: Mapping[str, str]) -> Hit:
    match found:
        case Hotel():
            return Hit(found.name, reverse(HOME, args=[found.hotel_id]), _joined(found.city, found.hotel_id))
        case FoundRoom():
            facts = _joined(names.get(found.hotel_id, found.hotel_id), found.type, found.view)
            return Hit(f"Room {found.number}", reverse("rooms:room", args=[found.hotel_id, found.number]), facts)
        case Guest():
            return Hit(found.name, reverse("orders:guest", args=[found.username]), _joined(found.username, found.email))
        case Order():
            guest = f"guest {name}" if (name := found.guest_name or found.username) else ""
            facts = _joined(guest, names.get(found.hotel_id, found.hotel_id))
            return Hit(f"Order {found.order_id}", reverse("orders:order", args=[found.order_id]), facts)
    raise TypeError(found)


def _section(
    kind: str, label: str, icon: str, hits: Sequence[Hit], more: bool = False, all_address: str = ""
) -> dict[str, Any]:
    """Return hits under a heading, whether there may be more, and the address of a list of all of them, or blank."""
    return {"kind": kind, "label": label, "icon": icon, "hits": hits, "more": more, "all_address": all_address}


def _named(links: Iterable[tuple[str, str]], noun: str, text: str) -> list[Hit]:
    """Return the links, titles and addresses, whose titles have words that begin as typed."""
    query = WordQuery.of(text)
    return [Hit(*link, noun) for link in links if query and query.term(Words.of(link[0]))]


def _joined(*facts: str) -> str:
    return " · ".join(filter(None, facts))
