"""Filters as list pages show them: facets with their choices."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter, sub
from typing import Any, NamedTuple

MOST_DRAWN = 10
"""A filter with more choices draws those with the most rows, and the others on demand."""
MOST_BARS = 60


@dataclass(frozen=True)
class Choice:
    """A value of a facet: in the query string, in words, and with the number of rows that it selects.

    ``share`` is this number as a percentage of the facet's rows.
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

    ``counted`` says whether the counts are those of the list. ``whole`` asks to draw every choice, not only
    :data:`MOST_DRAWN`. The ``note`` says that there are other values. A filter that is not ``offered`` is not drawn.
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
        """The choices to draw: those with the most rows, and the selected ones."""
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
    **drawn: Any,
) -> Filter:
    """Return a filter whose choices are ``values``, by default those that are counted. ``words`` labels them."""
    total, choices = sum(counts.values()), list[Choice]()
    for value in counts if values is None else values:
        count = counts.get(value, 0)
        share = (200 * count + total) // (2 * total) if total else 0  # rounded half up, as stars are
        choices.append(Choice(value, words(value), count, share, value in selected))
    return Filter(facet, label, tuple(choices), tuple(filter(attrgetter("selected"), choices)), **drawn)
