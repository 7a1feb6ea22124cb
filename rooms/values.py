"""The plain values that queries give and commands take."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal

from hotelapp.dynamodb.facets import Combination, Selection
from rooms import keys


@dataclass(frozen=True, slots=True)
class Hotel:
    """A hotel; ``rooms`` is how many it has."""

    hotel_id: str
    name: str
    city: str = ""
    rooms: int = 0


@dataclass(frozen=True, slots=True)
class Room:
    """A room. ``size`` in m2; ``rate`` a night in major units of ``currency`` (ISO 4217).

    ``revision`` counts its changes from 1, so that a change can be refused when somebody else was quicker. It is 0
    where it was not read, as in a list: what such a room is changed to is refused.
    """

    hotel_id: str
    number: str
    view: str
    size: int
    type: str
    rate: Decimal
    currency: str
    revision: int = 0

    @property
    def facets(self) -> Combination:
        """Its view, size and type as key parts."""
        return keys.combination(self.view, self.size, self.type)

    def same_as(self, other: "Room") -> bool:
        """Whether nothing but the revision differs."""
        return replace(self, revision=0) == replace(other, revision=0)


@dataclass(frozen=True, slots=True)
class RoomCounts:
    """How many rooms there are of each combination, and the labels that a key's slug cannot give back."""

    counts: Mapping[Combination, int]
    labels: Mapping[tuple[str, str], str]

    def label(self, facet: str, part: str) -> str:
        """The words for a facet's key part: ``sea-view`` is "Sea view"."""
        if facet == keys.SIZE:
            return f"{keys.square_metres(part)} m²"
        return self.labels.get((facet, part)) or plain_label(part)


@dataclass(frozen=True)
class RoomQuery:
    """What a reader asks of a hotel's room list. ``sort`` and ``then`` are facets, or blank."""

    selection: Selection = field(default_factory=Selection)
    sort: str = ""
    then: str = ""
    descending: bool = False
    page_size: int = 25
    cursor: str = ""

    @property
    def sort_facets(self) -> tuple[str, ...]:
        """The facets to sort by, most important first."""
        return tuple(facet for facet in (self.sort, self.then) if facet)


def plain_label(part: str) -> str:
    """A slug as words."""
    return part.replace("-", " ").capitalize()
