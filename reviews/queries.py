"""Reads, one function for each access pattern; docs/access-patterns.md shows the request that each one sends."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import and_

from django.core.cache import cache
from pynamodb.expressions.condition import Condition

from hotelapp.dynamodb import counts as facet_counts
from hotelapp.dynamodb import ledger, partitions
from hotelapp.dynamodb.counts import Counts
from hotelapp.dynamodb.errors import NotFound, UnknownValue, translated
from hotelapp.dynamodb.facets import PlannedRange, Selection
from hotelapp.dynamodb.merging import Merged, Part
from hotelapp.dynamodb.models import RawItem
from hotelapp.dynamodb.pages import Page, read_page
from hotelapp.dynamodb.partitions import PartitionPlan
from hotelapp.dynamodb.ranges import Ranges
from hotelapp.dynamodb.reading import Listing
from hotelapp.dynamodb.reads import fetcher, find_item, read_partition
from reviews import keys, models
from reviews.values import Review, ReviewQuery, Statistics

SUMMARY_SECONDS = 10
ATTRIBUTES = ("created_id", *models.SHOWN)


@dataclass(frozen=True)
class ReviewsPage:
    """A page of reviews, the counts that it was planned with, and the plan."""

    page: Page[Review]
    counts: Counts
    choices: Mapping[str, Mapping[str, int]]
    statistics: Statistics
    plan: PartitionPlan


def reviews(hotel_id: str, query: ReviewQuery) -> ReviewsPage:
    """V1, V2, V3, V6 and V7: one page of a hotel's reviews of some languages and ratings, by time.

    Raises :class:`~hotelapp.dynamodb.errors.UnknownValue` for a language in which the hotel has no review, and
    :class:`~hotelapp.dynamodb.errors.BadCursor` for a cursor that was not made for this query.
    """
    known = _counts_for(hotel_id, query.selection)
    plan = partitions.plan(known, keys.FACETS, keys.INDEXES, query.selection, query.page_size + 1)
    page = read_page(_listing(hotel_id, query, known, plan), query.page_size, query.cursor)
    choices = facet_counts.drill_down({facets: n for facets, n in known.items() if n}, keys.FACETS, query.selection)
    return ReviewsPage(page, known, choices, statistics(known, query.selection), plan)


def all_reviews(hotel_id: str, query: ReviewQuery) -> Iterator[Review]:
    """Every review of a selection, read as it is consumed. Raises :class:`UnknownValue` at once."""
    known = _counts_for(hotel_id, query.selection)
    plan = partitions.plan(known, keys.FACETS, keys.INDEXES, query.selection, sum(known.values()) + 1)
    return _listing(hotel_id, query, known, plan).stream()


def reviews_by(hotel_id: str, query: ReviewQuery, plan: PartitionPlan, exact: PartitionPlan) -> Listing[Review]:
    """A hotel's reviews from the partitions of a plan; where its filter throws away too much, from the exact ones."""
    return Merged(
        query=described(hotel_id, query),
        index=plan.index.name,
        descending=query.descending,
        total=plan.total,
        parts=[*_parts(hotel_id, plan, query.selection)],
        span=keys.all_times(),
        exact=Merged(query="", descending=query.descending, parts=[*_parts(hotel_id, exact)], span=keys.all_times())
        if plan.filters
        else None,
    )


def described(hotel_id: str, query: ReviewQuery) -> str:
    """What makes one list of reviews different from another."""
    return repr((hotel_id, query.selection.text, query.descending))


def room_reviews(hotel_id: str, number: str, *, descending: bool = True) -> Listing[Review]:
    """The reviews that name a room, by time: a sparse index."""
    partition = keys.room(hotel_id, number)
    return Ranges(
        query=repr(("room", hotel_id, number, descending)),
        index=keys.BY_ROOM,
        descending=descending,
        ranges=[PlannedRange(keys.all_times(), ())],
        fetch=fetcher(models.Review, partition, _review, attributes=ATTRIBUTES, index=keys.BY_ROOM),
    )


def review(review_id: str, *, consistent: bool = False) -> Review:
    """V4: one review by its id. Raises :class:`NotFound`."""
    if not keys.is_review_id(review_id):
        raise NotFound("That is no review's id.")
    with ledger.purpose("list"):
        return _review(find_item(models.Review, keys.review(review_id), keys.REVIEW, consistent=consistent))


