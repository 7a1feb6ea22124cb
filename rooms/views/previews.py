"""What a bulk change would do with each of its rooms: a summary in words, and all rooms in pages."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

from django.http import QueryDict

from hotelapp.dynamodb.schema.entities import same
from rooms.entities import BulkChange, Room, RoomRefused
from rooms.entities.bulk import RATES

PAGE_ROOMS = 50


class Fate(StrEnum):
    """What becomes of a room."""

    CHANGED = "changed"
    SAME = "same"
    REFUSED = "refused"


class Preview(NamedTuple):
    """A room as it is and as it would be; or as it is, and the reason why it cannot be changed."""

    before: Room
    after: Room
    fate: Fate
    problem: str = ""


@dataclass(frozen=True)
class Previews:
    """The rooms of a bulk change, of which one page is shown. ``params`` are those of the address."""

    change: BulkChange
    rooms: Sequence[Preview]
    number: int
    params: QueryDict

    @classmethod
    def of(cls, change: BulkChange, rooms: Sequence[Room], number: int, params: QueryDict) -> "Previews":
        """The preview of a change of these rooms. A number beyond the last page means the last page."""
        last = -(-len(rooms) // PAGE_ROOMS)
        return cls(change, [_preview(change, room) for room in rooms], max(1, min(number, last)), params)

    @property
    def page(self) -> Sequence[Preview]:
        """The rooms on this page."""
        return self.rooms[self.first - 1 : self.last]

    @property
    def first(self) -> int:
        """The place of the first room of the page, from 1."""
        return (self.number - 1) * PAGE_ROOMS + 1

    @property
    def last(self) -> int:
        """The place of the last room of the page."""
        return min(self.number * PAGE_ROOMS, len(self.rooms))

    @property
    def previous(self) -> str:
        """The query string of the page before; blank on the first one."""
        return self._address(self.number - 1) if self.number > 1 else ""

    @property
    def next(self) -> str:
        """The query string of the next page; blank on the last one."""
        return self._address(self.number + 1) if self.last < len(self.rooms) else ""

    @property
    def counts(self) -> dict[str, int]:
        """How many rooms have each fate."""
        return {fate.value: sum(room.fate is fate for room in self.rooms) for fate in Fate}

    @property
    def rates(self) -> Sequence[tuple[Decimal, Decimal]]:
        """The lowest and the highest rate that would change, each before and after; one pair if they are the same."""
        changed = [(room.before.rate, room.after.rate) for room in self.rooms if room.fate is Fate.CHANGED]
        if self.change.action not in RATES or not changed:
            return []
        before, after = zip(*changed, strict=True)
        return list(dict.fromkeys([(min(before), min(after)), (max(before), max(after))]))

    def _address(self, number: int) -> str:
        params = self.params.copy()
        params["new-page"] = str(number)
        return params.urlencode()


def _preview(change: BulkChange, room: Room) -> Preview:
    try:
        after = change.of(room)
    except RoomRefused as error:
        return Preview(room, room, Fate.REFUSED, str(error))
    return Preview(room, after, Fate.SAME if same(room, after) else Fate.CHANGED)
