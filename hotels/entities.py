"""The plain values that queries return and commands take."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated

from hotelapp.dynamodb.schema.entities import ADDED_AT, ADDED_BY, REVISION, Field
from hotelapp.dynamodb.schema.words import Term, Words, whole, words_of


@dataclass(frozen=True, slots=True)
class Hotel:
    """A hotel. ``rooms`` is the number of its rooms; every write of rooms updates it.

    ``currency`` (ISO 4217) is what its prices are in, and ``time_zone`` is a name of the IANA database. Either is blank
    for a hotel whose import did not say it, until somebody enters it. In files of rooms, rates name the currency.
    ``terms`` are those of the hotel's word items, if they were read.
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
    terms: frozenset[Term] = field(default=frozenset(), compare=False, repr=False)

    @property
    def words(self) -> Words:
        """The words by which the hotel is found. The city is first, so that a long name does not crowd it out."""
        return Words(words_of(f"{self.city} {self.name}"), whole(self.hotel_id))
