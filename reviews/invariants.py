"""What must agree in the table ``reviews``: reviews, the keys of their indexes, and the counts of each hotel."""

from collections.abc import Iterator, Mapping

from hotelapp.dynamodb.connection.errors import NotFound
from hotelapp.dynamodb.maintenance.invariants import (
    Entry,
    GroupRule,
    Identity,
    ItemRule,
    Observation,
    different,
    register,
    text,
)
from hotelapp.dynamodb.reading.items import get_item, read_partition
from hotelapp.dynamodb.schema.entities import build
from hotelapp.dynamodb.schema.models import RawItem
from reviews import commands, keys
from reviews.entities import Review
from reviews.keys import ReviewFacets
from reviews.models import ReviewCountModel, ReviewModel

INDEX_KEYS = ("hotel_key", "language_key", "rating_key", "language_rating_key", "room_key")


def _is_review(item: RawItem) -> bool:
    return text(item, "sk") == keys.REVIEW


def _review(item: RawItem) -> Review:
    """The review that an item is. Raises :class:`KeyError` if an attribute is missing."""
    for name in ("hotel_id", "language", "rating", "author", "revision"):
        text(item, name)
    created = keys.parse_created(text(item, "created_id"))
    return build(Review, ReviewModel.decoded(item), review_id=created.review_id, created_at=created.at)


def _wrong_keys(item: RawItem, review: Review) -> list[str]:
    return different(item, commands.review_item(review).to_dynamodb_dict(), ("pk", *INDEX_KEYS))


@register
class ReviewKeysRule(ItemRule):
    """A review has the keys of its id, hotel, language, rating, time and, if it names one, room."""

    model = ReviewModel

    def wrong(self, item: RawItem) -> str:
        if not _is_review(item):
            return ""
        review = _review(item)
        wrong = _wrong_keys(item, review)
        return f"review {review.review_id} of {review.hotel_id} has wrong {', '.join(wrong)}" if wrong else ""

    def repair(self, item: RawItem) -> bool:
        """Set the keys of the indexes. The table's own key, which holds the id, cannot be changed."""
        review = _review(item)
        wrong = _wrong_keys(item, review)
        if "pk" in wrong:
            return False
        commands.mend_keys(review, wrong)
        return True


@register
class ReviewCountsRule(GroupRule):
    """Each count is the number of a hotel's reviews of its language and rating. A group is these three."""

    model = ReviewModel
    settle_seconds = 2.0  # a GSI finds the reviews

    def entries(self, item: RawItem) -> Iterator[Entry]:
        if _is_review(item):
            yield Entry((text(item, "hotel_id"), text(item, "language"), text(item, "rating")), "", 1)
        elif hotel_id := keys.counts_hotel(text(item, "pk")):
            yield Entry((hotel_id, *keys.counted(text(item, "sk"))), "", -int(text(item, "reviews")))

    def stored(self, identity: Identity) -> Mapping[str, int]:
        count_key = keys.count(ReviewFacets(*identity[1:]))
        try:
            return {"": get_item(ReviewCountModel, keys.counts(identity[0]), count_key, consistent=True)["reviews"]}
        except NotFound:
            return {}

    def counted(self, identity: Identity) -> Mapping[str, int]:
        partition = keys.partition(identity[0], identity[1:])
        index = keys.BY_LANGUAGE_RATING.name
        return {"": sum(1 for _ in read_partition(ReviewModel, partition, ("pk",), index=index))}

    def wrong(self, identity: Identity, seen: Observation) -> str:
        hotel_id, *facets = identity
        count, reviews = seen.stored.get("", "missing"), seen.counted[""]
        return f"the count of {' '.join(facets)} of {hotel_id} is {count}; the number of reviews is {reviews}"

    def repair(self, identity: Identity, seen: Observation) -> bool:
        commands.mend_count(identity[0], ReviewFacets(*identity[1:]), seen.stored.get(""), seen.counted[""])
        return True
