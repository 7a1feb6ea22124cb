"""Pages and actions that a text names: some words say what ("place order"), and the others for which hotel or room."""

from collections.abc import Callable, Collection, Iterable
from functools import partial
from typing import NamedTuple

from dynamodb_lists.reading.fetching import in_parallel
from dynamodb_lists.schema.words import words_of
from hotels import queries as hotels
from hotels.app_config import HOME_PERMISSION, ROOM_PERMISSION, Action, hotel_pages, tabs
from search import queries

LEAST, MOST = 3, 8
"""The letters of a word that names an action, as shorter ones begin too many labels; and the most actions shown."""
FILLERS = frozenset({"an", "at", "by", "for", "in", "of", "on", "room", "the", "to"})
Words = tuple[str, ...]


class Hit(NamedTuple):
    title: str
    description: str
    address: str


def pages(text: str, links: Iterable[tuple[str, str]]) -> list[Hit]:
    """The links of the sidebar that every word of a text names."""
    return [Hit(title, "Page", address) for title, address in links if _rest(text, title) == ()]


def offers(text: str, may: Callable[[str], bool], hotel_ids: Collection[str] | None, here: str) -> list[Hit]:
    """The actions for what the other words find: one request for hotels, and those of the search for rooms.

    Without other words, those for the hotel ``here``, or for the only hotel of the user.
    """
    actions = [action for app in hotel_pages() for action in app.hotel_actions]
    of_hotels, names = _named(text, [*actions, *(Action(*tab[1:]) for tab in tabs())], may)
    of_rooms, others = _named(text, (action for app in hotel_pages() for action in app.room_actions), may)
    number = next((word for word in others if any(map(str.isdigit, word))), "")
    reads = [
        partial(queries.search, number, ["rooms"] * may(ROOM_PERMISSION), hotel_ids, here),
        partial(queries.search, " ".join(names), ["hotels"] * may(HOME_PERMISSION), hotel_ids),
    ]
    rooms, found = in_parallel(reads)
    known = queries.hotel_names(rooms)
    named = [(room, known.get(room.hotel_id, room.hotel_id)) for room in rooms.get("rooms", ([], False))[0]]
    places = [(room, (*words_of(name), room.hotel_id), name) for room, name in named]
    shown = [
        Hit(each.label, f"Room {room.number} · {name}", each.at(room.hotel_id, room.number))
        for room, words, name in places
        if all(any(word.startswith(other) for word in words) for other in others if other != number)
        for each in of_rooms
    ]
    chosen = {hotel.hotel_id: hotel.name for hotel in found.get("hotels", ([], False))[0]}
    if not names:
        own = [here] if here else [*(hotel_ids or ())]
        chosen = {id_: hotels.hotel_name(id_, read=False) for id_ in own if len(own) == 1}
    return [*shown, *(Hit(each.label, name, each.at(id_)) for id_, name in chosen.items() for each in of_hotels)][:MOST]


def _named(text: str, actions: Iterable[Action], may: Callable[[str], bool]) -> tuple[list[Action], Words]:
    """The actions that most words name, and the words that are left, the same for each."""
    found = [(_rest(text, f"{action.label} {action.more}"), action) for action in actions if may(action.permission)]
    fewest = min((rest for rest, _ in found if rest is not None), key=len, default=())
    return [action for rest, action in found if rest == fewest], fewest


def _rest(text: str, label: str) -> Words | None:
    """The words of a text that are none of an action's; ``None`` if no word names the action."""
    labels, words = words_of(label), words_of(text)
    naming = {word for word in words if len(word) >= LEAST and any(each.startswith(word) for each in labels)}
    return tuple(word for word in words if word not in naming | FILLERS | {*labels}) if naming else None
