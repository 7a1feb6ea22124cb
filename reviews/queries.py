"""Reads, one function for each access pattern; docs/access-patterns.md shows the request that each one sends."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from operator import attrgetter
from typing import cast

from dynamodb_lists import Query, on_days
from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.errors import NotFound, UnknownValue
from dynamodb_lists.planning.selection import FacetCounts, Selection, drill_down
from dynamodb_lists.planning.wording import counted
from dynamodb_lists.reading.items import exported, find_item, get_items, read_partition
from dynamodb_lists.reading.listing import Listing
from dynamodb_lists.schema.keys import EVER, text_range
from dynamodb_lists.schema.keys import on_days as keys_on
from dynamodb_lists.ways.partitioned import Partitioned
from hotels.entities import REVIEWS as REVIEWED
from hotels.entities import average_rating, unanswered_by_language
from hotels.queries.of_hotels import HotelByHotel, totals_of_hotels
from portal.scopes import HotelScope
from reviews import keys
from reviews.entities import Review, ReviewQuery, Statistics
from reviews.keys import ReviewFacets
from reviews.lists import REVIEWS
from reviews.models import EXPORTED, LISTED, ReviewCountModel, ReviewModel

Counts = Mapping[ReviewFacets, int]
MOST_COUNTED = 50
"""The most reviews of a room that are read to count them."""
MOST_MERGED = 12
"""The most hotels whose reviews without a reply come together by time. Those of more come hotel by hotel."""
HOTEL_FACETS = ("hotel", keys.LANGUAGE)
KINDS = {keys.LANGUAGE: str, keys.RATING: int}
"""The type of each facet's attribute."""


def reviews(hotel_id: str, query: ReviewQuery, counts: Counts) -> Listing[Review]:
    """V1, V2, V3 and V6: a hotel's reviews of some languages and ratings, by time, from the cheapest partitions.

    Raises :class:`~dynamodb_lists.connection.errors.UnknownValue` for a language in which the hotel has no review.
    """
    _check_languages(query, counts)
    if query.unanswered:
        return unanswered([hotel_id], query)
    return partitioned(hotel_id, query).cheapest(counts, query.page_size + 1)


def exported_reviews(hotel_id: str, query: ReviewQuery, counts: Counts) -> Iterator[Review]:
    """All reviews of a list, with every column of an export.

    One index has these columns: that of all reviews of a hotel, from which a filter drops those that are not selected.
    If the list is so short that each of its reviews costs less, they are read by their keys, as are those of which the
    index has only the beginning of a text.
    Raises :class:`~dynamodb_lists.connection.errors.UnknownValue` for a language in which the hotel has no review.
    """
    _check_languages(query, counts)
    if query.unanswered:
        return with_replies(unanswered([hotel_id], query).stream())
    way = partitioned(hotel_id, query)
    if (whole := way.whole(counts, ("created_id", *EXPORTED))) is not None:
        return with_replies(whole.stream(), attrgetter("has_long_texts"))
    return with_replies(way.cheapest(counts, sum(counts.values()) + 1).stream())


def unanswered(hotel_ids: Collection[str], query: ReviewQuery) -> Listing[Review]:
    """V3: the reviews of a hotel, or of several, without a reply, by time. They are few, so others are dropped."""
    chosen = {name: {*map(KINDS[name], values)} for name, values in query.selection.values.items()}
    found = REVIEWS.query(hotel_id={*hotel_ids}, created_at=on_days(query.days), **chosen)
    return found.only(keys.UNANSWERED).order_by("created_at", descending=query.descending).listing()


def unanswered_of_hotels(scope: HotelScope, query: ReviewQuery) -> Listing[Review]:
    """V9: the reviews without a reply: of few hotels by time, of many hotel by hotel, and of each hotel by time."""
    if scope.hotel_ids and len(scope.hotel_ids) <= MOST_MERGED:
        return unanswered(scope.hotel_ids, query)
    return HotelByHotel(
        name="reviews without a reply by hotel",
        selected=f"{query.descending} {query.selection.text} of {scope}",
        index=keys.UNANSWERED,
        descending=query.descending,
        scope=scope,
        of=lambda hotel_id: unanswered([hotel_id], query),
        has_rows=(REVIEWED, lambda numbers: bool(unanswered_by_language(numbers))),
    )


def unanswered_choices(hotel_ids: Iterable[str], selection: Selection) -> dict[str, dict[str, int]]:
    """V10: of the reviews of some hotels without a reply, the choices of hotel and language, as :func:`choices`.

    One request, for half a unit a hotel.
    """
    totals = totals_of_hotels(hotel_ids, REVIEWED)
    counts = {(each, code): n for each in totals for code, n in unanswered_by_language(totals[each]).items()}
    return drill_down(FacetCounts(HOTEL_FACETS, counts), selection)


