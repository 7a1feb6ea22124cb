"""The counts of an owner's items by combination of facets, with the labels of the values. Pure functions.

All counts are packed into one compressed text, which a page reads instead of an item for each.
"""

import json
import zlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import accumulate, pairwise, zip_longest
from typing import Any, NamedTuple

from dynamodb_lists.declared.parts import plain_label
from dynamodb_lists.planning.selection import Combination, FacetCounts
from dynamodb_lists.schema import keys


class Count(NamedTuple):
    """The number of items of a combination, and the label of each facet's value; ``None`` if the slug tells it."""

    number: int
    labels: tuple[str | None, ...] = ()


Counts = Mapping[Combination, Count]


class CountedItems(dict[Combination, Count]):
    """The counts of an owner, with the numbers of all items (``None`` if unknown) and of moves, from their ``head``.

    ``sample`` is the packed sample of the items; a blank if none is stored.
    """

    def __init__(self, counts: Counts, head: Mapping[str, Any], sample: bytes = b"") -> None:
        super().__init__(counts)
        self.items_stored, self.moves, self.sample = head.get("items"), head.get("moves", 0), sample
        self.of_values = {name: number for name, number in head.items() if keys.SEPARATOR in name}
        """How many items have a value, of the fields that are counted alone, by the attribute of the head."""
        self.of_rules: Mapping[str, float] = {}
        """How many items there are for which a rule holds, or in a sparse list, by the name of the condition."""
        known: Any = counts._numbers if isinstance(counts, CountedItems) else []
        self._numbers: list[FacetCounts[Combination]] = known

    def numbers(self, facets: Sequence[str]) -> FacetCounts[Combination]:
        """Return the numbers of the counts without labels, as planners take them."""
        if not self._numbers:
            self._numbers.append(FacetCounts(facets, {each: count.number for each, count in self.items()}))
        return self._numbers[0]

    @property
    def differ(self) -> bool:
        """Whether the counts are wrong, because their sum is not the number of items."""
        return self.items_stored not in {None, sum(count.number for count in self.values())}


def spelt_labels(counts: Counts) -> dict[int, dict[str, str]]:
    """Return the labels of each facet's values, by the place of the facet. The most frequent spelling wins."""
    spelt: dict[int, dict[str, dict[str, int]]] = defaultdict(lambda: defaultdict(lambda: defaultdict(int)))
    for combination, count in counts.items():
        for number, slug in enumerate(combination):
            label = (count.labels[number] if count.labels else None) or plain_label(slug)
            spelt[number][slug][label] += count.number
    return {
        number: {slug: max(sorted(found), key=found.__getitem__) for slug, found in slugs.items()}
        for number, slugs in spelt.items()
    }


def pack(counts: Counts) -> bytes:
    """Return the counts as one compressed text: the values of each facet with their labels, then places and numbers.

    The place of a count is its number among all combinations of the values. The text has the distance from one place to
    the next. So a count takes two to four bytes, and each slug and label occurs once.
    """
    spelt = {parts: _spelt(parts, count) for parts, count in counts.items()}
    values = [sorted({*column}) for column in zip(*spelt.values(), strict=True)]
    ranks = [{value: rank for rank, value in enumerate(column)} for column in values]
    places = {}
    for parts, spelling in spelt.items():
        place = 0
        for rank, value in zip(ranks, spelling, strict=True):
            place = place * len(rank) + rank[value]
        places[place] = counts[parts].number
    steps = [place - before for before, place in pairwise([0, *sorted(places)])]
    numbers = [places[place] for place in sorted(places)]
    text = json.dumps([values, steps, numbers], ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(text.encode())


def _spelt(combination: Combination, count: Count) -> list[tuple[str, str]]:
    """Return each part of a combination with its label, which is blank if it follows from the slug."""
    return [(slug, label or "") for slug, label in zip_longest(combination, count.labels)]


def unpack(data: bytes, facets: int) -> dict[Combination, Count]:
    """Return the counts in a text of :func:`pack`, for so many facets. Raises: ``ValueError`` for another text."""
    try:
        values, steps, numbers = json.loads(zlib.decompress(data))
        found = dict(map(partial(_unpacked, values), accumulate(steps), numbers))
    except (zlib.error, ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise ValueError("These are no packed counts.") from error
    if found and len(values) != facets:
        raise ValueError("These are no packed counts of such facets.")
    return found


def copied(copy: Mapping[str, Any], facets: Sequence[str]) -> Counts | None:
    """Return the counts in a packed copy; ``None`` without one, or if another release has packed it differently."""
    with suppress(KeyError, ValueError):
        return unpack(copy["packed"], max(len(facets), 1))
    return None


def _unpacked(values: Sequence[Sequence[Sequence[str]]], place: int, number: int) -> tuple[Combination, Count]:
    slugs: list[str] = []
    labels: list[str | None] = []
    for column in reversed(values):
        place, rank = divmod(place, len(column))
        slug, label = column[rank]
        slugs.append(slug)
        labels.append(label or None)
    if place:
        raise ValueError("There is no such place.")
    return tuple(slugs[::-1]), Count(int(number), tuple(labels[::-1]) if any(labels) else ())


def changed(counts: Counts, deltas: Iterable[tuple[Combination, int, tuple[str | None, ...]]]) -> Counts:
    """Return the counts after changes: each delta adds to the number of a combination, and has its labels."""
    after = dict(counts)
    for combination, number, words in deltas:
        before = after.get(combination, Count(0))
        after[combination] = Count(before.number + number, words if number >= 0 else before.labels)
    return after
