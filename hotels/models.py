"""The items of hotels. They are in the table ``hotel-app``, whose keys and indexes the rooms app declares."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django.db import models
from pynamodb.attributes import UnicodeAttribute

from dynamodb_lists.schema.attributes import IntegerAttribute
from dynamodb_lists.schema.entities import build
from dynamodb_lists.schema.models import VERSION, PortalModel, RawItem, Values
from dynamodb_lists.schema.tables import table_name
from dynamodb_lists.schema.word_items import WordModel, with_terms
from dynamodb_lists.schema.words import parsed
from hotels import keys
from hotels.entities import Hotel


class HotelsItem(PortalModel):
    class Meta:
        table_name = table_name(keys.TABLE)

    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)


class HotelModel(HotelsItem):
    """A hotel, with the number of its rooms, so that the list of hotels needs no counts.

    ``terms`` are those of the hotel's word items, so that an edit deletes the items that were stored. Each transaction
    that changes a count or a label of the hotel's rooms moves ``counts_revision`` on, and each that moves a room in
    the list by rate adds one to ``rates_revision``. They are no fields of the entity, which is cached for a minute.
    """

    kind = "hotel"
    version = 2
    entity = Hotel
    upgrades = {1: lambda hotel: with_terms(HotelModel, hotel)}
    terms = UnicodeAttribute(null=True)
    counts_revision = IntegerAttribute(null=True)
    rates_revision = IntegerAttribute(null=True)

    @classmethod
    def owns(cls, partition: str, sort_key: str) -> bool:
        return partition == keys.HOTELS

    @classmethod
    def entity_of(cls, item: RawItem, **others: Any) -> Any:
        return super().entity_of(item, terms=parsed(cls.decoded(item).get("terms", "")), **others)

    @classmethod
    def beside(cls, before: RawItem, after: RawItem) -> Sequence[PortalModel]:
        return () if "terms" in before else word_items(build(Hotel, cls.decoded(after)))


class HotelWordModel(HotelsItem, WordModel):
    kind = "hotel-word"
    word_keys = keys.WORDS
    name = UnicodeAttribute()
    city = UnicodeAttribute()


def word_items(hotel: Hotel) -> list[HotelWordModel]:
    return HotelWordModel.of(hotel.hotel_id, hotel.words, name=hotel.name, city=hotel.city)


class StatisticsModel(HotelsItem):
    """A statistic of a hotel or of the group: numbers, which the transactions of rooms, orders and reviews add to.

    Each app names its own numbers, so the model declares none: every Number but the version is one.
    """

    kind = "statistics"

    @classmethod
    def owns(cls, partition: str, sort_key: str) -> bool:
        return partition.endswith(f"#{keys.STATISTICS}")

    @classmethod
    def decoded(cls, item: RawItem) -> Values:
        numbers = {name: Decimal(value["N"]) for name, value in item.items() if "N" in value and name != VERSION}
        return {**super().decoded(item), "numbers": numbers}


class HotelPermissions(models.Model):
    class Meta:
        managed = False
        default_permissions = ()
        permissions = [(f"{action}_hotel", f"Can {action} hotel") for action in ("view", "add", "change")]