def room_reviews(hotel_id: str, number: str) -> Query[Review]:
    """The reviews that name a room, the newest first."""
    return REVIEWS.query(hotel_id=hotel_id, room_number=number).order_by("-created_at")


def reviews_of_room(hotel_id: str, number: str) -> str:
    """How many reviews name a room, in words; blank if there are none. One request."""
    page = room_reviews(hotel_id, number).page(MOST_COUNTED)
    return counted(len(page.rows), "review") + (" or more" if page.next else "") if page.rows else ""


def hotel_reviews(hotel_id: str, month: str = "") -> Iterator[Review]:
    """A hotel's reviews: all of them, or those written in a UTC month, such as "2026-11"."""
    index, span = keys.BY_HOTEL.name, text_range(month) if month else None
    partition = ReviewModel.partition_of(index, hotel_id=hotel_id)
    items = read_partition(ReviewModel, partition, ("created_id", *LISTED), span=span, index=index)
    return map(ReviewModel.built, items)


def review(review_id: str, *, consistent: bool = False) -> Review:
    """V4: one review by its id. Raises :class:`NotFound`."""
    if not keys.REVIEW_ID.match(review_id):
        raise NotFound("That is not a review's id.")
    with ledger.purpose("list"):
        values = find_item(ReviewModel, *ReviewModel.place_of(review_id=review_id), consistent=consistent)
        return cast(Review, ReviewModel.built(values))


def with_replies(listed: Iterable[Review], lacking: Callable[[Review], bool] = lambda _: True) -> Iterator[Review]:
    """V8: these reviews with whole texts, replies and usernames. Those ``lacking`` some are read by their keys."""
    return exported(listed, lambda review: review.review_id, _whole, lacking)


def review_counts(hotel_id: str) -> Counts:
    """V7: the number of a hotel's reviews in each language and rating, from one Query. Empty for an unknown hotel."""
    with ledger.purpose("counts"):
        items = read_partition(ReviewCountModel, ReviewCountModel.partition_of(hotel_id=hotel_id), ("sk", "reviews"))
        told = ReviewCountModel.template_of("sk").values
        return {ReviewFacets(**told(item["sk"])): item["reviews"] for item in items}


def choices(counts: Counts, selection: Selection) -> dict[str, dict[str, int]]:
    """V7: for each facet and value that has reviews, their number under the selection in the other facet."""
    existing = {facets: count for facets, count in counts.items() if count}
    return drill_down(FacetCounts(keys.FACETS, existing), selection)


def statistics(counts: Counts, selection: Selection) -> Statistics:
    """V7: the total, average and histogram of a selection. It sends no request."""
    histogram = dict.fromkeys(keys.RATINGS, 0)
    for combination, count in counts.items():
        if selection.allows(keys.FACETS, combination):
            histogram[int(combination.rating)] += count
    return Statistics(histogram, sum(histogram.values()), average_rating(histogram))


def reviews_as_stored(review_ids: Iterable[str], *, consistent: bool = True) -> dict[str, Review]:
    """The reviews that exist among these ids, by id, read a hundred at a time."""
    wanted = (ReviewModel.place_of(review_id=review_id) for review_id in review_ids)
    stored = get_items(ReviewModel, wanted, consistent=consistent)
    return {review.review_id: review for review in map(ReviewModel.built, stored)}


# --- How the list is read -------------------------------------------------------------------------------


def _whole(review_ids: Iterable[str]) -> dict[str, Review]:
    with ledger.purpose("replies"):
        return reviews_as_stored(review_ids, consistent=False)


def _check_languages(query: ReviewQuery, counts: Counts) -> None:
    languages = {combination.language for combination in counts}
    for value in sorted(query.selection.values.get(keys.LANGUAGE, frozenset()) - languages):
        raise UnknownValue(keys.LANGUAGE, value)


def partitioned(hotel_id: str, query: ReviewQuery) -> Partitioned[Review]:
    """A hotel's reviews in the partitions of languages and ratings, by time."""
    days = "" if query.days == EVER else repr(query.days)
    return Partitioned(
        name="reviews",
        model=ReviewModel,
        owner={"hotel_id": hotel_id},
        facets=KINDS,
        indexes=keys.INDEXES,
        selection=query.selection,
        span=keys_on(*query.days),
        selected=repr((hotel_id, query.selection.text, query.descending)) + days,
        descending=query.descending,
        counts_all=query.days == EVER,
    )
