"""The items of hotels. They are in the table ``hotel-app``, whose keys and indexes the rooms app declares."""

from decimal import Decimal
from typing import Self

from django.db import models
from pynamodb.attributes import UnicodeAttribute

from dynamodb_lists import ItemModel, KeyAttribute, RawItem, Values, WordModel, global_index, table_name
from dynamodb_lists.schema import entities
from dynamodb_lists.schema.keys import compose, parse
from hotels import keys
from hotels.entities import Hotel, Statistic
from hotels.staff_hotels import StaffHotel
from portal.shards import Shards

SHARDS_OF_PARTITION = 8
SQL_TABLES = (StaffHotel,)
"""Django finds tables in this module."""

ALL_HOTELS = global_index(
    keys.HOTELS,
    "hotel_list",
    "hotel_id",
    projected=[name for name in entities.listed(Hotel) if name != "hotel_id"],
    words="all hotels by id",
)
"""The list of hotels. The list of rooms, which shares the table, declares its index."""


class HotelsItem(ItemModel):
    class Meta:
        table_name = table_name(keys.TABLE)

    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)


class HotelModel(HotelsItem):
    """A hotel, with the number of its rooms, so that the list of hotels needs no counts.

    Every page of a hotel reads it, so each hotel has a partition of its own.
    """

    kind = "hotel"
    entity = Hotel
    key_templates = "hotel#{hotel_id}", "hotel"
    hotel_list = KeyAttribute("hotels")
    all_hotels = ALL_HOTELS


class HotelWordModel(HotelsItem, WordModel):
    kind = "hotel-word"
    key_templates = "hotel-words#{initials}", "{text}#{id}"
    name = UnicodeAttribute()
    city = UnicodeAttribute()

    @classmethod
    def of(cls, entity: Hotel) -> list[Self]:
        return cls.repeated(entity.hotel_id, entity.words, name=entity.name, city=entity.city)


class NumbersItem(HotelsItem):
    """The base of items whose Numbers have names that no model declares."""

    @classmethod
    def decoded(cls, item: RawItem) -> Values:
        """Return the key and the numbers. A page of hotels reads thousands of such items."""
        numbers = {name: Decimal(value["N"]) for name, value in item.items() if "N" in value}
        return {"pk": item["pk"]["S"], "sk": item["sk"]["S"], "numbers": numbers}


class StatisticsModel(NumbersItem):
    """A statistic of a hotel: numbers, which the transactions of rooms, orders and reviews add to.

    Each app names its own numbers.
    """

    kind = "statistics"
    key_templates = "hotel#{hotel_id}#statistics", "{what:parts}"

    @classmethod
    def owns(cls, partition: str, sort_key: str) -> bool:
        return "#statistics" in partition  # those of the group, too


class GroupStatisticsModel(StatisticsModel):
    """One shard of a statistic of the group. A hotel counts in one shard.

    Transactions that change one item conflict at a rate that one partition takes easily. So each partition has several
    shards, and a page reads them with one Query.
    """

    key_templates = "group#statistics#{partition?}", "{what:parts}#{shard}"

    @classmethod
    def place(cls, what: Statistic, number: int) -> tuple[str, str]:
        """Return the key of the item of a statistic in a shard."""
        return cls.place_of(what=compose(*what), shard=str(number), partition=_partition(number))

    @classmethod
    def partitions(cls, shards: int) -> list[str]:
        return [cls.partition_of(partition=_partition(number)) for number in range(0, shards, SHARDS_OF_PARTITION)]


class StatisticsShardsModel(HotelsItem):
    kind = "statistics-shards"
    entity = Shards
    key_templates = "settings", "statistics-shards"


def _partition(shard: int) -> str:
    """Return the end of the partition key of a shard: blank for the first one."""
    return str(shard // SHARDS_OF_PARTITION or "")


def statistic_key(hotel_id: str, what: Statistic) -> tuple[str, str]:
    return StatisticsModel.place_of(hotel_id=hotel_id, what=compose(*what))


def parse_statistic(partition: str, sort_key: str) -> tuple[str, Statistic]:
    """Return the hotel of a statistic, blank for one of the group, and what it counts."""
    of_group = GroupStatisticsModel.table_templates()["pk"].fits(partition)
    told = (GroupStatisticsModel if of_group else StatisticsModel).values_in(partition, sort_key)
    return told.get("hotel_id", ""), parse(told["what"])


class HotelPermissions(models.Model):
    class Meta:
        managed = False
        default_permissions = ()
        permissions = [(f"{action}_hotel", f"Can {action} hotel") for action in ("view", "add", "change")]
