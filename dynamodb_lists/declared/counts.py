"""The counts of an owner's items by combination of facets, with the labels of the values. Pure functions.

All counts are packed into one compressed text, which a page reads instead of an item for each. It nests the facets, so
that no value is repeated that lines share: ``{genre: {language: number}}``. A count with labels has a list of
the number and the labels instead of the number.
"""

import json
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from dynamodb_lists.declared.parts import plain_label
from dynamodb_lists.planning.selection import FacetCounts

Combination = tuple[str, ...]


class Count(NamedTuple):
    """The number of items of a combination, and the label of each facet's value, ``None`` for that of its slug."""

    number: int
    labels: tuple[str | None, ...] = ()


Counts = Mapping[Combination, Count]


class CountedItems(dict[Combination, Count]):
    """Counts, and the number of all ``items``, which is stored beside them; ``None`` if it is not known."""

    def __init__(self, counts: Counts, items: int | None) -> None:
        super().__init__(counts)
        self.items_stored = items

    @property
    def differ(self) -> bool:
        """Whether the counts cannot be right: their sum is not the number of items."""
        return self.items_stored not in {None, sum(count.number for count in self.values())}


def labels_of(combination: Combination, values: Sequence[Any]) -> tuple[str | None, ...]:
    """The labels of an entity's values that differ from those of their slugs; an empty tuple if none does."""
    found = tuple(
        value if isinstance(value, str) and value and value != plain_label(slug) else None
        for slug, value in zip(combination, values, strict=True)
    )
    return found if any(found) else ()


def facet_counts(facets: Sequence[str], counts: Counts) -> FacetCounts[Combination]:
    """The numbers alone, as planners take them."""
    return FacetCounts(facets, {combination: count.number for combination, count in counts.items()})


def spelt_labels(counts: Counts) -> dict[int, dict[str, str]]:
    """The label of each facet's values that have one, by the number of the facet. The most frequent spelling wins."""
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
    """The counts as one compressed text."""
    nest: dict[str, Any] = {}
    for (*first, last), count in counts.items():
        inner = nest
        for slug in first:
            inner = inner.setdefault(slug, {})
        inner[last] = [count.number, *count.labels] if count.labels else count.number
    return zlib.compress(json.dumps(nest, ensure_ascii=False, separators=(",", ":")).encode())


def unpack(data: bytes, facets: int) -> dict[Combination, Count]:
    """The counts in a text of :func:`pack`, by so many facets. Raises :class:`ValueError` for anything else."""
    try:
        found = dict(_unpacked((), json.loads(zlib.decompress(data))))
    except (zlib.error, AttributeError, TypeError, ValueError) as error:
        raise ValueError("These are no packed counts.") from error
    if not all(len(parts) == facets and len(count.labels) in {0, facets} for parts, count in found.items()):
        raise ValueError("These are no packed counts of such facets.")
    return found


def _unpacked(before: Combination, nest: Any) -> Iterator[tuple[Combination, Count]]:
    for slug, inner in nest.items():
        combination = (*before, slug)
        if isinstance(inner, dict):
            yield from _unpacked(combination, inner)
        elif isinstance(inner, list):
            yield combination, Count(int(inner[0]), tuple(inner[1:]))
        else:
            yield combination, Count(int(inner))


def changed(counts: Counts, deltas: Iterable[tuple[Combination, int, tuple[str | None, ...]]]) -> Counts:
    """The counts after changes: each adds to the number of a combination, and says its labels."""
    after = dict(counts)
    for combination, number, words in deltas:
        before = after.get(combination, Count(0))
        after[combination] = Count(before.number + number, words if number >= 0 else before.labels)
    return after
