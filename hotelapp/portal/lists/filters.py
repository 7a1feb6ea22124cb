"""The filters that a list page shows: the choices of each facet, with their counts."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass


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


@dataclass(frozen=True)
class Filter:
    """A facet and its choices."""

    facet: str
    label: str
    choices: list[Choice]


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
    total = sum(counts.values())
    choices = []
    for value in counts if values is None else values:
        count = counts.get(value, 0)
        share = (200 * count + total) // (2 * total) if total else 0  # rounded half up, as stars are
        choices.append(Choice(value, words(value), count, share, value in selected))
    return Filter(facet, label, choices)
