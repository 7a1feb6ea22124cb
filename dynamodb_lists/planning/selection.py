"""The counts of facets.

The counts say how many items there are of each combination of facet values. Each app stores its own counts, and changes
them in the transaction that changes the items. Pure functions.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from operator import itemgetter
from typing import Any, TypeVar

from dynamodb_lists.schema.conditions import Condition, holds

Combination = tuple[str, ...]
"""One value of each facet, as key parts, in the order in which an app declares its facets. Apps use a NamedTuple."""

CombinationT = TypeVar("CombinationT", bound=Combination)


class FacetCounts(dict[CombinationT, int]):
    """The number of items of each combination of facet values. The counts never change, so sorted values are kept."""

    def __init__(self, facets: Sequence[str], counts: Mapping[CombinationT, int]) -> None:
        super().__init__(counts)
        self.facets = facets
        self.plans: dict[Any, Any] = {}
        """What was planned with these counts, by what was asked."""
        self._by: dict[tuple[str, ...], Mapping[tuple[Any, ...], int]] = {}

    def __reduce__(self) -> Any:
        return FacetCounts, (self.facets, dict(self))  # without what it keeps

    @cached_property
    def total(self) -> int:
        """The number of all items."""
        return sum(items for items in self.values() if items > 0)

    @cached_property
    def facet_values(self) -> list[list[str]]:
        """The values of each facet, in key order."""
        return [sorted(set(map(itemgetter(number), self))) for number in range(len(self.facets))]

    def allowed(self, asked: Mapping[str, Condition], besides: str = "") -> Collection[CombinationT]:
        """Return the combinations whose values meet the conditions, except that on the facet ``besides``."""
        found: Collection[CombinationT] = self.keys()
        for number, facet in enumerate(self.facets):
            if facet in asked and facet != besides:
                values = {value for value in self.facet_values[number] if holds(asked[facet], value)}
                found = {each for each in found if each[number] in values}
        return found

    def values_of(self, facet: str) -> list[str]:
        """Return the values of a facet, in key order."""
        return self.facet_values[self.facets.index(facet)]

    def by(self, facets: Sequence[str]) -> Mapping[tuple[Any, ...], int]:
        """Return the counts by some of the facets alone. A combination may have 0 items."""
        names = tuple(facets)
        if names not in self._by:
            numbers, found = [*map(self.facets.index, names)], Counter[tuple[Any, ...]]()
            for combination, number in self.items():
                found[tuple(map(combination.__getitem__, numbers))] += max(number, 0)
            self._by[names] = found
        return self._by[names]


def drill_down(counts: FacetCounts[Any], asked: Mapping[str, Condition]) -> dict[str, dict[Any, int]]:
    """Return for each facet and value the number of items with that value, under the conditions on all *other* facets,
    in key order. Values without items count 0.
    """
    choices: dict[str, dict[str, int]] = {}
    for number, facet in enumerate(counts.facets):
        numbers = choices[facet] = dict.fromkeys(counts.facet_values[number], 0)
        for combination in counts.allowed(asked, besides=facet):
            numbers[combination[number]] += counts[combination]
    return choices
