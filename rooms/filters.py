"""The room list's filters as the page draws them: every choice with its count, and what is switched on."""

from dataclasses import dataclass

from rooms import keys
from rooms.queries import RoomsPage
from rooms.values import RoomQuery


@dataclass(frozen=True)
class Choice:
    """A value of a facet: as the query string has it, in words, and the rooms that it would give."""

    value: str
    label: str
    count: int
    selected: bool


@dataclass(frozen=True)
class Filter:
    """A facet with its choices."""

    facet: str
    choices: list[Choice]

    @property
    def selected(self) -> list[Choice]:
        """The choices that are switched on."""
        return [choice for choice in self.choices if choice.selected]


def filters_of(read: RoomsPage, query: RoomQuery) -> list[Filter]:
    """One filter for each facet."""
    return [_filter(facet, read, query) for facet in keys.FACETS]


def _filter(facet: str, read: RoomsPage, query: RoomQuery) -> Filter:
    chosen = query.selection.values.get(facet, frozenset())
    choices = [
        Choice(keys.plain_part(facet, part), read.counts.label(facet, part), count, part in chosen)
        for part, count in read.choices[facet].items()
    ]
    return Filter(facet, choices)
