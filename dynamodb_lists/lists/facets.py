"""The counts of a list with the words for its facets."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dynamodb_lists.declared.counts import Combination, CountedItems, Counts, facet_counts, spelt_labels
from dynamodb_lists.declared.parts import BLANK, plain_label
from dynamodb_lists.planning.selection import FacetCounts, drill_down
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.conditions import Condition


def facet_choices(
    facets: Sequence[str], counts: Mapping[Any, int], among: Mapping[str, Collection[str]]
) -> dict[str, dict[str, int]]:
    """For each facet and value, how many items have it and, of all other facets, a value ``among`` those allowed.

    A facet that is not named there, or without values, allows all.
    """
    return drill_down(FacetCounts(facets, counts), {facet: frozenset(some) for facet, some in among.items() if some})


@dataclass(frozen=True)
class LabelledCounts:
    """The number of items of each combination of ``facets``, as :meth:`~dynamodb_lists.Query.counts` gives it."""

    counted: Counts
    facets: Sequence[str] = ()

    @cached_property
    def counts(self) -> FacetCounts[Combination]:
        """The numbers alone."""
        counted = self.counted
        return counted.numbers(self.facets) if isinstance(counted, CountedItems) else facet_counts(self.facets, counted)

    @cached_property
    def labels(self) -> Mapping[int, Mapping[str, str]]:
        """The label of each facet's values, by the number of the facet."""
        return spelt_labels(self.counted)

    def label(self, facet: str, part: str) -> str:
        """The words for a facet's part of a key, as people wrote them: ``sea-view`` is "Sea view"."""
        return self.labels.get(self.facets.index(facet), {}).get(part) or plain_label(part)

    def labels_of(self, facet: str) -> list[str]:
        """The labels of a facet that an item has, in alphabetical order; without that of a blank."""
        place = self.facets.index(facet)
        parts = {combination[place] for combination, count in self.counts.items() if count > 0}
        return sorted(self.label(facet, part) for part in parts - {BLANK, keys.BLANK})

    def choices(self, asked: Mapping[str, Condition]) -> dict[str, dict[str, int]]:
        """For each facet and part, the number of items under what is asked of all other facets, in order."""
        return drill_down(self.counts, asked)
