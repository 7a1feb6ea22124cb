"""The stocks, pages and writes of reviews."""

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from hotelapp.dynamodb.deployment.workloads import (
    ItemChange,
    Owners,
    PageLoad,
    Read,
    Sample,
    Stock,
    Workload,
    WriteLoad,
    encoded,
    positive,
    register,
    stocks_of,
)
from hotelapp.dynamodb.writing.changes import Change
from hotelapp.history.workload import ACTOR, STAMP, recorded
from hotels.workload import PAGE, sample_hotels
from reviews import keys
from reviews.commands.reviews import ReviewWriter, review_item
from reviews.entities import Review
from reviews.models import ReviewCountModel, ReviewModel
from reviews.seeding import LANGUAGES, reviews

DEFAULT_REVIEWS = 50_000_000
SAMPLE_REVIEWS = 80
"""The reviews of each sample hotel."""

SEED = 7
REPLY = "Thank you for your review. " * 12
COMBINATIONS = len(LANGUAGES) * len(keys.RATINGS)
"""The counts of a hotel."""


@cache
def _samples() -> list[tuple[Owners, Review]]:
    return [
        ({"hotel": review.hotel_id}, replace(review, **STAMP))
        for demo in sample_hotels(0)
        for review in reviews(SEED, demo.hotel.hotel_id, SAMPLE_REVIEWS)
    ]


def _reply(review: Review) -> list[ItemChange]:
    """A reply of typical length: the whole item before and after. Indexes do not hold it."""
    replied = replace(review, reply=REPLY, replied_by="anna", replied_at=review.created_at, revision=2)
    before, after = (encoded(review_item(each)) for each in (_without_reply(review), replied))
    return [ItemChange(ReviewModel, before, after)]


def _without_reply(review: Review) -> Review:
    """A review as it was before the hotel replied."""
    return replace(review, reply="", replied_by="", replied_at=None)


@register
class ReviewWorkload(Workload):
    """Reviews, and their counts."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """How many reviews."""
        parser.add_argument("--reviews", type=positive, default=DEFAULT_REVIEWS, metavar="N")

    def stocks(self, options: Mapping[str, Any]) -> Iterator[Stock]:
        """Reviews as they are written, and the counts of each hotel."""
        samples, owners = _samples(), {"hotel": options["hotels"]}
        yield from stocks_of(ReviewWriter(ACTOR), samples, options["reviews"], owners)
        counts = [
            Sample(
                owned_by,
                encoded(ReviewCountModel(keys.counts(review.hotel_id), keys.count(review.facets), reviews=100)),
            )
            for owned_by, review in samples
        ]
        yield Stock(ReviewCountModel, counts, COMBINATIONS * options["hotels"], owners)

    def pages(self, options: Mapping[str, Any]) -> Iterator[PageLoad]:
        """A page of reviews reads its hotel's counts and the rows."""
        reads = [Read(ReviewCountModel, COMBINATIONS), Read(ReviewModel, PAGE, keys.BY_HOTEL.name)]
        yield PageLoad("reviews", reads, 10)

    def writes(self, options: Mapping[str, Any]) -> Iterator[WriteLoad]:
        """A review is added, and the hotel replies to half of them."""
        owners = {"hotel": options["hotels"]}
        added = [(owned_by, Change(None, _without_reply(review))) for owned_by, review in _samples()]
        yield WriteLoad("add a review", recorded(ReviewWriter, added), owners, 10)
        replies = [(owned_by, _reply(review)) for owned_by, review in _samples()]
        yield WriteLoad("reply to a review", replies, owners, 5)
