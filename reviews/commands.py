"""Writes of reviews. Each is one transaction, so that reviews and their counts agree."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from typing import Any

from dynamodb_lists.connection.errors import Conflict, UnknownValue
from dynamodb_lists.schema.entities import field, same
from dynamodb_lists.schema.keys import now
from dynamodb_lists.writing.changes import OPEN_GATE, Change, Gate, as_seen, deltas
from dynamodb_lists.writing.transactions import Delete, Put, Update, Write
from hotels import queries as hotels
from hotels.commands import statistics_changed
from orders import queries as orders
from portal.history.commands import RecordedWriter
from portal.history.entities import IMPORT, Actor
from reviews import keys, queries
from reviews.entities import REPLY, Review, is_language
from reviews.keys import ReviewFacets
from reviews.models import ReviewCountModel, ReviewModel
from rooms import queries as rooms

_hotel_id = attrgetter("entity.hotel_id")


class AlreadyWritten(Conflict):
    """Another review has the id."""


class ReviewWriter(RecordedWriter[Review]):
    """A review is one item. Its key is its id, so a change of language or rating moves it only in its indexes."""

    model = ReviewModel
    ids = ("review_id",)
    undoing = {
        "created": "reviews.delete_review",
        "changed": "reviews.change_review",
        "deleted": "reviews.add_review",
        **dict.fromkeys(REPLY, "reviews.reply_review"),
    }

    def item_writes(self, change: Change[Review]) -> list[Write]:
        condition = as_seen(ReviewModel, change.before)
        if change.after:
            return [Put(ReviewModel.item(change.after), condition)]
        return [Delete(ReviewModel.keyed(review_id=change.entity.review_id), condition)]

    def load(self, *ids: str) -> Review:
        return queries.review(*ids, consistent=True)

    def undo(self, before: Review | None, after: Review | None) -> Review:
        """As for every writer, but with no room or guest that the form would refuse."""
        try:
            if after:
                _require_known(after, before or after)
        except UnknownValue as error:
            name = field(Review, error.facet).label
            raise Conflict(f"{name} {error.value} does not exist any more.") from error
        return super().undo(before, after)

    def counts_and_totals(self, changes: Sequence[Change[Review]]) -> list[Write]:
        """The counts of languages and ratings, and the statistics. A review never moves to another hotel."""
        counts = [
            Update(
                ReviewCountModel.keyed(hotel_id=hotel_id, **combination._asdict()),
                actions=[ReviewCountModel.reviews.add(number)],
            )
            for hotel_id, group in groupby(sorted(changes, key=_hotel_id), key=_hotel_id)
            for combination, number in deltas(map(_facets, group)).items()
        ]
        return [*counts, *statistics_changed(changes)]

    def group(self, change: Change[Review]) -> Any:
        return change.entity.hotel_id, change.entity.facets


def add_review(review: Review, by: str) -> Review:
    """Add a review. If the same review was already added, return the stored one.

    Raises :class:`AlreadyWritten`, :class:`~dynamodb_lists.connection.errors.NotFound` for an unknown hotel, and
    :class:`~dynamodb_lists.connection.errors.UnknownValue` for an unknown room, language or guest.
    """
    hotels.hotel(review.hotel_id)
    _require_known(review)
    writer = ReviewWriter(Actor(by))
    created = writer.as_stored(None, review)
    try:
        writer.commit([Change(None, created)])
    except Conflict as error:
        stored = writer.stored(error)
        if stored and same(stored, replace(created, created_at=stored.created_at, reply=stored.reply)):
            return stored
        raise AlreadyWritten(
            "This form has already added a different review. Save again to add this one, too."
        ) from error
    return created


def edit_review(before: Review, after: Review, by: str) -> Review:
    """Change a review that its editor saw as ``before``; its language and rating may change, too, but not its reply.

    Raises :class:`ChangedMeanwhile`, and :class:`~dynamodb_lists.connection.errors.UnknownValue` for a room, a
    language or a guest that is unknown, unless the review had it before.
    """
    _require_known(after, before)
    kept: dict[str, Any] = {name: getattr(before, name) for name in ("review_id", "hotel_id", *REPLY)}
    return ReviewWriter(Actor(by)).update(before, replace(after, **kept))


def delete_review(review: Review, by: str) -> None:
    """V5: delete a review that its reader saw as ``review``. Raises :class:`ChangedMeanwhile`."""
    ReviewWriter(Actor(by)).delete(review)


def reply_to_review(before: Review, text: str, by: str) -> Review:
    """V8: answer a review that the member of staff ``by`` saw as ``before``, or change the answer.

    Raises :class:`ChangedMeanwhile`.
    """
    return _with_reply(before, by, reply=text, replied_by=by, replied_at=now())


def delete_reply(before: Review, by: str) -> Review:
    """Delete the hotel's reply to a review that its reader saw as ``before``. Raises :class:`ChangedMeanwhile`."""
    return _with_reply(before, by, reply="", replied_by="", replied_at=None)


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

    return ReviewWriter(actor).save(changes, gate), refused


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


def _with_reply(before: Review, by: str, **reply: Any) -> Review:
    return ReviewWriter(Actor(by)).update(before, replace(before, **reply))


def planned_reviews(reviews: Sequence[Review], actor: Actor) -> tuple[list[Change[Review]], Mapping[str, str]]:
    """What :func:`save_reviews` would write, and its refusals by id."""
    stored = queries.reviews_as_stored(review.review_id for review in reviews)
    writer = ReviewWriter(actor)
    changes: list[Change[Review]] = []
    refused: dict[str, str] = {}
    for review in reviews:
        before = stored.get(review.review_id)
        if before and before.hotel_id != review.hotel_id:
            refused[review.review_id] = f"review_id: {review.review_id} is a review of another hotel"
        elif change := writer.change_of_row(before, review):
            changes.append(change)
    return changes, refused


def _facets(change: Change[Review]) -> tuple[ReviewFacets | None, ReviewFacets | None]:
    return change.before.facets if change.before else None, change.after.facets if change.after else None
