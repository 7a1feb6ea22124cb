"""The rooms that every list is filled with, and the questions that every list is asked."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

VIEWS = ("city-view", "courtyard", "garden-view", "mountain-view", "pool-view", "sea-view")
TYPES = (("single", 18), ("double", 24), ("twin", 24), ("deluxe", 32), ("family", 40), ("suite", 55))
FACETS = ("view", "size", "type")
FLOOR_ROOMS = 40
PAGE_SIZE = 25
HOTEL = "lakeview"

Room = dict[str, Any]


@dataclass(frozen=True)
class Question:
    """A question, and how to get to the page that is measured.

    ``ask`` is ``page``, ``facets`` or ``edit``. ``turns`` are the pages to open one after the other; only the last one
    is measured. ``values`` are the values allowed in a facet, ``sizes`` the first and the last size in m2.
    """

    name: str
    title: str
    ask: str = "page"
    turns: Sequence[str] = ("first",)
    values: dict[str, list[str]] = field(default_factory=dict)
    sizes: Sequence[int] | None = None
    sort: Sequence[str] = ()
    descending: bool = False


SEA_OR_GARDEN = {"view": ["garden-view", "sea-view"], "type": ["deluxe", "suite"]}
QUESTIONS = (
    Question("first", "first page, by size", sort=("size", "view")),
    Question("last", "last page of the same list", turns=("first", "last"), sort=("size", "view")),
    Question(
        "previous", "from page 3 back to page 2", turns=("first", "next", "next", "previous"), sort=("size", "view")
    ),
    Question("one", "suites, by size downwards", values={"type": ["suite"]}, sort=("size", "view"), descending=True),
    Question(
        "several",
        "two views and types, by size downwards",
        values=SEA_OR_GARDEN,
        sort=("size", "view"),
        descending=True,
    ),
    Question("key", "30 to 40 m², by size downwards", sizes=(30, 40), sort=("size", "view"), descending=True),
    Question("range", "30 to 40 m², by view, page 2", turns=("first", "next"), sizes=(30, 40), sort=("view", "size")),
    Question("few", "64 to 66 m², by view", sizes=(64, 66), sort=("view", "size")),
    Question("rate", "sea view, by rate downwards", values={"view": ["sea-view"]}, sort=("rate",), descending=True),
    Question("facets", "total, and counts beside each filter", ask="facets", values=SEA_OR_GARDEN),
    Question("edit", "save a room with another view", ask="edit"),
)


def rooms(count: int) -> list[Room]:
    """``count`` rooms with whole rates in euros; the same ones each time."""
    drawn, found = random.Random(22), []
    for index in range(count):
        floor, door = divmod(index, FLOOR_ROOMS)
        type_, smallest = drawn.choice(TYPES)
        size = smallest + drawn.randrange(0, 12, 2)
        found.append(
            {
                "number": f"{floor + 10}{door + 1:02d}",  # of one length, so that texts sort as numbers
                "view": drawn.choice(VIEWS),
                "size": size,
                "type": type_,
                "rate": size * drawn.randint(3, 6) // 5 * 5,
                "currency": "EUR",
            }
        )
    return found


def edited(room: Room) -> Room:
    """Return a room with another view, as the question ``edit`` saves it."""
    return {**room, "view": VIEWS[VIEWS.index(room["view"]) - 1]}
