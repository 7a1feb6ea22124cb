"""The plain values that queries return and commands take."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Annotated

from hotelapp.dynamodb.planning.selection import Selection
from hotelapp.dynamodb.schema.entities import ADDED_AT, ADDED_BY, REVISION, Field
from hotelapp.dynamodb.schema.keys import BLANK
from rooms import keys
from rooms.keys import RoomFacets


@dataclass(frozen=True, slots=True)
class Room:
    """A room. ``size`` is in m2; ``rate`` is for a night, in major units of ``currency`` (ISO 4217).

    ``revision`` counts the changes from 1. It is 0 where it was not read, as in a list: such a room cannot be changed.
    ``room_key`` is the sort key under which the room is stored, if that was read.
    """

    hotel_id: Annotated[str, Field("Hotel", column=None, stored=False, entered=False)]
    number: Annotated[str, Field("Number")]
    view: Annotated[str, Field("View", blank=True)]
    size: Annotated[int, Field("Size")]
    type: Annotated[str, Field("Type", blank=True)]
    rate: Annotated[Decimal, Field("Rate a night")]
    currency: Annotated[str, Field("Currency")]
    added_at: Annotated[datetime | None, ADDED_AT] = field(default=None, compare=False)
    added_by: Annotated[str, ADDED_BY] = field(default="", compare=False)
    revision: Annotated[int, REVISION] = 0
    room_key: str = field(default="", compare=False, repr=False)

    @property
    def facets(self) -> RoomFacets:
        """View, size and type as key parts."""
        return keys.facets(self.view, self.size, self.type)

    @property
    def stored_key(self) -> str:
        """The sort key of the room's item: as it was read, or else as the room's values give it."""
        return self.room_key or keys.room(self.facets, self.number)

    @property
    def counted_facets(self) -> RoomFacets:
        """View, size and type as the stored key has them. They name the count that the room is a part of."""
        return keys.parse_room(self.stored_key).facets


@dataclass(frozen=True, slots=True)
class RoomCounts:
    """The number of rooms of each combination, and the labels that differ from a key's slug."""

    counts: Mapping[RoomFacets, int]
    labels: Mapping[tuple[str, str], str]

    def label(self, facet: str, part: str) -> str:
        """The words for a facet's key part: ``sea-view`` is "Sea view"."""
        if facet == keys.SIZE:
            return f"{keys.square_metres(part)} m²"
        return self.labels.get((facet, part)) or plain_label(part)

    def labels_of(self, facet: str) -> list[str]:
        """The labels of a facet that a room has, in alphabetical order; without "Unspecified"."""
        parts = {getattr(facets, facet) for facets, count in self.counts.items() if count > 0}
        return sorted(self.label(facet, part) for part in parts if part != BLANK)


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
    """A slug as words: ``sea-view`` is "Sea view"."""
    return part.replace("-", " ").capitalize()
