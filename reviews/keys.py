"""Every key of the table ``reviews``, composed only here. docs/keys.md explains them.

============  =============================  ===========  ======================================================
item          pk                             sk           keys of its indexes, all sorted by ``created_id``
============  =============================  ===========  ======================================================
review        ``REVIEW#<id>``                ``REVIEW``   ``hotel_key`` = ``hotel#abc``
                                                          ``language_key`` = ``hotel#abc#en``
                                                          ``rating_key`` = ``hotel#abc#5``
                                                          ``language_rating_key`` = ``hotel#abc#en#5``
                                                          ``room_key`` = ``hotel#abc#room#101``, if it names a room
                                                          ``unanswered_key`` = ``hotel#abc``, until it has a reply
count         ``hotel#abc#review-counts``    ``en#5``
============  =============================  ===========  ======================================================
"""

import re
from datetime import datetime
from typing import Any, NamedTuple

from dynamodb_lists.planning.partition_planner import PartitionIndex
from dynamodb_lists.planning.selection import Combination
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.keys import HIGHEST, KeyRange


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
REVIEW = "REVIEW"
COUNTS = "review-counts"
REVIEW_ID = re.compile(r"\A[A-Za-z0-9_-]{1,64}\Z")
LANGUAGE_CODE = re.compile(r"\A[a-z]{2,3}(-[a-z0-9]{2,8}){0,6}\Z")  # a part of keys, so it is short


def review(review_id: str) -> str:
    return keys.compose(REVIEW, review_id)


def counts(hotel_id: str) -> str:
    return keys.compose("hotel", hotel_id, COUNTS)


def hotel_of_counts(partition: str) -> str:
    return keys.parse(partition)[1]


def count(facets: ReviewFacets) -> str:
    return keys.compose(*facets)


def counted(sort_key: str) -> ReviewFacets:
    return ReviewFacets(*keys.parse(sort_key))


def partition(hotel_id: str, values: Combination = ()) -> str:
    return keys.compose("hotel", hotel_id, *values)


def room(hotel_id: str, number: str) -> str:
    return keys.compose("hotel", hotel_id, "room", number)


def created(created_at: datetime, review_id: str) -> str:
    """The time at which a review was written, with its id, because many reviews share a day."""
    return keys.compose(keys.time_part(created_at), review_id)


def parse_created(created_id: str) -> dict[str, Any]:
    """The fields of a review in a sort key of :func:`created`."""
    at, review_id = keys.parse(created_id)
    return {"created_at": datetime.fromisoformat(at), "review_id": review_id}


def all_times() -> KeyRange:
    return KeyRange("0", HIGHEST)


def written_in(month: str) -> KeyRange:
    """The times in a month, such as ``2026-11``; with a blank month, every time."""
    return keys.text_range(month) if month else all_times()


def is_review_id(text: str) -> bool:
    """Whether a text can be a review's id: ASCII letters, digits, ``_`` and ``-``, at most 64."""
    return bool(REVIEW_ID.match(text))
