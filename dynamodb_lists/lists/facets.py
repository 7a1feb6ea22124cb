"""The counts of a list with the words for its facets, and what pages show of them: filters with their choices."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter, sub
from typing import Any, NamedTuple

from dynamodb_lists.declared.counts import Combination, Counts, facet_counts, spelt_labels
from dynamodb_lists.declared.parts import BLANK, plain_label
from dynamodb_lists.planning.selection import FacetCounts, drill_down
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.conditions import Condition

MOST_DRAWN = 10
"""A filter with more choices draws those with the most rows, and the others on demand."""
MOST_BARS = 60


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
        return facet_counts(self.facets, self.counted)

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


# --- Filters as pages show them ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Choice:
    """A value of a facet: in the query string, in words, and with the number of rows that it selects.

    ``share`` is this count as a percentage of all counts of the facet.
    """

    value: str
    label: str
    count: int
    share: int
    selected: bool


class Scale(NamedTuple):
    """The least and the greatest of values that are numbers, the least step between two, and the highest count."""

    low: int
    high: int
    step: int
    most: int


@dataclass(frozen=True)
class Filter:
    """A facet and its choices.

    ``chosen`` are those that the reader has selected. ``counted`` says whether the counts are those of the list, and
    ``whole`` asks to draw every choice, and not :data:`MOST_DRAWN` of them. The ``note`` says that there are other
    values. What is not ``offered`` is not drawn.
    """

    facet: str
    label: str
    choices: tuple[Choice, ...]
    chosen: tuple[Choice, ...]
    counted: bool = True
    whole: bool = False
    offered: bool = True
    note: str = ""

    @property
    def shown(self) -> Sequence[Choice]:
        """The choices to draw: those with the most rows, and those that are selected."""
        if self.whole or len(self.choices) <= MOST_DRAWN:
            return self.choices
        first = {*sorted(self.choices, key=attrgetter("count"), reverse=True)[:MOST_DRAWN]}
        return [choice for choice in self.choices if choice.selected or choice in first]

    @property
    def scale(self) -> Scale | None:
        """The scale of a histogram of the counts. ``None`` if there are none, or too many values to draw."""
        if not self.counted or not 1 < len(self.choices) <= MOST_BARS:
            return None
        values = sorted(map(int, map(attrgetter("value"), self.choices)))
        most = max(map(attrgetter("count"), self.choices)) or 1
        return Scale(values[0], values[-1], min(map(sub, values[1:], values)), most)


def filter_of(
    facet: str,
    label: str,
    counts: Mapping[str, int],
    *,
    values: Iterable[str] | None = None,
    selected: Collection[str] = (),
    words: Callable[[str], str] = str,
) -> Filter:
    """A filter whose choices are ``values`` (by default those that are counted); ``words`` gives their labels."""
    total, choices, chosen = sum(counts.values()), [], []
    for value in counts if values is None else values:
        count = counts.get(value, 0)
        share = (200 * count + total) // (2 * total) if total else 0  # rounded half up, as stars are
        choices.append(Choice(value, words(value), count, share, value in selected))
        chosen += choices[-1:] if value in selected else []
    return Filter(facet, label, tuple(choices), tuple(chosen))
