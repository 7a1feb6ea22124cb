"""The page of the search, its results in the command palette, and what pickers offer.

A search sends one request for each kind of thing, all at the same time.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial, reduce
from itertools import islice
from operator import or_
from typing import Any, NamedTuple
from unicodedata import normalize

from django.contrib.auth.models import User
from django.db.models import Q
from django.forms import BooleanField, CharField
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse

from accounts import authority
from dynamodb_lists import WordQuery, Words, errors, in_parallel, ledger
from dynamodb_lists.schema import keys
from hotels import queries as hotels
from hotels.app_config import HOME, tabs
from hotels.entities import Hotel
from orders import queries as orders
from orders.entities import CatalogueEntry, Guest, Order
from orders.lists import CATALOGUE
from portal.access import ANY_STAFF, StaffPage, scope_in
from portal.forms.fields import HotelField, SearchField
from portal.forms.parameters import BadParameters, read
from portal.forms.pickers import Pick
from portal.frame import open_links
from portal.money import amount_text, money
from portal.people import EVERY_HOTEL, HotelScope, full_name
from rooms import queries as rooms
from rooms.entities import FoundRoom, Room
from saved_views.views import known_views

SHOWN = 8
"""The most hits of a kind."""

MOST_WORDS = 500
"""The most words of hotels that are looked through for the hotels of a user: one request."""
MOST_ITEMS = 500
"""The most items of a hotel that are looked through: one request."""

Found = tuple[Sequence[Any], bool]
"""The hits, and whether there may be more."""


def room_asked(text: str, scope: HotelScope) -> tuple[str, HotelScope]:
    """Return the room's number in a text such as "room 118 lakeview", and the hotels that its other words name."""
    words = [word for word in text.split() if word.casefold() not in {"room", "rooms"}]
    numbers = [word for word in words if any(map(str.isdigit, word))]
    if len(words) > 1 and len(numbers) == 1:
        query = WordQuery.of(" ".join(word for word in words if word not in numbers))
        seen = {key: Words.of(each.name, each.city, key) for key, each in hotels.seen_hotels(scope).items()}
        named = [key for key, each in seen.items() if query and query.term(each) is not None]
        return (numbers[0], HotelScope(frozenset(named))) if named else (text, scope)
    return " ".join(words), scope


def search(text: str, kinds: Collection[str], scope: HotelScope = EVERY_HOTEL, here: str = "") -> dict[str, Found]:
    """Return the hits of a text, by kind: hotels, rooms, guests, orders; none for a text without a letter or digit.

    Hotels, rooms and orders are those of a ``scope``. Guests belong to no hotel. What belongs to the
    hotel ``here`` comes first; its rooms take one more request, in the same wave.
    """
    if not (query := WordQuery.of(text)):
        return {}
    chosen = {kind: partial(_found, kind, text, query, scope) for kind in kinds}
    if here and "rooms" in chosen:
        chosen["rooms here"] = partial(_found, "rooms", text, query, HotelScope(frozenset({here})))
    with ledger.purpose("list"):
        found = dict(zip(chosen, in_parallel([*chosen.values()]), strict=True))
    if of_hotel := found.pop("rooms here", None):
        hits = list(dict.fromkeys([*of_hotel[0], *found["rooms"][0]]))
        found["rooms"] = hits[:SHOWN], found["rooms"][1] or len(hits) > SHOWN
    if not here:
        return found

    def elsewhere(hit: Any) -> bool:
        return getattr(hit, "hotel_id", "") != here

    # The hits of the hotel before the others, and the kinds that have some before the others.
    ordered = {kind: (sorted(hits, key=elsewhere), more) for kind, (hits, more) in found.items()}
    return dict(sorted(ordered.items(), key=lambda item: not item[1][0] or elsewhere(item[1][0][0])))


def hotel_names(found: Mapping[str, Found]) -> dict[str, str]:
    """Return the names of the hotels that hits belong to, by id. One request reads those that are not cached."""
    hits = [hit for kind in ("rooms", "orders") for hit in found.get(kind, ([], False))[0]]
    known = hotels.known_hotels([hit.hotel_id for hit in hits if hit.hotel_id])
    return {hotel_id: hotel.name for hotel_id, hotel in known.items()}


def _found(kind: str, text: str, query: WordQuery, scope: HotelScope) -> Found:
    match kind:
        case "hotels":
            return hotels.hotels_found(query, scope).hits(SHOWN, MOST_WORDS if scope.bound else 0)
        case "rooms":
            number, among = room_asked(text, scope)
            return _first(rooms.rooms_anywhere(number, SHOWN + 1, among) if keys.is_part(number) else [])
        case "guests":
            return orders.guests_found(orders.typed_guest(text) or query).hits(SHOWN)
    return orders.orders_by_number(text, scope), False


