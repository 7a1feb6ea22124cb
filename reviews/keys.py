"""The indexes of reviews, and what can be a part of their keys. docs/keys.md explains them."""

import re
from typing import NamedTuple

from dynamodb_lists.planning.partition_planner import PartitionIndex


class ReviewFacets(NamedTuple):
    language: str
    rating: str


LANGUAGE, RATING = FACETS = ReviewFacets._fields
RATINGS = (5, 4, 3, 2, 1)

BY_HOTEL = PartitionIndex("by-hotel", ())
BY_LANGUAGE = PartitionIndex("by-language", (LANGUAGE,))
BY_RATING = PartitionIndex("by-rating", (RATING,))
BY_LANGUAGE_RATING = PartitionIndex("by-language-rating", (LANGUAGE, RATING))
INDEXES = (BY_HOTEL, BY_LANGUAGE, BY_RATING, BY_LANGUAGE_RATING)
"""Every subset of the two facets."""

BY_ROOM, UNANSWERED = "by-room", "unanswered"
REVIEW_ID = re.compile(r"\A[A-Za-z0-9_-]{1,64}\Z")
LANGUAGE_CODE = re.compile(r"\A[a-z]{2,3}(-[a-z0-9]{2,8}){0,6}\Z")  # a part of keys, so it is short
