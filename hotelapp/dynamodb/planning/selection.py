"""What a reader selects: the values allowed in each facet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from hotelapp.dynamodb.schema import keys

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
        low, high = self.bounds.get(facet, ("", keys.HIGHEST))
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
