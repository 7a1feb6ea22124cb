"""The list of reviews. A review's key is its id, so a change of language or rating moves it only in its indexes."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from dynamodb_lists import Change, List, Update, Write, deltas, errors
from hotels.commands import statistics_changed
from orders import queries as orders
from portal.history.commands import recorded
from portal.history.entities import Actor, How
from reviews import keys
from reviews.entities import ENGLISH, REPLY, Review, StandardReply
from reviews.models import ReviewCountModel, ReviewModel, ReviewWordModel, StandardReplyModel
from rooms import queries as rooms


def _counts(changes: Sequence[Change[Review]], by: Actor) -> Iterator[Write]:
    pairs = ((_counted(change.before), _counted(change.after)) for change in changes)
    for (hotel_id, language, rating), number in deltas(pairs).items():
        count = ReviewCountModel.keyed(hotel_id=hotel_id, language=language, rating=rating)
        yield Update(count, actions=[ReviewCountModel.reviews.add(number)])


def _counted(review: Review | None) -> tuple[str, str, str] | None:
    return (review.hotel_id, review.language, str(review.rating)) if review else None


def _require_known(changes: Sequence[Change[Review]], by: Actor) -> Sequence[Write]:
    """Raise ``UnknownValue`` for an unknown room, language or guest, unless the review had it before.

    A file may have an unknown room or language, but in a form it is a mistake.
    """
    for before, after in ((each.before, each.after) for each in changes if by.how is not How.IMPORT):
        if after and (before or by.how is not How.UNDO):  # what an undo adds is as it was
            for name, is_known in KNOWN.items():
                value = getattr(after, name)
                if value and value != getattr(before, name, "") and not is_known(after):
                    raise errors.UnknownValue(name, value)
    return ()


KNOWN: Mapping[str, Callable[[Review], bool]] = {
    keys.LANGUAGE: lambda review: review.language.partition("-")[0] in ENGLISH.languages,  # of any region or script
    "room_number": lambda review: rooms.has_room(review.hotel_id, review.room_number),
    "username": lambda review: bool((guest := orders.known_guest(review.username)) and not guest.erased_at),
}
"""The fields that name what must exist, and whether it does."""

MOST_REPLIES = 20
"""The most standard replies of a language that a reply offers."""

STANDARD = recorded(
    List(StandardReply, table=StandardReplyModel, name="replies"),
    dict.fromkeys(("created", "changed", "deleted"), "reviews.keep_replies"),
)
"""The standard replies of each hotel, by language and name."""

REVIEWS = recorded(
    List(Review, table=ReviewModel, name="reviews", counts=ReviewCountModel, words=ReviewWordModel).with_writes(
        _counts, _require_known, statistics_changed
    ),
    {
        "created": "reviews.delete_review",
        "changed": "reviews.change_review",
        "deleted": "reviews.add_review",
        **dict.fromkeys(REPLY, "reviews.reply_review"),
    },
)
