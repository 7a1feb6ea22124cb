"""The items of the table ``reviews``: reviews and their counts. :class:`Review` declares keys and indexes."""

from typing import Any

from pynamodb.attributes import NumberAttribute, UnicodeAttribute
from pynamodb.indexes import GlobalSecondaryIndex, IncludeProjection

from hotelapp.dynamodb.models import PortalModel
from hotelapp.dynamodb.tables import register, table_name
from reviews import keys
from reviews.permissions import Review as ReviewPermission

TABLE = table_name("reviews")
SHOWN = ["hotel_id", "language", "rating", "author", "title", "body", "room_number"]
"""What lists show of a review besides its id and its time, which are in ``created_id``; the indexes hold just this."""

__all__ = ["TABLE", "Review", "ReviewCount", "ReviewPermission"]


def _index(name: str, partition: str) -> Any:
    """A global index on an attribute, by time, holding all that is shown: a page never goes back to the table."""
    attributes = {
        "Meta": type("Meta", (), {"index_name": name, "projection": IncludeProjection(SHOWN)}),
        partition: UnicodeAttribute(hash_key=True),
        "created_id": UnicodeAttribute(range_key=True),
    }
    return type(f"Index_{partition}", (GlobalSecondaryIndex,), attributes)()


@register
class Review(PortalModel):
    """A review, once; its indexes hold it by hotel, language, rating, both, and room.

    Its id and its time are in its keys alone: what five indexes repeat must be short.
    """

    class Meta:
        table_name = TABLE

    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)
    hotel_id = UnicodeAttribute()
    language = UnicodeAttribute()
    rating = NumberAttribute()
    author = UnicodeAttribute()
    title = UnicodeAttribute(default="")
    body = UnicodeAttribute(default="")
    room_number = UnicodeAttribute(default="")
    revision = NumberAttribute(default=1)
    hotel_key = UnicodeAttribute()
    language_key = UnicodeAttribute()
    rating_key = UnicodeAttribute()
    language_rating_key = UnicodeAttribute()
    room_key = UnicodeAttribute(null=True)
    created_id = UnicodeAttribute()
    by_hotel = _index(keys.BY_HOTEL.name, "hotel_key")
    by_language = _index(keys.BY_LANGUAGE.name, "language_key")
    by_rating = _index(keys.BY_RATING.name, "rating_key")
    by_language_rating = _index(keys.BY_LANGUAGE_RATING.name, "language_rating_key")
    by_room = _index(keys.BY_ROOM, "room_key")


class ReviewCount(PortalModel):
    """How many reviews a hotel has of one language and rating."""

    class Meta:
        table_name = TABLE

    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)
    reviews = NumberAttribute(default=0)
