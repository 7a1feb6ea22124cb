"""Repairs for ``manage.py verify_data``: single writes, each on the condition that the item is as it was seen."""

from collections.abc import Sequence

from hotelapp.dynamodb.writing import single_items
from hotelapp.dynamodb.writing.changes import as_seen
from reviews import keys, queries
from reviews.commands.reviews import review_item
from reviews.entities import Review
from reviews.keys import ReviewFacets
from reviews.models import ReviewCountModel, ReviewModel


def mend_keys(review: Review, names: Sequence[str]) -> None:
    """Set or remove attributes that are keys of indexes. Raises :class:`Conflict` if the review is not as seen."""
    single_items.mend(review_item(review), names, as_seen(ReviewModel, review))


def mend_count(hotel_id: str, facets: ReviewFacets, seen: int | None, reviews: int) -> None:
    """Set a count; ``seen`` is ``None`` for a missing one. Raises :class:`Conflict` if it is not as seen."""
    count = ReviewCountModel.reviews
    is_as_seen = ReviewCountModel.pk.does_not_exist() if seen is None else count == seen
    key = ReviewCountModel(keys.counts(hotel_id), keys.count(facets))
    single_items.update(key, [count.set(reviews)], is_as_seen)
    queries.forget_summary(hotel_id)
