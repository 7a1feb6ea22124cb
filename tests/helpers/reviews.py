"""Helpers for tests of reviews: random reviews, a plain model of their lists, and the invariant of the table."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings

from dynamodb_lists.planning.selection import Selection
from dynamodb_lists.reading.pages import Page, read_page
from dynamodb_lists.tests.helpers.paging import every_page, rows_of
from reviews import commands, keys, models, queries
from reviews.entities import Review, ReviewQuery, Statistics
from tests.helpers.contents import scanned
from tests.helpers.kinds import faults_of
from tests.helpers.rooms import ABC

AT = datetime(2023, 1, 15, 10, 22, 31, tzinfo=UTC)
SHARED = Path(settings.BASE_DIR).parent / "shared" / "data" / "reviews.csv"
KEYS = ("pk", "sk", "created_id", "hotel_key", "language_key", "rating_key", "language_rating_key", "room_key")
BATCH = 900


def summary(hotel_id: str = ABC) -> Statistics:
    """The statistics of all reviews of a hotel."""
    return queries.statistics(queries.review_counts(hotel_id), Selection())


# --- Reviews --------------------------------------------------------------------------------------------


def make_review(
    review_id: str = "r-1", language: str = "en", rating: int = 5, created_at: datetime = AT, **other: Any
) -> Review:
    """A review of the hotel ``abc``."""
    values: dict[str, Any] = {"hotel_id": ABC, "author": "Ann Guest", "title": f"About {review_id}", **other}
    return Review(review_id=review_id, language=language, rating=rating, created_at=created_at, **values)


def store(reviews: Sequence[Review]) -> None:
    """Store new reviews."""
    for start in range(0, len(reviews), BATCH):
        batch = reviews[start : start + BATCH]
        assert commands.save_reviews(batch) == (len(batch), {})


def stored(review_id: str = "r-1") -> Review:
    """The review, read consistently."""
    return queries.review(review_id, consistent=True)


def select(*, language: Iterable[str] = (), rating: Iterable[int] = ()) -> Selection:
    """The selection of these languages and ratings. Without values, a facet allows all."""
    values = {keys.LANGUAGE: frozenset(language), keys.RATING: frozenset(map(str, rating))}
    return Selection({facet: allowed for facet, allowed in values.items() if allowed})


# --- Lists ----------------------------------------------------------------------------------------------


def ids(reviews: Iterable[Review]) -> list[str]:
    """The ids of the reviews."""
    return [review.review_id for review in reviews]


def expected(reviews: Iterable[Review], selection: Selection, descending: bool = True) -> list[str]:
    """The ids of a list, filtered and sorted in plain Python."""
    selected = [review for review in reviews if selection.allows(keys.FACETS, review.facets)]
    selected.sort(key=lambda review: (review.created_at, review.review_id), reverse=descending)
    return ids(selected)


class ReviewsRead(NamedTuple):
    """A page of reviews, and what its filters show."""

    page: Page[Review]
    choices: Mapping[str, Mapping[str, int]]
    statistics: Statistics


def read_reviews(hotel_id: str, query: ReviewQuery) -> ReviewsRead:
    """The page of a list of reviews that a query asks for, with the counts of its filters."""
    counts = queries.review_counts(hotel_id)
    page = read_page(queries.reviews(hotel_id, query, counts), query.page_size, query.cursor)
    selection = query.selection
    return ReviewsRead(page, queries.choices(counts, selection), queries.statistics(counts, selection))


def every_review(hotel_id: str, query: ReviewQuery) -> Iterator[Review]:
    """Every review of a selection, read as an export reads it."""
    return queries.reviews(hotel_id, query, queries.review_counts(hotel_id)).stream()


def assert_pages(hotel_id: str, query: ReviewQuery, model: Sequence[str]) -> None:
    """Check a list against the model: page by page, from both ends, and streamed."""
    streamed = list(every_review(hotel_id, query))
    assert ids(streamed) == list(model)
    pages = every_page(lambda cursor: read_reviews(hotel_id, replace(query, cursor=cursor)).page, streamed)
    assert ids(rows_of(pages)) == list(model)
    assert {page.total for page in pages} == {len(model)}
    assert {len(page.rows) for page in pages[:-1]} <= {query.page_size}


# --- The table ------------------------------------------------------------------------------------------


def all_items() -> Iterator[Mapping[str, Any]]:
    """Every item of the reviews' table. Tests may scan; pages never do."""
    yield from scanned(models.TABLE)


def snapshot() -> list[str]:
    """The contents of the table, to compare."""
    return sorted(repr(sorted((name, str(value)) for name, value in item.items())) for item in all_items())


def assert_reviews_in_step() -> None:
    """Check that every review has the right keys, and that counts and statistics are right."""
    assert faults_of(models.TABLE) == []
