"""The plain values that queries give and commands take."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal

from hotelapp.dynamodb.facets import Combination, Selection
from reviews import keys


@dataclass(frozen=True, slots=True)
class Review:
    """A review. ``rating`` from 1 to 5; ``language`` a code like ``zh-cn``; ``created_at`` UTC, to the second.

    ``revision`` counts its changes, so that a change can be refused when somebody else was quicker.
    """

    review_id: str
    hotel_id: str
    language: str
    rating: int
    created_at: datetime
    author: str
    title: str = ""
    body: str = ""
    room_number: str = ""
    revision: int = 0

    @property
    def facets(self) -> Combination:
        """Its language and rating as key parts."""
        return keys.combination(self.language, self.rating)

    def same_as(self, other: "Review") -> bool:
        """Whether nothing but the revision differs."""
        return replace(self, revision=0) == replace(other, revision=0)


@dataclass(frozen=True, slots=True)
class Statistics:
    """How many reviews there are of each rating."""

    histogram: Mapping[int, int]

    @property
    def total(self) -> int:
        """All reviews."""
        return sum(self.histogram.values())

    @property
    def average(self) -> Decimal | None:
        """The mean rating, to one decimal; ``None`` without reviews."""
        if not self.total:
            return None
        points = sum(rating * n for rating, n in self.histogram.items())
        return (Decimal(points) / self.total).quantize(Decimal("0.1"), ROUND_HALF_UP)


@dataclass(frozen=True)
class ReviewQuery:
    """What a reader asks of a hotel's reviews: languages and ratings, or those of a room."""

    selection: Selection = field(default_factory=Selection)
    room_number: str = ""
    descending: bool = True
    page_size: int = 25
    cursor: str = ""
