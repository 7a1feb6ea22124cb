"""What people cleaned on some days of a hotel."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from statistics import median
from typing import Annotated, NamedTuple

from dynamodb_lists import Field


class Cleaning(NamedTuple):
    """A room that became clean ``at`` a time of its hotel. ``minutes`` is 0 if nobody said when the cleaning began."""

    at: datetime
    number: str
    minutes: int

    @property
    def name(self) -> str:
        """Its name among the cleanings of a person and day: "101500#118"."""
        return f"{self.at:%H%M%S}#{self.number}"

    @classmethod
    def named(cls, day: str, name: str, minutes: Decimal) -> "Cleaning":
        time, _, number = name.partition("#")
        return cls(datetime.strptime(f"{day} {time}", "%Y-%m-%d %H%M%S"), number, int(minutes))  # noqa: DTZ007


@dataclass(frozen=True, slots=True)
class Work:
    """What a person cleaned: rooms, each as often as it became clean, and the median of the minutes that are known."""

    hotel_id: Annotated[str, Field("Hotel", column=None)]
    username: Annotated[str, Field("Username")]
    name: Annotated[str, Field("Cleaned by")]
    rooms: Annotated[int, Field("Rooms cleaned")]
    minutes: Annotated[int | None, Field("Median time", words=lambda minutes: f"{minutes} min")]
    numbers: Annotated[str, Field("Rooms")] = ""
    cleanings: Annotated[Sequence[Cleaning], Field("Cleanings", column=None)] = ()

    @property
    def by_day(self) -> Mapping[date, Sequence[Cleaning]]:
        found: dict[date, list[Cleaning]] = defaultdict(list)
        for each in self.cleanings:
            found[each.at.date()].append(each)
        return found

    @classmethod
    def of(cls, hotel_id: str, username: str, name: str, cleanings: Iterable[Cleaning]) -> "Work":
        ordered = sorted(cleanings)
        known = [each.minutes for each in ordered if each.minutes]
        numbers, middle = ", ".join(each.number for each in ordered), round(median(known)) if known else None
        return cls(hotel_id, username, name, len(ordered), middle, numbers, ordered)
