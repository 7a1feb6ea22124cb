"""Books with three facets, in six orders, and strategies for random ones and for selections of them.

There are few or very many distinct values, Unicode, and all kinds of selections.
"""

from collections.abc import Sequence
from itertools import permutations
from typing import NamedTuple

from hypothesis import strategies as st

from dynamodb_lists.planning.range_plan import FacetIndex
from dynamodb_lists.planning.selection import Combination, Selection
from dynamodb_lists.schema import keys

GENRE, LENGTH, SHELF = FACETS = ("genre", "length", "shelf")
ITEM_BYTES, ENTRY_BYTES = 450, 225
INDEXES = tuple(
    FacetIndex(f"lsi{place}" if place else "", order, ENTRY_BYTES if place else ITEM_BYTES)
    for place, order in enumerate(permutations(FACETS))
)
"""All six orders: in the table's own sort key and in five LSIs."""
MOST = 9999


class Book(NamedTuple):
    """A book by its facets, as key parts, and its number."""

    facets: Combination
    number: str

    def key(self, index: FacetIndex) -> str:
        """The sort key in an index."""
        ordered = (self.facets[FACETS.index(facet)] for facet in index.order)
        return keys.compose(*ordered, self.number)


def pages(number: int) -> str:
    """A length as a key part."""
    return f"{number:04d}"


WORDS = ("Fairy tales", "History", "Poetry", "海景", "Hướng biển", "sea", "Sea", "", "Ω-Karten", "sea fiction")
few_labels = st.sampled_from(WORDS).map(keys.text_part)
many_labels = st.text(max_size=12).map(str.strip).map(keys.text_part)
few_lengths = st.sampled_from([9, 20, 40, 100, 1000]).map(pages)
many_lengths = st.integers(1, MOST).map(pages)


@st.composite
def book_lists(draw: st.DrawFn, max_size: int = 120) -> list[Book]:
    """Books, either with few distinct facet values or with very many."""
    crowded = draw(st.booleans())
    labels, lengths = (few_labels, few_lengths) if crowded else (many_labels, many_lengths)
    least = draw(st.sampled_from([1, max_size // 2]))  # without a minimum, most lists would have only a page or two
    facets = draw(st.lists(st.tuples(labels, lengths, labels), min_size=least, max_size=max_size))
    numbers = draw(st.permutations([str(n) for n in range(len(facets))]))
    return [*map(Book, facets, numbers)]


@st.composite
def selections(draw: st.DrawFn, books: Sequence[Book]) -> Selection:
    """Any subset of the facets, any number of existing values in each, with or without a range of lengths."""
    values = {}
    for place, facet in enumerate(FACETS):
        existing = sorted({book.facets[place] for book in books})
        if draw(st.booleans()):
            values[facet] = frozenset(draw(st.lists(st.sampled_from(existing), min_size=1, max_size=5)))
    bounds = {}
    if draw(st.booleans()):
        low, high = sorted([draw(few_lengths), draw(few_lengths | many_lengths)])
        bounds[LENGTH] = low, high
    return Selection(values, bounds)


sorts = st.permutations(FACETS).flatmap(lambda facets: st.integers(0, 2).map(lambda used: tuple(facets[:used])))
"""No facet to sort by, one, or two."""
