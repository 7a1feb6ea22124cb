"""Every key of the table ``reviews``, spelt here and nowhere else. docs/keys.md tells why they look like this.

============  =============================  ===========  ======================================================
item          pk                             sk           keys of its indexes, all sorted by ``created_id``
============  =============================  ===========  ======================================================
review        ``REVIEW#<id>``                ``REVIEW``   ``hotel_key`` = ``hotel#abc``
                                                          ``language_key`` = ``hotel#abc#en``
                                                          ``rating_key`` = ``hotel#abc#5``
                                                          ``language_rating_key`` = ``hotel#abc#en#5``
                                                          ``room_key`` = ``hotel#abc#room#101``, if it names a room
count         ``hotel#abc#review-counts``    ``en#5``
============  =============================  ===========  ======================================================
"""

import re
from datetime import datetime

from hotelapp.dynamodb import keys
from hotelapp.dynamodb.facets import Combination
from hotelapp.dynamodb.keys import HIGHEST, KeyRange
from hotelapp.dynamodb.partitions import PartitionIndex

LANGUAGE, RATING = "language", "rating"
FACETS = (LANGUAGE, RATING)
RATINGS = (5, 4, 3, 2, 1)

BY_HOTEL = PartitionIndex("by-hotel", ())
BY_LANGUAGE = PartitionIndex("by-language", (LANGUAGE,))
BY_RATING = PartitionIndex("by-rating", (RATING,))
BY_LANGUAGE_RATING = PartitionIndex("by-language-rating", (LANGUAGE, RATING))
INDEXES = (BY_HOTEL, BY_LANGUAGE, BY_RATING, BY_LANGUAGE_RATING)
"""Every subset of the two facets."""

BY_ROOM = "by-room"
REVIEW = "REVIEW"
_REVIEW_ID = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,8})*\Z")


def review(review_id: str) -> str:
    """Partition of a review."""
    return keys.compose(REVIEW, review_id)


def counts(hotel_id: str) -> str:
    """Partition of a hotel's counts."""
    return keys.compose("hotel", hotel_id, "review-counts")


def combination(language: str, rating: int) -> Combination:
    """A review's facets as key parts, in the order of :data:`FACETS`."""
    return language, str(rating)


def count(facets: Combination) -> str:
    """Sort key of the count of a combination."""
    return keys.compose(*facets)


def counted(sort_key: str) -> Combination:
    """The combination that a count's sort key stands for."""
    return keys.parse(sort_key)


def partition(hotel_id: str, values: Combination = ()) -> str:
    """Partition of a hotel's reviews in an index, with the values of the index's facets."""
    return keys.compose("hotel", hotel_id, *values)


def room(hotel_id: str, number: str) -> str:
    """Partition of the reviews that name a room."""
    return keys.compose("hotel", hotel_id, "room", number)


def created(created_at: datetime, review_id: str) -> str:
    """When a review was written, made unique by its id: many share a day."""
    return keys.compose(keys.time_part(created_at), review_id)


def parse_created(created_id: str) -> tuple[datetime, str]:
    """The time and the id that :func:`created` joined."""
    at, review_id = keys.parse(created_id)
    return datetime.fromisoformat(at), review_id


def all_times() -> KeyRange:
    """Every time at which a review can have been written."""
    return KeyRange("0", HIGHEST)


def is_review_id(text: str) -> bool:
    """Whether a text can be a review's id: ASCII letters, digits, ``_`` and ``-``, at most 64."""
    return bool(_REVIEW_ID.match(text))


def is_language(text: str) -> bool:
    """Whether a text can be a language's code: ``en``, ``zh-cn``."""
    return bool(_LANGUAGE.match(text)) and len(text) <= keys.SLUG_LENGTH
