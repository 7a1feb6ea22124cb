"""The plain values that queries return and commands take."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Annotated

from hotelapp.dynamodb.planning.selection import Selection
from hotelapp.dynamodb.schema.entities import ADDED_AT, ADDED_BY, REVISION, Field
from reviews.keys import ReviewFacets


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """A review. ``rating`` is from 1 to 5; ``language`` is a code like ``zh-cn``; ``created_at`` is UTC, to the second.

    ``revision`` counts the changes, so that a write is refused if somebody else changed the review first.
    """

    review_id: Annotated[str, Field("Id", stored=False, entered=False)]
    hotel_id: Annotated[str, Field("Hotel", entered=False)]
    room_number: Annotated[str, Field("Room", blank=True)] = ""
    language: Annotated[str, Field("Language")]
    rating: Annotated[int, Field("Rating")]
    created_at: Annotated[datetime, Field("Written", stored=False, entered=False)]
    author: Annotated[str, Field("Guest")]
    title: Annotated[str, Field("Title", blank=True)] = ""
    body: Annotated[str, Field("Text", blank=True)] = ""
    added_at: Annotated[datetime | None, ADDED_AT] = field(default=None, compare=False)
    added_by: Annotated[str, ADDED_BY] = field(default="", compare=False)
    revision: Annotated[int, REVISION] = 0

    @property
    def facets(self) -> ReviewFacets:
        """Language and rating as key parts."""
        return ReviewFacets(self.language, str(self.rating))


@dataclass(frozen=True, slots=True)
class Statistics:
    """The number of reviews of each rating."""

    histogram: Mapping[int, int]

    @property
    def total(self) -> int:
        """The number of all reviews."""
        return sum(self.histogram.values())

    @property
    def average(self) -> Decimal | None:
        """The mean rating to one decimal; ``None`` without reviews."""
        if not self.total:
            return None
        points = sum(rating * count for rating, count in self.histogram.items())
        return (Decimal(points) / self.total).quantize(Decimal("0.1"), ROUND_HALF_UP)


@dataclass(frozen=True)
class ReviewQuery:
    """What a reader asks of a hotel's reviews: languages and ratings, or the reviews of a room."""

    selection: Selection = field(default_factory=Selection)
    room_number: str = ""
    descending: bool = True
    page_size: int = 25
    cursor: str = ""
