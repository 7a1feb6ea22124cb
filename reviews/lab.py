"""The reviews in the cost lab."""

from dynamodb_lists.reading.listing import Listing
from hotels import queries as hotels
from lab.measured import MeasuredList
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
