"""Reads, one function for each access pattern; docs/requests.md shows the request that each one sends."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, cast

from dynamodb_lists import EVER, Days, Listing, Query, counted, errors, facet_choices, ledger, on_days
from dynamodb_lists.reading.items import exported
from dynamodb_lists.reading.word_lists import found_by_words
from hotels.entities import REVIEWS as REVIEWED
from hotels.entities import average_rating, unanswered_by_language
from hotels.queries import HotelByHotel, totals_of_hotels
from portal.lists import FOUND_UNITS
from portal.people import HotelScope
from reviews import keys
from reviews.entities import Review, StandardReply, Statistics, TextQuery
from reviews.lists import MOST_REPLIES, REVIEWS, STANDARD
from reviews.models import BEYOND_LISTS, INDEXED, ReviewWordModel

Counts = Mapping[Any, Any]
"""The number of a hotel's reviews of each language and rating."""
MOST_COUNTED = 50
"""The most reviews of a room that are read to count them."""
MOST_MERGED = 12
"""The most hotels whose reviews without a reply come together by time. Those of more come hotel by hotel."""


def reviews(
    *, days: Days = EVER, unanswered: bool = False, descending: bool = True, whole: bool = False, **of: Any
) -> Query[Review]:
    """V1, V2, V3 and V6: the reviews ``of`` hotels, a room, languages and ratings, by time.

    ``whole`` ones have every column of an export. Those without a reply are few, so others are dropped.
    """
    found = REVIEWS.query(**of).order_by("created_at", "review_id", descending=descending)
    found = found if days == EVER else found.where(created_at=on_days(days))
    found = found.where(replied_at=None).only(keys.UNANSWERED) if unanswered else found
    return found.showing(*BEYOND_LISTS) if whole else found


def reviews_found(hotel_id: str, query: TextQuery, wanted: Query[Review]) -> Listing[Review]:
    """V11: the reviews of a hotel with words that begin as typed, in the order of these words, if they are ``wanted``.

    Word items have nothing that lists show, so each review is read by its key, for half a unit a KB or two. A page
    whose filters drop most of them ends early.
    """
    listing: Any = found_by_words(
        ReviewWordModel,
        query,
        lambda values: ReviewWordModel.id_in(values["sk"]),
        name="reviews by words",
        refine=lambda ids: [*map({each: row for each, row in _whole(ids).items() if wanted.matches(row)}.get, ids)],
        partition=ReviewWordModel.partition_of(hotel_id=hotel_id, initials=query.initials),
    )
    selected = f"{query.typed} {wanted.asked.selected}"
    return cast(Listing[Review], replace(listing, selected=selected).at_most(FOUND_UNITS))


def require_known(languages: Iterable[str], counts: Counts) -> None:
    """Raise :class:`~dynamodb_lists.connection.errors.UnknownValue` for a language in which a hotel has no review."""
    for value in sorted({*languages} - {language for language, _ in counts}):
        raise errors.UnknownValue(keys.LANGUAGE, value)


def unanswered_of_hotels(
    scope: HotelScope, on_days: Callable[[Query[Review]], Query[Review]] = lambda query: query, **asked: Any
) -> Listing[Review]:
    """V9: the reviews without a reply: of few hotels by time, of many hotel by hotel, and of each hotel by time."""

    def find(**of: Any) -> Query[Review]:
        return on_days(reviews(unanswered=True, **asked, **of))

    if scope.hotel_ids and len(scope.hotel_ids) <= MOST_MERGED:
        return find(hotel_id=scope.hotel_ids).listing()
    any_hotel = find().asked
    return HotelByHotel(
        name="reviews without a reply by hotel",
        selected=f"{any_hotel.selected} of {scope}",
        index=keys.UNANSWERED,
        descending=any_hotel.descending,
        scope=scope,
        of=lambda hotel_id: find(hotel_id=hotel_id).listing(),
        has_rows=(REVIEWED, lambda numbers: bool(unanswered_by_language(numbers))),
    )


