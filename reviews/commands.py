"""Writes. Each is one transaction that keeps reviews and their counts in step."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pynamodb.expressions.condition import Condition
from pynamodb.transactions import TransactWrite

from hotelapp.dynamodb import counts
from hotelapp.dynamodb.errors import Conflict, UnknownValue
from hotelapp.dynamodb.facets import Combination
from hotelapp.dynamodb.transactions import commit, packed, write_all
from reviews import keys, models, queries
from reviews.languages import is_known
from reviews.values import Review
from rooms import queries as rooms

CHANGED = "The review was changed or deleted by somebody else. Load the page again."


class AlreadyWritten(Conflict):
    """There is another review with the id."""


class ChangedMeanwhile(Conflict):
    """Somebody changed or deleted the review since it was read."""


@dataclass(frozen=True, slots=True)
class Change:
    """A review as it was and as it is to be; ``None`` for not there."""

    before: Review | None
    after: Review | None

    @property
    def hotel_id(self) -> str:
        """The hotel whose counts change: a review never moves to another."""
        review = self.after or self.before
        assert review is not None
        return review.hotel_id

    @property
    def facets(self) -> tuple[Combination | None, Combination | None]:
        """Language and rating before and after."""
        return self.before.facets if self.before else None, self.after.facets if self.after else None

    @property
    def shared(self) -> set[object]:
        """The counts, which are written once for all changes of a transaction."""
        return {(self.hotel_id, facets) for facets in self.facets if facets}

    @property
    def size(self) -> int:
        """Bytes of its text, which may be long; all else is short."""
        return len(self.after.body.encode()) + 2000 if self.after else 0


def add_review(review: Review) -> Review:
    """Add a review; sent again it gives what is there.

    Raises :class:`AlreadyWritten`, :class:`~hotelapp.dynamodb.errors.NotFound` for an unknown hotel, and
    :class:`~hotelapp.dynamodb.errors.UnknownValue` for a room that it does not have, or a language that does not exist.
    """
    rooms.hotel(review.hotel_id)
    _require_known(review)
    made = replace(review, revision=1)
    try:
        _apply([Change(None, made)])
    except Conflict as error:
        stored = queries.reviews_as_stored([review.review_id]).get(review.review_id)
        if stored and replace(stored, created_at=made.created_at).same_as(made):
            return stored
        raise AlreadyWritten(
            "This form has added a review already, and that review was another one. Save once more to add this as well."
        ) from error
    return made


def edit_review(before: Review, after: Review) -> Review:
    """Change a review from what its editor saw, language and rating included.

    Raises :class:`ChangedMeanwhile`, and :class:`~hotelapp.dynamodb.errors.UnknownValue` for another room or language
    than before that is unknown.
    """
    _require_known(after, before)
    made = replace(after, review_id=before.review_id, hotel_id=before.hotel_id, revision=before.revision + 1)
    _or_changed(lambda: _apply([Change(before, made)]))
    return made


def delete_review(review: Review) -> None:
    """V5: remove a review as its reader saw it. Raises :class:`ChangedMeanwhile`."""
    _or_changed(lambda: _apply([Change(review, None)]))


def save_reviews(reviews: Sequence[Review]) -> tuple[int, Mapping[str, str]]:
    """Create or change many reviews; gives how many were written, and those refused by id.

    What is stored already is left alone, so repeating a batch writes nothing. An id may occur once; one that belongs
    to another hotel is refused.
    """
    refused: dict[str, str] = {}

    def plan() -> Iterator[list[Change]]:
        refused.clear()
        return _batches(_changes(reviews, refused))

    return write_all(plan, _apply), refused


def _require_known(review: Review, before: Review | None = None) -> None:
    """A file may name a room or language of which nothing is known here; who writes in a form has mistyped it."""
    number, language = review.room_number, review.language
    if not (is_known(language) or (before and before.language == language)):
        raise UnknownValue(keys.LANGUAGE, language)
    if number and not (before and before.room_number == number) and not rooms.has_room(review.hotel_id, number):
        raise UnknownValue("room_number", number)


def _or_changed(apply: Callable[[], None]) -> None:
    try:
        apply()
    except Conflict as error:
        raise ChangedMeanwhile(CHANGED) from error


def _changes(reviews: Sequence[Review], refused: dict[str, str]) -> list[Change]:
    stored = queries.reviews_as_stored(review.review_id for review in reviews)
    changes = []
    for review in reviews:
        before = stored.get(review.review_id)
        if before and before.hotel_id != review.hotel_id:
            refused[review.review_id] = f"review_id: {review.review_id} is a review of {before.hotel_id}"
        elif before is None or not before.same_as(review):
            changes.append(Change(before, replace(review, revision=before.revision + 1 if before else 1)))
    return changes


def _batches(changes: Sequence[Change]) -> Iterator[list[Change]]:
    """Cut the changes into transactions; reviews that share a count go together."""
    ordered = sorted(changes, key=lambda change: (change.hotel_id, change.facets[1] or ()))
    return packed(ordered, lambda _: 1, lambda change: change.shared, lambda change: change.size)


# --- One transaction ------------------------------------------------------------------------------------


def _apply(changes: Sequence[Change]) -> None:
    """Write the changes and their counts, or nothing. Raises :class:`Conflict`."""
    by_hotel: dict[str, list[tuple[Combination | None, Combination | None]]] = {}
    for change in changes:
        by_hotel.setdefault(change.hotel_id, []).append(change.facets)

    def stage(transaction: TransactWrite) -> None:
        for change in changes:
            _stage_review(transaction, change)
        for hotel_id, own in by_hotel.items():
            for combination, n in counts.deltas(own).items():
                key = models.ReviewCount(keys.counts(hotel_id), keys.count(combination))
                transaction.update(key, actions=[models.ReviewCount.reviews.add(n)])

    commit(models.Review.connection().connection, stage)
    for hotel_id in by_hotel:
        queries.forget_summary(hotel_id)


def _stage_review(transaction: TransactWrite, change: Change) -> None:
    """The key of a review is its id, so a change of language or rating is a put: its indexes follow."""
    if change.after:
        transaction.save(_item(change.after), condition=_as_seen(change.before))
    elif change.before:
        key = models.Review(keys.review(change.before.review_id), keys.REVIEW)
        transaction.delete(key, condition=_as_seen(change.before))


def _as_seen(seen: Review | None) -> Condition:
    """The review is at the revision that was seen, or is not there if none was."""
    if seen is None:
        return models.Review.pk.does_not_exist()
    as_seen: Condition = models.Review.revision == seen.revision
    return as_seen


def _item(review: Review) -> models.Review:
    language, rating = review.facets
    values: dict[str, Any] = {name: getattr(review, name) for name in (*models.SHOWN, "revision")}
    return models.Review(
        pk=keys.review(review.review_id),
        sk=keys.REVIEW,
        created_id=keys.created(review.created_at, review.review_id),
        hotel_key=keys.partition(review.hotel_id),
        language_key=keys.partition(review.hotel_id, (language,)),
        rating_key=keys.partition(review.hotel_id, (rating,)),
        language_rating_key=keys.partition(review.hotel_id, (language, rating)),
        room_key=keys.room(review.hotel_id, review.room_number) if review.room_number else None,
        **values,
    )
