"""Helpers for tests of reviews: random reviews, a plain model of their lists, and the invariant of the table."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, cast

from django.conf import settings

from dynamodb_lists import Query
from dynamodb_lists.lists.queries import QueryPage
from dynamodb_lists.tests.helpers.paging import every_page, rows_of
from reviews import commands, keys, models, queries
from reviews.entities import Review, StandardReply, Statistics
from tests.helpers.contents import scanned
from tests.helpers.kinds import faults_of
from tests.helpers.rooms import ABC

AT = datetime(2023, 1, 15, 10, 22, 31, tzinfo=UTC)
SHARED = Path(settings.BASE_DIR).parent / "shared" / "data" / "reviews.csv"
KEYS = ("pk", "sk", "created_id", "hotel_key", "language_key", "rating_key", "language_rating_key", "room_key")
BATCH = 900


def summary(hotel_id: str = ABC) -> Statistics:
    """Return the statistics of all reviews of a hotel."""
    return statistics(queries.reviews(hotel_id=hotel_id))


def statistics(query: Query[Review]) -> Statistics:
    """Return the statistics of the ratings that are asked for."""
    ratings = query.asked.conditions.get(keys.RATING, keys.RATINGS)
    return queries.statistics(query.choices(query.counts()).get(keys.RATING, {}), cast(Collection[int], ratings))


# --- Reviews --------------------------------------------------------------------------------------------


def make_review(
    review_id: str = "r-1", language: str = "en", rating: int = 5, created_at: datetime = AT, **other: Any
) -> Review:
    """Return a review of the hotel ``abc``."""
    values: dict[str, Any] = {"hotel_id": ABC, "author": "Ann Guest", "title": f"About {review_id}", **other}
    return Review(review_id=review_id, language=language, rating=rating, created_at=created_at, **values)


def make_standard(
    name: str = "Thanks", language: str = "en", text: str = "Dear {guest}, thank you.", hotel_id: str = ABC
) -> StandardReply:
    """Return a standard reply of the hotel ``abc``."""
    return StandardReply(hotel_id=hotel_id, language=language, name=name, text=text)


def store(reviews: Sequence[Review]) -> None:
    """Store new reviews."""
    for start in range(0, len(reviews), BATCH):
        batch = reviews[start : start + BATCH]
        assert commands.save_reviews(batch) == (len(batch), {})


def stored(review_id: str = "r-1") -> Review:
    """Return the review, read consistently."""
    return queries.review(review_id, consistent=True)


# --- Lists ----------------------------------------------------------------------------------------------


def ids(reviews: Iterable[Review]) -> list[str]:
    """Return the ids of the reviews."""
    return [review.review_id for review in reviews]


def expected(reviews: Iterable[Review], query: Query[Review]) -> list[str]:
    """Return the ids of a list, filtered and sorted in plain Python."""
    wanted = [review for review in reviews if query.matches(review)]
    wanted.sort(key=lambda review: (review.created_at, review.review_id), reverse=query.asked.descending)
    return ids(wanted)


def assert_pages(query: Query[Review], model: Sequence[str], size: int = 10) -> Sequence[QueryPage[Review]]:
    """Check a list against the model: page by page, from both ends, and streamed. Returns its pages."""
    streamed = [*query]
    assert ids(streamed) == list(model)
    pages = every_page(partial(query.page, size), streamed)
    assert ids(rows_of(pages)) == list(model)
    assert {len(page.rows) for page in pages[:-1]} <= {size}
    return pages


# --- The table ------------------------------------------------------------------------------------------


def all_items() -> Iterator[Mapping[str, Any]]:
    """Yield every item of the reviews' table. Tests may scan; pages never do."""
    yield from scanned(models.TABLE)


def snapshot() -> list[str]:
    """Return the contents of the table, to compare."""
    return sorted(repr(sorted((name, str(value)) for name, value in item.items())) for item in all_items())


def assert_reviews_in_step() -> None:
    """Check that every review has the right keys, and that counts and statistics are right."""
    assert faults_of(models.TABLE) == []
