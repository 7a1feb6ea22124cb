"""What a reader selects, the values allowed in each facet, and the counts of the facets.

The counts say how many items there are of each combination of facet values. Each app stores its own counts, and changes
them in the transaction that changes the items. Pure functions.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from operator import itemgetter
from typing import Any, TypeVar

from dynamodb_lists.schema import keys

Combination = tuple[str, ...]
"""One value of each facet, as key parts, in the order in which an app declares its facets. Apps use a NamedTuple."""

CombinationT = TypeVar("CombinationT", bound=Combination)


@dataclass(frozen=True)
class Selection:
    """The values allowed in each facet. A facet that is not named allows every value.

    ``values`` lists allowed values; ``bounds`` gives the first and the last one. A facet may have both.
    """

    values: Mapping[str, frozenset[str]] = field(default_factory=dict)
    bounds: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def admits(self, facet: str, value: str) -> bool:
        """Whether the facet may have this value."""
        low, high = self.bounds.get(facet, (value, value))
        return (facet not in self.values or value in self.values[facet]) and low <= value <= high

    def allows(self, facets: Sequence[str], combination: Combination) -> bool:
        """Whether every facet may have its value in the combination."""
        return all(map(self.admits, facets, combination))

    def narrows(self, facet: str) -> bool:
        """Whether the selection restricts the facet."""
        return facet in self.values or facet in self.bounds

    def fixes(self, facet: str) -> bool:
        """Whether the selection itself (not the data) leaves the facet a single value."""
        low, high = self.bounds.get(facet, ("", keys.HIGHEST))
        return len(self.values.get(facet, ())) == 1 or low == high

    @property
    def text(self) -> str:
        """The selection as text. Equal selections have equal texts."""
        values = sorted(zip(self.values, map(sorted, self.values.values()), strict=True))
        return repr((values, sorted(self.bounds.items())))


class FacetCounts(dict[CombinationT, int]):
    """How many items there are of each combination of facet values. Nothing changes them, so it keeps what it sorts."""

    def __init__(self, facets: Sequence[str], counts: Mapping[CombinationT, int]) -> None:
        super().__init__(counts)
        self.facets = facets
        self._allowed: tuple[Selection | None, Collection[CombinationT]] = (None, ())
        self._by: dict[tuple[str, ...], Mapping[tuple[Any, ...], int]] = {}

    @cached_property
    def total(self) -> int:
        """The number of all items."""
        return sum(items for items in self.values() if items > 0)

    @cached_property
    def facet_values(self) -> list[list[str]]:
        """The values of each facet, in key order."""
        return [sorted(set(map(itemgetter(number), self))) for number in range(len(self.facets))]

    def allowed(self, selection: Selection, besides: str = "") -> Collection[CombinationT]:
        """The combinations that a selection allows, whatever their value of the facet ``besides``."""
        last, found = self._allowed  # planning one page asks for each index
        if last is selection and not besides:
            return found
        found = self.keys()
        for number, facet in enumerate(self.facets):
            if selection.narrows(facet) and facet != besides:
                values = {*filter(partial(selection.admits, facet), self.facet_values[number])}
                found = {each for each in found if each[number] in values}
        if not besides:
            self._allowed = selection, found
        return found

    def values_of(self, facet: str) -> list[str]:
        """The values of a facet, in key order."""
        return self.facet_values[self.facets.index(facet)]

    def by(self, facets: Sequence[str]) -> Mapping[tuple[Any, ...], int]:
        """The counts by some of the facets alone. A combination may have none: it had some once."""
        names = tuple(facets)
        if names not in self._by:
            numbers, found = [*map(self.facets.index, names)], Counter[tuple[Any, ...]]()
            for combination, number in self.items():
                found[tuple(map(combination.__getitem__, numbers))] += max(number, 0)
            self._by[names] = found
        return self._by[names]


def drill_down(counts: FacetCounts[Any], selection: Selection) -> dict[str, dict[str, int]]:
    """For each facet and value, the number of items with that value under the selection in all *other* facets.

    Values are in key order. Values without items have a count of 0.
    """
    choices: dict[str, dict[str, int]] = {}
    for number, facet in enumerate(counts.facets):
        numbers = choices[facet] = dict.fromkeys(counts.facet_values[number], 0)
        for combination in counts.allowed(selection, besides=facet):
            numbers[combination[number]] += counts[combination]
    return choices
