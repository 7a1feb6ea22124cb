"""The reviews in the cost lab, and a small share of them that a filter may throw away."""

from collections.abc import Iterator
from dataclasses import replace

from dynamodb_lists.planning.selection import Selection
from dynamodb_lists.reading.listing import Listing
from hotels import queries as hotels
from lab.measured import GoodFilter, Measured, MeasuredList, Read, first_page
from lab.unplanned import Unplanned
from reviews import keys, queries
from reviews.apps import VIEW_REVIEWS
from reviews.entities import Review, ReviewQuery
from reviews.forms import ReviewsForm
from reviews.models import ReviewModel


def _query(form: ReviewsForm, hotel_id: str) -> ReviewQuery:
    return form.query(hotels.hotel(hotel_id).time_zone)


def _planned(hotel_id: str, query: ReviewQuery) -> Listing[Review]:
    return queries.reviews(hotel_id, query, queries.review_counts(hotel_id))


def _unplanned(hotel_id: str, query: ReviewQuery) -> Unplanned[Review]:
    """A hotel's reviews of some languages and ratings as a reader without the planner sees them: all, by time."""
    planned = queries.partitioned(hotel_id, query)
    return Unplanned(
        model=ReviewModel,
        partition=ReviewModel.partition_of(keys.BY_HOTEL.name, hotel_id=hotel_id),
        index=keys.BY_HOTEL.name,
        build=ReviewModel.built,
        attributes=("created_id", *ReviewModel.shown_in(keys.BY_HOTEL.name)),
        values={facet: set(map(planned.facets[facet], parts)) for facet, parts in query.selection.values.items()},
        sort=("created_at", "review_id"),
        descending=query.descending,
        items=sum(queries.review_counts(hotel_id).values()),
    )


def _without_the_rarest(hotel_id: str) -> Iterator[Read]:
    """A page of reviews without the rarest rating: one partition with a filter, and partitions that are merged."""
    counts = queries.review_counts(hotel_id)
    numbers = {
        rating: sum(n for facets, n in counts.items() if facets.rating == str(rating)) for rating in keys.RATINGS
    }
    kept = sorted(numbers, key=lambda rating: -numbers[rating])[:-1]
    query = ReviewQuery(Selection({keys.RATING: frozenset(map(str, kept))}))
    partitioned = replace(queries.partitioned(hotel_id, query), indexes=(keys.BY_HOTEL, keys.BY_RATING))
    filtered, exact = partitioned.plans(counts)
    words = "25 reviews; the filter drops the rarest rating."
    yield Read("One partition, filtered", words, lambda: first_page(partitioned.by(filtered, exact)))
    words = "The same 25; nothing is read that is not wanted."
    yield Read("Partitions merged", words, lambda: first_page(partitioned.by(exact, exact)))


REVIEWS = MeasuredList(
    name="reviews",
    permission=VIEW_REVIEWS,
    form=ReviewsForm,
    drawn=("language", "rating", "sort"),
    refused=("room", "unanswered", "from", "to", "days"),  # days are a part of every key: no filter compares them
    query=_query,
    planned=_planned,
    unplanned=_unplanned,
    example={"rating": "5"},
    example_words="those with five stars, the newest first",
)
SMALL_SHARE = GoodFilter(
    "A small share thrown away",
    "All reviews but those of the rarest rating. One partition with a filter reads a few items more; without a filter, "
    "each partition takes a request of at least half a unit. The planner compares both.",
    "Reviews without the rarest rating",
    _without_the_rarest,
    VIEW_REVIEWS,
)

MEASURED = Measured(lists=(REVIEWS,), good_filters=(SMALL_SHARE,))