def review_counts(hotel_id: str) -> Counts:
    """V7: how many reviews a hotel has of each language and rating, in one Query; nothing for an unknown hotel."""
    with ledger.purpose("counts"):
        return _counts(hotel_id)


def statistics(counts: Counts, selection: Selection) -> Statistics:
    """V7: total, average and histogram of a selection; pure."""
    histogram = dict.fromkeys(keys.RATINGS, 0)
    for combination, n in counts.items():
        if selection.allows(keys.FACETS, combination):
            histogram[int(combination[1])] += n
    return Statistics(histogram)


def summary(hotel_id: str) -> Statistics:
    """V7 for a hotel's other pages; a process remembers it for ten seconds."""
    remembered: Statistics | None = cache.get(f"reviews:{hotel_id}")
    if remembered is None:
        with ledger.purpose("summary"):  # the counts of that page are others
            remembered = statistics(_counts(hotel_id), Selection())
        cache.set(f"reviews:{hotel_id}", remembered, SUMMARY_SECONDS)
    return remembered


def forget_summary(hotel_id: str) -> None:
    """Drop what this process remembers of a hotel's reviews."""
    cache.delete(f"reviews:{hotel_id}")


def reviews_as_stored(review_ids: Iterable[str]) -> dict[str, Review]:
    """The reviews that exist among these ids, read a hundred at a time."""
    wanted = [(keys.review(review_id), keys.REVIEW) for review_id in review_ids]
    with translated():
        found = [_review(item.to_dynamodb_dict()) for item in models.Review.batch_get(wanted, consistent_read=True)]
    return {review.review_id: review for review in found}


# --- How the list is read -------------------------------------------------------------------------------


def _counts(hotel_id: str) -> Counts:
    items = read_partition(models.ReviewCount, keys.counts(hotel_id), ("sk", "reviews"))
    return {keys.counted(item["sk"]["S"]): int(item["reviews"]["N"]) for item in items}


def _counts_for(hotel_id: str, selection: Selection) -> Counts:
    known = review_counts(hotel_id)
    languages = {language for language, _ in known}
    for value in sorted(selection.values.get(keys.LANGUAGE, frozenset()) - languages):
        raise UnknownValue(keys.LANGUAGE, value)
    return known


def _listing(hotel_id: str, query: ReviewQuery, known: Counts, plan: PartitionPlan) -> Listing[Review]:
    exact = partitions.exact(known, keys.FACETS, keys.INDEXES, query.selection, query.page_size + 1)
    return reviews_by(hotel_id, query, plan, exact)


def _parts(hotel_id: str, plan: PartitionPlan, selection: Selection | None = None) -> Iterator[Part[Review]]:
    for part in plan.parts:
        keep = _filter(selection, plan) if selection and part.items > part.wanted else None
        fetch = fetcher(
            models.Review,
            keys.partition(hotel_id, part.values),
            _review,
            attributes=ATTRIBUTES,
            index=plan.index.name,
            keep=keep,
        )
        yield Part(fetch, part.wanted, part.density)


def _filter(selection: Selection, plan: PartitionPlan) -> Condition:
    """What a partition's key leaves open of the selection, as a FilterExpression."""
    languages = selection.values.get(keys.LANGUAGE, frozenset())
    ratings = selection.values.get(keys.RATING, frozenset())
    conditions = []
    if languages and keys.LANGUAGE not in plan.index.facets:
        conditions.append(models.Review.language.is_in(*sorted(languages)))
    if ratings and keys.RATING not in plan.index.facets:
        conditions.append(models.Review.rating.is_in(*sorted(map(int, ratings))))
    return reduce(and_, conditions)


def _review(item: RawItem) -> Review:
    created_at, review_id = keys.parse_created(item["created_id"]["S"])
    return Review(
        review_id=review_id,
        hotel_id=item["hotel_id"]["S"],
        language=item["language"]["S"],
        rating=int(item["rating"]["N"]),
        created_at=created_at,
        author=item["author"]["S"],
        title=item["title"]["S"],
        body=item["body"]["S"],
        room_number=item["room_number"]["S"],
        revision=int(item.get("revision", {"N": "0"})["N"]),
    )
