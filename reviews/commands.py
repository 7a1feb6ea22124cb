"""Writes of reviews. Each is one transaction, so that reviews and their counts agree."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from dynamodb_lists.connection.errors import AlreadyExists, Conflict, UnknownValue
from dynamodb_lists.schema.entities import computed, field, same, with_optional
from dynamodb_lists.schema.keys import now
from dynamodb_lists.writing.changes import OPEN_GATE, Change, Gate, Writer, deltas
from dynamodb_lists.writing.transactions import Update, Write
from hotels import queries as hotels
from hotels.commands import statistics_changed
from orders import queries as orders
from portal.history.commands import recorded
from portal.history.entities import IMPORT, Actor
from reviews import keys, queries
from reviews.entities import REPLY, Review, is_language
from reviews.keys import ReviewFacets
from reviews.models import ReviewCountModel, ReviewModel
from rooms import queries as rooms


class ReviewWriter(Writer[Review]):
    """A review is one item. Its key is its id, so a change of language or rating moves it only in its indexes."""

    model, ids = ReviewModel, ("review_id",)

    def taken(self, new: Review, stored: Review | None) -> AlreadyExists:
        return AlreadyExists("This form has already added a different review. Save again to add this one, too.")

    def group(self, change: Change[Review]) -> Any:
        return change.entity.hotel_id, change.entity.facets


def _counts(changes: Sequence[Change[Review]], by: Actor) -> Iterator[Write]:
    """The counts of languages and ratings of each hotel."""
    pairs = ((_counted(change.before), _counted(change.after)) for change in changes)
    for (hotel_id, *facets), number in deltas(pairs).items():
        count = ReviewCountModel.keyed(hotel_id=hotel_id, **ReviewFacets(*facets)._asdict())
        yield Update(count, actions=[ReviewCountModel.reviews.add(number)])


def _counted(review: Review | None) -> tuple[str, ...] | None:
    return (review.hotel_id, *review.facets) if review else None


def _restored(before: Review | None, after: Review | None, by: str) -> Review | None:
    """No review with a room or a guest that the form would refuse."""
    try:
        if after:
            _require_known(after, before or after)
    except UnknownValue as error:
        raise Conflict(f"{field(Review, error.facet).label} {error.value} does not exist any more.") from error
    return after


REVIEWS = recorded(
    ReviewWriter().with_writes(_counts, statistics_changed),
    {
        "created": "reviews.delete_review",
        "changed": "reviews.change_review",
        "deleted": "reviews.add_review",
        **dict.fromkeys(REPLY, "reviews.reply_review"),
    },
    load=partial(queries.review, consistent=True),
    restored=_restored,
)


def add_review(review: Review, by: str) -> Review:
    """Add a review. If the same review was already added, return the stored one.

    Raises :class:`AlreadyExists`, :class:`~dynamodb_lists.connection.errors.NotFound` for an unknown hotel, and
    :class:`~dynamodb_lists.connection.errors.UnknownValue` for an unknown room, language or guest.
    """
    hotels.hotel(review.hotel_id)
    _require_known(review)
    is_same = lambda stored: same(stored, replace(review, created_at=stored.created_at, reply=stored.reply))  # noqa: E731
    return REVIEWS.by(Actor(by)).create(review, done=is_same)


def edit_review(before: Review, after: Review, by: str) -> Review:
    """Change a review that its editor saw as ``before``; its language and rating may change, too, but not its reply.

    Raises :class:`ChangedMeanwhile`, and :class:`~dynamodb_lists.connection.errors.UnknownValue` for a room, a
    language or a guest that is unknown, unless the review had it before.
    """
    _require_known(after, before)
    kept: dict[str, Any] = {name: getattr(before, name) for name in ("review_id", "hotel_id", *REPLY)}
    return REVIEWS.by(Actor(by)).update(before, replace(after, **kept))


def delete_review(review: Review, by: str) -> None:
    """V5: delete a review that its reader saw as ``review``. Raises :class:`ChangedMeanwhile`."""
    REVIEWS.by(Actor(by)).delete(review)


def reply_to_review(before: Review, text: str, by: str) -> Review:
    """V8: answer a review that the member of staff ``by`` saw as ``before``, or change the answer.

    Raises :class:`ChangedMeanwhile`.
    """
    answered = replace(before, reply=text, replied_by=by, replied_at=now())
    return REVIEWS.by(Actor(by)).update(before, answered)


def delete_reply(before: Review, by: str) -> Review:
    """Delete the hotel's reply to a review that its reader saw as ``before``. Raises :class:`ChangedMeanwhile`."""
    return REVIEWS.by(Actor(by)).update(before, replace(before, reply="", replied_by="", replied_at=None))


def save_reviews(
    reviews: Sequence[Review], actor: Actor = IMPORT, gate: Gate = OPEN_GATE
) -> tuple[int, Mapping[str, str]]:
    """Create or change many reviews, from a file; returns how many were written, and the refusals by id.

    A stored review keeps its reply and its username, which are in no file. Reviews that are stored with the same values
    are not written, so repeating a batch writes nothing. Each id may occur once. An id that belongs to another hotel is
    refused.
    """
    refused: dict[str, str] = {}

    def changes() -> list[Change[Review]]:
        found, reasons = planned_reviews(reviews, actor)
        refused.clear()
        refused.update(reasons)
        return found

    return REVIEWS.by(actor).save(changes, gate), refused


def _require_known(review: Review, before: Review | None = None) -> None:
    """Raise ``UnknownValue`` for an unknown room, language or guest, unless the review had it before.

    A file may have an unknown room or language, but in a form it is a mistake.
    """
    number, language, username = review.room_number, review.language, review.username
    if not (is_language(language) or (before and before.language == language)):
        raise UnknownValue(keys.LANGUAGE, language)
    if number and not (before and before.room_number == number) and not rooms.has_room(review.hotel_id, number):
        raise UnknownValue("room_number", number)
    if username and not (before and before.username == username):
        guest = orders.known_guest(username)
        if guest is None or guest.erased_at:
            raise UnknownValue("username", username)


def planned_reviews(reviews: Sequence[Review], actor: Actor) -> tuple[list[Change[Review]], Mapping[str, str]]:
    """What :func:`save_reviews` would write, and its refusals by id."""
    stored = queries.reviews_as_stored(review.review_id for review in reviews)
    writer = REVIEWS.by(actor)
    changes: list[Change[Review]] = []
    refused: dict[str, str] = {}
    for review in reviews:
        before = stored.get(review.review_id)
        if before and before.hotel_id != review.hotel_id:
            refused[review.review_id] = f"review_id: {review.review_id} is a review of another hotel"
            continue
        kept = {name: getattr(before, name) for name in computed(Review)} if before else {}
        after = replace(with_optional(review, before), **kept) if before else review
        changes += writer.change(before, after)
    return changes, refused