def unanswered_choices(hotel_ids: Iterable[str], among: Mapping[str, Collection[str]]) -> dict[str, dict[str, int]]:
    """V10: of the reviews of some hotels without a reply, the choices of hotel and language ``among`` some.

    One request, for half a unit a hotel.
    """
    totals = totals_of_hotels(hotel_ids, REVIEWED)
    counts = {(each, code): n for each in totals for code, n in unanswered_by_language(totals[each]).items()}
    return facet_choices(("hotel", keys.LANGUAGE), counts, among)


def waiting(hotel_ids: Iterable[str], languages: Collection[str] | None = None) -> int:
    """Return how many reviews of some hotels have no reply, in all languages or in some; as V10 does."""
    return sum(unanswered_choices(hotel_ids, {keys.LANGUAGE: languages or ()})["hotel"].values())


def standard_replies(review: Review) -> list[StandardReply]:
    """V12: the standard replies for a review, in its language: also those of ``de`` for a review in ``de-at``."""
    languages = {review.language, review.language.partition("-")[0]}
    return STANDARD.query(hotel_id=review.hotel_id, language=languages).take(MOST_REPLIES)


def room_reviews(hotel_id: str, number: str) -> Query[Review]:
    """Return the reviews that name a room, the newest first."""
    return reviews(hotel_id=hotel_id, room_number=number)


def reviews_of_room(hotel_id: str, number: str) -> str:
    """Return how many reviews name a room, in words; blank if there are none. One request."""
    page = room_reviews(hotel_id, number).page(MOST_COUNTED)
    return counted(len(page.rows), "review") + (" or more" if page.next else "") if page.rows else ""


def hotel_reviews(hotel_id: str, month: str = "") -> Iterator[Review]:
    """Return a hotel's reviews: all of them, or those of a UTC month such as "2026-11"."""
    first = date.fromisoformat(f"{month}-01") if month else None
    days = first, first and (first + timedelta(days=31)).replace(day=1)
    return reviews(hotel_id=hotel_id, days=days).listing(counts={}).stream()


def review(review_id: str, *, consistent: bool = False) -> Review:
    """V4: one review by its id. Raises :class:`NotFound`."""
    if not keys.REVIEW_ID.match(review_id):
        raise errors.NotFound("That is not a review's id.")
    with ledger.purpose("list"):
        return REVIEWS.get(review_id=review_id, consistent=consistent)


def with_long_texts(listed: Iterable[Review]) -> Iterator[Review]:
    """V8: these reviews with whole texts and replies. Those whose index has the beginning are read by their keys."""
    is_cut = lambda review: INDEXED in {len(review.body), len(review.reply)}  # noqa: E731
    return exported(listed, lambda review: review.review_id, _whole, is_cut)


def review_counts(hotel_id: str) -> Counts:
    """V7: the number of a hotel's reviews in each language and rating, from one Query. Empty for an unknown hotel."""
    return REVIEWS.query(hotel_id=hotel_id).counts()


def statistics(by_rating: Mapping[int, int], ratings: Collection[int] = keys.RATINGS) -> Statistics:
    """V7: the total, average and histogram of some ratings. It sends no request."""
    histogram = {rating: by_rating.get(rating, 0) if rating in ratings else 0 for rating in keys.RATINGS}
    return Statistics(histogram, sum(histogram.values()), average_rating(histogram))


def reviews_as_stored(review_ids: Iterable[str], *, consistent: bool = True) -> dict[str, Review]:
    """Return the reviews that exist among these ids, by id, read a hundred at a time."""
    wanted = ({"review_id": review_id} for review_id in review_ids)
    return {review.review_id: review for review in REVIEWS.get_many(wanted, consistent=consistent)}


def _whole(review_ids: Iterable[str]) -> dict[str, Review]:
    with ledger.purpose("replies"):
        return reviews_as_stored(review_ids, consistent=False)
