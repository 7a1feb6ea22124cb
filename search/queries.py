"""The search: one request for each kind of thing, all at the same time."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any
from unicodedata import normalize

from dynamodb_lists import WordQuery, Words, errors, in_parallel, ledger
from dynamodb_lists.schema import keys
from hotels import queries as hotels
from orders import queries as orders
from orders.entities import CatalogueEntry
from portal.people import EVERY_HOTEL, HotelScope
from rooms import queries as rooms

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


def rooms_of(hotel_id: str, text: str) -> Found:
    is_start = not text or keys.is_part(text)
    return _first(rooms.rooms_by_number(hotel_id, normalize("NFKC", text), SHOWN + 1) if is_start else [])


def named(kind: str, thing_id: str, hotel_id: str) -> Any:
    """Return a guest by username, a hotel by its id, or a room of a hotel by its number. Raises :class:`NotFound`."""
    plain = normalize("NFKC", thing_id).strip()
    if kind == "guest":
        return orders.guest(plain.lower())
    if kind == "hotel":
        return hotels.hotel(plain)
    if not keys.is_part(plain):
        raise errors.NotFound("No room has this number.")
    return rooms.room(hotel_id, plain)


def items_named(items: Sequence[CatalogueEntry], text: str) -> Found:
    """Return the items with words that begin as typed, the shortest names first; without a text, all items."""
    query = WordQuery.of(text)
    words = {item.sku: Words.of(item.name, item.sku) for item in items}
    found = [item for item in items if (query.term(words[item.sku]) is not None if query else not text)]
    return _first(sorted(found, key=lambda item: len(item.name)))
