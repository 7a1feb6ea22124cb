"""The items of hotels. They are in the table ``hotel-app``, whose keys and indexes the rooms app declares."""

from collections.abc import Sequence
from typing import Any

from django.db import models
from pynamodb.attributes import UnicodeAttribute

from hotelapp.dynamodb.schema.entities import build
from hotelapp.dynamodb.schema.models import PortalModel, RawItem
from hotelapp.dynamodb.schema.tables import table_name
from hotelapp.dynamodb.schema.word_items import WordModel, word_attributes
from hotelapp.dynamodb.schema.words import stored
from hotels import keys
from hotels.entities import Hotel


def with_terms(hotel: RawItem) -> RawItem:
    """A hotel with the terms of its word items, which hotels of version 1 do not have."""
    terms = build(Hotel, HotelModel.decoded(hotel)).words.terms()
    return {**hotel, "terms": {"S": stored(terms)}}


class HotelsItem(PortalModel):
    """An item of the table."""

    class Meta:
        table_name = table_name(keys.TABLE)

    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)


class HotelModel(HotelsItem):
    """A hotel, with the number of its rooms, so that the list of hotels needs no counts.

    ``terms`` are those of the hotel's word items, so that an edit deletes the items that were stored.
    """

    kind = "hotel"
    version = 2
    entity = Hotel
    upgrades = {1: with_terms}
    terms = UnicodeAttribute(null=True)

    @classmethod
    def owns(cls, partition: str, sort_key: str) -> bool:
        return partition == keys.HOTELS

    @classmethod
    def beside(cls, before: RawItem, after: RawItem) -> Sequence[PortalModel]:
        return () if "terms" in before else word_items(build(Hotel, cls.decoded(after)))


class HotelWordModel(HotelsItem, WordModel):
    """A word by which a hotel is found, or two, with the hotel's name and city."""

    kind = "hotel-word"
    word_keys = keys.WORDS
    name = UnicodeAttribute()
    city = UnicodeAttribute()


def word_items(hotel: Hotel) -> list[HotelWordModel]:
    """The word items of a hotel."""
    shared: dict[str, Any] = {"name": hotel.name, "city": hotel.city, **word_attributes(hotel.words)}
    return [HotelWordModel(*keys.WORDS.key(hotel.hotel_id, term), **shared) for term in sorted(hotel.words.terms())]


class HotelPermissions(models.Model):
    """What a user may be allowed to do with hotels; granted on ``/admin/``. It has no SQL table."""

    class Meta:
        app_label = "hotels"
        managed = False
        default_permissions = ()
        permissions = [(f"{action}_hotel", f"Can {action} hotel") for action in ("view", "add", "change")]
