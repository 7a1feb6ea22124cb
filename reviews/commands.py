"""Writes of reviews. Each is one transaction, so that reviews and their counts agree."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import attrgetter

from dynamodb_lists import Change, List
from dynamodb_lists.schema import entities
from hotels import queries as hotels
from portal.history.entities import IMPORT, Actor
from portal.imports import Save
from portal.times import now
from reviews import queries
from reviews.entities import Review, StandardReply
from reviews.lists import REVIEWS, STANDARD

PLACE = "hotel_id", "language", "name"


def add_review(review: Review, by: str) -> Review:
    """Add a review. If the same review was already added, return the stored one.

    Raises :class:`AlreadyExists`, :class:`~dynamodb_lists.connection.errors.NotFound` for an unknown hotel, and
    :class:`~dynamodb_lists.connection.errors.UnknownValue` for an unknown room, language or guest.
    """
    hotels.hotel(review.hotel_id)
    is_same = lambda stored: entities.same(stored, replace(review, created_at=stored.created_at, reply=stored.reply))  # noqa: E731
    return REVIEWS.by(Actor(by)).create(review, done=is_same)


def reply_to_review(before: Review, text: str, by: str) -> Review:
    """V8: answer a review that the member of staff ``by`` saw as ``before``, or change the answer.

    Raises :class:`ChangedMeanwhile`.
    """
    answered = replace(before, reply=text, replied_by=by, replied_at=now())
    return REVIEWS.by(Actor(by)).update(before, answered)


def delete_reply(before: Review, by: str) -> Review:
    """Delete the hotel's reply to a review that its reader saw as ``before``. Raises :class:`ChangedMeanwhile`."""
    return REVIEWS.by(Actor(by)).update(before, replace(before, reply="", replied_by="", replied_at=None))


def add_missing_replies(replies: Sequence[StandardReply]) -> int:
    """Add the standard replies that their hotels do not have in their language, and return how many."""
    listed, place = STANDARD.by(IMPORT), attrgetter(*PLACE)

    def missing() -> list[Change[StandardReply]]:
        stored = {*map(place, listed.get_many(dict(zip(PLACE, place(each), strict=True)) for each in replies))}
        return [change for each in replies if place(each) not in stored for change in listed.change(None, each)]

    return listed.save(missing)


def save_reviews(
    reviews: Sequence[Review], actor: Actor = IMPORT, save: Save = List.save
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

    return save(REVIEWS.by(actor), changes), refused


def planned_reviews(reviews: Sequence[Review], actor: Actor) -> tuple[list[Change[Review]], Mapping[str, str]]:
    """Return what :func:`save_reviews` would write, and its refusals by id."""
    stored = queries.reviews_as_stored(review.review_id for review in reviews)
    changes: list[Change[Review]] = []
    refused: dict[str, str] = {}
    for review in reviews:
        before = stored.get(review.review_id)
        if before and before.hotel_id != review.hotel_id:
            refused[review.review_id] = f"review_id: {review.review_id} is a review of another hotel"
            continue
        kept = {name: getattr(before, name) for name in entities.computed(Review)} if before else {}
        after = replace(entities.with_optional(review, before), **kept) if before else review
        changes += REVIEWS.by(actor).change(before, after)
    return changes, refused
