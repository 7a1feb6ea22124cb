"""What must agree in the table ``reviews``: reviews, the keys of their indexes, and the counts of each hotel."""

from collections.abc import Mapping

from dynamodb_lists.maintenance.rules import CountRule, KeysRule, text
from dynamodb_lists.reading.items import read_partition
from hotels.entities import REVIEWS, TOTAL
from hotels.invariants import StatisticsRule
from reviews import keys, queries
from reviews.models import ReviewCountModel, ReviewModel


def _count(hotel_id: str, language: str, rating: str) -> Mapping[str, int]:
    index = keys.BY_LANGUAGE_RATING
    partition = ReviewModel.partition_of(index, hotel_id=hotel_id, language=language, rating=rating)
    return {"": sum(1 for _ in read_partition(ReviewModel, partition, ("pk",), index=index))}


RULES = (
    KeysRule(model=ReviewModel),
    CountRule(
        model=ReviewModel,
        numbers={"": "reviews"},
        counter_model=ReviewCountModel,
        group=lambda item: tuple(text(item, name) for name in ("hotel_id", "language", "rating")),
        count=_count,
        name="the count of {rest} of {0}",
        noun="reviews",
        settle_seconds=2.0,  # a GSI finds the reviews
    ),
    StatisticsRule(
        model=ReviewModel,
        what=REVIEWS,
        read=lambda hotel_id, what: queries.hotel_reviews(hotel_id, "" if what[1] == TOTAL else what[1]),
        settle_seconds=2.0,  # as above
    ),
)