def _first(found: Sequence[Any]) -> Found:
    return found[:SHOWN], len(found) > SHOWN


def items_named(items: Sequence[CatalogueEntry], text: str) -> Found:
    """Return the items with words that begin as typed, the shortest names first; without a text, all items."""
    query = WordQuery.of(text)
    words = {item.sku: Words.of(item.name, item.sku) for item in items}
    found = [item for item in items if (query.term(words[item.sku]) is not None if query else not text)]
    return _first(sorted(found, key=lambda item: len(item.name)))


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
        found = search(text, kinds, self.scope, here)
        names = hotel_names(found)
        saved = _named(((name, address) for name, address, _ in known_views(self.request, here)), "Saved view", text)
        sections = [_section("views", "Saved views", "person", saved)]
        for name, (hits, more) in found.items():
            kind = KINDS[name]
            every = reverse(kind.all_hits, query={"q": text}) if kind.all_hits else ""
            sections.append(_section(name, kind.label, kind.icon, [_hit(each, names) for each in hits], more, every))
        sections.append(_section("staff", "Staff", "person", self._staff(text)))
        links = _named(open_links(self.request, palette=True), "Page", text)
        pages = [*islice(self._tabs(here, text), SHOWN), *links] if len(text) >= LEAST else []
        sections.append(_section("pages", "Pages", "checklist", pages))
        if here and text and self.may("notes.view_note"):
            address = reverse("notes:notes", args=[here], query={"q": text, "status": "any"})
            name = known.name if (known := hotels.seen_hotels(self.scope).get(here)) else here
            hit = Hit(f"Search the notes of {name} for “{text}”", address, "Notes")
            sections.append(_section("notes", "Notes", "sticky_note_2", [hit]))
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
        found = found.order_by("first_name", "username")[:SHOWN]
        return [Hit(full_name(each), reverse("admin:auth_user_change", args=[each.pk]), "Staff") for each in found]

    def render_to_response(self, context: dict[str, Any], **kwargs: Any) -> HttpResponse:
        """Return the page; for Enter in the palette, a redirect to the first hit, which a search of notes is not."""
        sections = (each for each in context.get("sections", ()) if each["kind"] != "notes")
        hits = [hit for section in sections for hit in section["hits"]]
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
            is_start = not text or keys.is_part(text)
            found = _first(rooms.rooms_by_number(hotel_id, normalize("NFKC", text), SHOWN + 1) if is_start else [])
        elif kind == "item":
            found = items_named(self._items(hotel_id), text)
        elif kind == "hotel" and not text:
            found = hotels.hotels(self._scope).hits(SHOWN)
        else:
            found = search(text, [f"{kind}s"], self._scope).get(f"{kind}s", ([], False))
        if kind == "hotel":
            whole = hotels.known_hotels(hotel.hotel_id for hotel in found[0])
            found = [whole.get(hotel.hotel_id, hotel) for hotel in found[0]], found[1]
        return [_choice(each) for each in found[0]], found[1]

    def named(self, kind: str, thing_id: str, hotel_id: str = "") -> Pick | None:
        """Return the thing of this id; ``None`` if there is none, or if the user may not find it."""
        if not self._may_find(kind, {"hotel": thing_id, "guest": ""}.get(kind, hotel_id)):
            return None
        plain = normalize("NFKC", thing_id).strip()
        with suppress(errors.NotFound):
            if kind == "item":
                return next((_choice(item) for item in self._items(hotel_id) if item.sku == thing_id), None)
            if kind == "guest":
                return _choice(orders.guest(plain.lower()))
            if kind == "hotel":
                return _choice(hotels.hotel(plain))
            if keys.is_part(plain):
                return _choice(rooms.room(hotel_id, plain))
        return None

    def _may_find(self, kind: str, hotel_id: str) -> bool:
        in_scope = self._scope.allows(hotel_id) if hotel_id else kind in {"guest", "hotel"}
        return kind in PICKED and self._user.has_perm(PICKED[kind]) and in_scope

    def _items(self, hotel_id: str) -> Sequence[CatalogueEntry]:
        if hotel_id not in self._catalogues:
            self._catalogues[hotel_id] = CATALOGUE.query(hotel_id=hotel_id).take(MOST_ITEMS)
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
            return Pick(found.username, found.name, found.email or found.username, {"note": found.note})
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
