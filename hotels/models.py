"""The items of hotels. They are in the table ``hotel-app``, whose keys and indexes the rooms app declares."""

from collections.abc import Sequence
from decimal import Decimal

from django.db import models
from pynamodb.attributes import UnicodeAttribute

from dynamodb_lists.schema.attributes import IntegerAttribute
from dynamodb_lists.schema.entities import build
from dynamodb_lists.schema.keys import compose, parse
from dynamodb_lists.schema.models import VERSION, ItemModel, RawItem, Values
from dynamodb_lists.schema.tables import table_name
from dynamodb_lists.schema.word_items import TermsModel, WordModel, with_terms
from hotels import keys
from hotels.entities import Hotel, Statistic


class HotelsItem(ItemModel):
    class Meta:
        table_name = table_name(keys.TABLE)

    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)


class HotelModel(HotelsItem, TermsModel):
    """A hotel, with the number of its rooms, so that the list of hotels needs no counts.

    Each transaction that changes a count or a label of the hotel's rooms moves ``counts_revision`` on, and each that
    moves a room in the list by rate adds one to ``rates_revision``. They are no fields of the entity, which is cached
    for a minute.
    """

    kind = "hotel"
    version = 2
    entity = Hotel
    key_templates = "hotels", "hotel#{hotel_id}"
    upgrades = {1: lambda hotel: with_terms(HotelModel, hotel)}
    counts_revision = IntegerAttribute(null=True)
    rates_revision = IntegerAttribute(null=True)

    @classmethod
    def beside(cls, before: RawItem, after: RawItem) -> Sequence[ItemModel]:
        return () if "terms" in before else word_items(build(Hotel, cls.decoded(after)))


class HotelWordModel(HotelsItem, WordModel):
    kind = "hotel-word"
    word_keys = keys.WORDS
    name = UnicodeAttribute()
    city = UnicodeAttribute()


def word_items(hotel: Hotel) -> list[HotelWordModel]:
    return HotelWordModel.of(hotel.hotel_id, hotel.words, name=hotel.name, city=hotel.city)


class StatisticsModel(HotelsItem):
    """A statistic of a hotel: numbers, which the transactions of rooms, orders and reviews add to.

    Each app names its own numbers, so the model declares none: every Number but the version is one.
    """

    kind = "statistics"
    key_templates = "hotel#{hotel_id}#statistics", "{what:parts}"

    @classmethod
    def owns(cls, partition: str, sort_key: str) -> bool:
        return partition.endswith("#statistics")  # those of the group, too

    @classmethod
    def decoded(cls, item: RawItem) -> Values:
        numbers = {name: Decimal(value["N"]) for name, value in item.items() if "N" in value and name != VERSION}
        return {**super().decoded(item), "numbers": numbers}


class GroupStatisticsModel(StatisticsModel):
    """One of the items of a statistic of the group. A hotel counts in one of them, by a hash of its id."""

    key_templates = "group#statistics", "{what:parts}#{hotel_id:of 8}"


def statistic_key(model: type[StatisticsModel], hotel_id: str, what: Statistic) -> tuple[str, str]:
    """The key of a statistic: of a hotel or, of the group, of the item in which the hotel counts."""
    return model.place_of(hotel_id=hotel_id, what=compose(*what))


def parse_statistic(partition: str, sort_key: str) -> tuple[str, Statistic]:
    """The hotel of a statistic, blank for one of the group, and what it counts."""
    model = GroupStatisticsModel if partition == GroupStatisticsModel.partition_of() else StatisticsModel
    told = model.values_in(partition, sort_key)
    return told.get("hotel_id", ""), parse(told["what"])


class HotelPermissions(models.Model):
    class Meta:
        managed = False
        default_permissions = ()
        permissions = [(f"{action}_hotel", f"Can {action} hotel") for action in ("view", "add", "change")]
