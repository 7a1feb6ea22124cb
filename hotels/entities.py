"""The plain values that queries return and commands take."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated

from hotelapp.dynamodb.schema.entities import ADDED_AT, ADDED_BY, REVISION, Field


@dataclass(frozen=True, slots=True)
class Hotel:
    """A hotel. ``rooms`` is the number of its rooms; every write of rooms updates it.

    ``currency`` (ISO 4217) is what its prices are in, and ``time_zone`` is a name of the IANA database. Either is blank
    for a hotel whose import did not say it, until somebody enters it. In files of rooms, rates name the currency.
    """

    hotel_id: Annotated[str, Field("Id", entered=False)]
    name: Annotated[str, Field("Hotel", column="hotel_name")]
    city: Annotated[str, Field("City", blank=True)] = ""
    rooms: Annotated[int, Field("Rooms", entered=False, computed=True, compared=False)] = 0
    currency: Annotated[str, Field("Currency", optional=True)] = ""
    time_zone: Annotated[str, Field("Time zone", optional=True)] = ""
    added_at: Annotated[datetime | None, ADDED_AT] = field(default=None, compare=False)
    added_by: Annotated[str, ADDED_BY] = field(default="", compare=False)
    revision: Annotated[int, REVISION] = 0
