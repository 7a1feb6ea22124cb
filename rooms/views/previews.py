"""What a bulk change would do with each of its rooms, and a summary."""

from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import NamedTuple

from dynamodb_lists.schema.entities import same
from rooms.entities import BulkChange, Room, RoomRefused


class Preview(NamedTuple):
    """A room as it is and as it would be; or as it is, and the reason why it cannot be changed."""

    before: Room
    after: Room
    problem: str = ""

    @property
    def fate(self) -> str:
        """What becomes of the room: changed, same or refused."""
        return "refused" if self.problem else "same" if same(self.before, self.after) else "changed"


def previews_of(change: BulkChange, rooms: Iterable[Room]) -> list[Preview]:
    """Each room before and after the change."""
    found = []
    for room in rooms:
        try:
            found.append(Preview(room, change.of(room)))
        except RoomRefused as error:
            found.append(Preview(room, room, str(error)))
    return found


def summary(previews: Sequence[Preview]) -> tuple[Counter[str], list[tuple[Decimal, Decimal]]]:
    """How many rooms have each fate, and the lowest and the highest rate that would change, each before and after."""
    changed = [(each.before.rate, each.after.rate) for each in previews if each.before.rate != each.after.rate]
    lowest_and_highest = [tuple(map(end, zip(*changed, strict=True))) for end in (min, max)] if changed else []
    return Counter(each.fate for each in previews), list(dict.fromkeys(lowest_and_highest))
