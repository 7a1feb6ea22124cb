"""The items of the table ``reviews``: reviews and their counts. :class:`ReviewModel` declares keys and indexes."""

from dataclasses import replace
from functools import partial
from typing import Any, Self

from django.db import models
from pynamodb.attributes import UnicodeAttribute

from dynamodb_lists import (
    GIVEN,
    IntegerAttribute,
    ItemModel,
    KeyAttribute,
    WordModel,
    Words,
    global_index,
    register,
    table_name,
)
from dynamodb_lists.schema import entities
from reviews import keys
from reviews.entities import LISTED_LETTERS, Review, StandardReply

TABLE = table_name("reviews")
LISTED = entities.listed(Review)
"""The attributes of a review that lists show. Indexes project them, so lists never read the table."""

BEYOND_LISTS = ("username", "reply")
"""What only exports have. The index of all reviews of a hotel projects it, too, so exports read that one."""

RESTS = {"body": "body_rest", "reply": "reply_rest"}
"""The attributes that indexes project of long texts, and those, of the item alone, that have the rest of each."""

INDEXED = LISTED_LETTERS + 1

_index = partial(global_index, sort="created_id", projected=LISTED)


class ReviewsItem(ItemModel):
    class Meta:
        table_name = TABLE

    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)


@register
class ReviewModel(ReviewsItem):
    """A review, stored once. Its indexes hold it by hotel, language, rating, both, and room, and until it has a reply.

    Its id and its time are only in its keys, because six indexes repeat every attribute that they project. For the same
    reason, a long text is in two attributes: indexes project its beginning, and only the item has the rest.
    """

    kind = "review"
    entity = Review
    key_templates = "REVIEW#{review_id}", "REVIEW"
    body_rest = UnicodeAttribute(null=True)
    reply_rest = UnicodeAttribute(null=True)
    hotel_key = KeyAttribute("hotel#{hotel_id}")
    language_key = KeyAttribute("hotel#{hotel_id}#{language}")
    rating_key = KeyAttribute("hotel#{hotel_id}#{rating}")
    language_rating_key = KeyAttribute("hotel#{hotel_id}#{language}#{rating}")
    room_key = KeyAttribute("hotel#{hotel_id}#room#{room_number}", when=[{"room_number": GIVEN}])
    unanswered_key = KeyAttribute("hotel#{hotel_id}", when=[{"replied_at": {None}}])
    created_id = KeyAttribute("{created_at:time}#{review_id}")
    by_hotel = _index(
        "by-hotel", "hotel_key", projected=(*LISTED, *BEYOND_LISTS), words="all, with all columns of an export"
    )
    by_language = _index("by-language", "language_key", words="of a language")
    by_rating = _index("by-rating", "rating_key", words="of a rating")
    by_language_rating = _index(keys.BY_LANGUAGE_RATING, "language_rating_key", words="of a language and a rating")
    by_room = _index("by-room", "room_key", words="of a room")
    unanswered = _index(keys.UNANSWERED, "unanswered_key", words="without a reply")

    @classmethod
    def item(cls, entity: Any, /, **others: Any) -> Self:
        beginnings = {name: getattr(entity, name)[:INDEXED] for name in RESTS}
        rests = {rest: getattr(entity, name)[INDEXED:] or None for name, rest in RESTS.items()}
        return super().item(replace(entity, **beginnings), **rests, **others)

    @classmethod
    def built(cls, values: dict[str, Any], /, **others: Any) -> Any:
        joined = {name: values[name] + values[rest] for name, rest in RESTS.items() if rest in values}
        return super().built({**values, **joined}, **others)


class ReviewWordModel(ReviewsItem, WordModel):
    """A word of a review. It repeats nothing that lists show, so that a reply or a rating writes no words."""

    kind = "review-word"
    key_templates = "hotel#{hotel_id}#words#{initials}", "{text}#{id}"

    @classmethod
    def of(cls, entity: Review) -> list[Self]:
        place = partial(cls.place_of, hotel_id=entity.hotel_id, id=entity.review_id)
        shared: dict[str, Any] = {"words": f" {' '.join(entity.words)}", "other_words": ""}
        return [cls(*place(**term._asdict()), **shared) for term in sorted(Words((), entity.words).terms())]


class StandardReplyModel(ReviewsItem):
    kind, entity = "standard-reply", StandardReply
    key_templates = "hotel#{hotel_id}#standard-replies", "{language}#{name}"


class ReviewCountModel(ReviewsItem):
    kind = "review-count"
    key_templates = "hotel#{hotel_id}#review-counts", "{language}#{rating}"
    reviews = IntegerAttribute(default=0)


class ReviewPermissions(models.Model):
    class Meta:
        managed = False
        default_permissions = ()
        permissions = [
            *((f"{action}_review", f"Can {action} review") for action in ("view", "add", "change", "delete")),
            ("reply_review", "Can reply to review"),
            ("keep_replies", "Can keep standard replies"),
        ]
