"""Strategies for random rooms and queries: few or very many distinct values, Unicode, all kinds of selections."""

from collections.abc import Sequence

from hypothesis import strategies as st

from dynamodb_lists.planning.selection import Combination, Selection
from rooms import keys
from rooms.entities import Room, RoomQuery
from tests.helpers.rooms import make_room

WORDS = ("Sea view", "Garden", "City", "海景", "Hướng biển", "sea", "Sea", "", "Ω-Zimmer", "sea view partial")
few_labels = st.sampled_from(WORDS)
many_labels = st.text(max_size=12).map(str.strip)
few_sizes = st.sampled_from([9, 20, 40, 100, 1000])
many_sizes = st.integers(1, keys.MAX_SIZE)


@st.composite
def room_lists(draw: st.DrawFn, max_size: int = 120) -> list[Room]:
    """Rooms of one hotel, either with few distinct facet values or with very many."""
    crowded = draw(st.booleans())
    labels, sizes = (few_labels, few_sizes) if crowded else (many_labels, many_sizes)
    least = draw(st.sampled_from([1, max_size // 2]))  # without a minimum, most lists would have only a page or two
    facets = draw(st.lists(st.tuples(labels, sizes, labels), min_size=least, max_size=max_size))
    numbers = draw(st.permutations([str(n) for n in range(len(facets))]))
    return [make_room(number, view, size, type_) for number, (view, size, type_) in zip(numbers, facets, strict=True)]


@st.composite
def selections(draw: st.DrawFn, combinations: Sequence[Combination]) -> Selection:
    """Any subset of the facets, any number of existing values in each, with or without a size range."""
    values = {}
    for number, facet in enumerate(keys.FACETS):
        existing = sorted({combination[number] for combination in combinations})
        if draw(st.booleans()):
            values[facet] = frozenset(draw(st.lists(st.sampled_from(existing), min_size=1, max_size=5)))
    bounds = {}
    if draw(st.booleans()):
        low, high = sorted([draw(few_sizes), draw(few_sizes | many_sizes)])
        bounds[keys.SIZE] = keys.size(low), keys.size(high)
    return Selection(values, bounds)


@st.composite
def room_queries(draw: st.DrawFn, rooms: Sequence[Room]) -> RoomQuery:
    """A query of the room list."""
    sorts = draw(st.permutations(keys.FACETS))
    used = draw(st.integers(0, 2))
    return RoomQuery(
        selection=draw(selections([room.facets for room in rooms])),
        sort=sorts[0] if used else "",
        then=sorts[1] if used > 1 else "",
        descending=bool(used) and draw(st.booleans()),
        page_size=draw(st.sampled_from([10, 25, 50])),
    )
