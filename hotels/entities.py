"""The plain values that queries return and commands take."""

from dataclasses import dataclass
from typing import Annotated

from hotelapp.dynamodb.schema.entities import Field


@dataclass(frozen=True, slots=True)
class Hotel:
    """A hotel. ``rooms`` is the number of its rooms; every write of rooms updates it."""

    hotel_id: Annotated[str, Field("Id", entered=False)]
    name: Annotated[str, Field("Hotel", column="hotel_name")]
    city: Annotated[str, Field("City", blank=True)] = ""
    rooms: Annotated[int, Field("Rooms", entered=False, computed=True, compared=False)] = 0
