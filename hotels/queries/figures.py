"""Reads of statistics of hotels and of the group; docs/access-patterns.md shows the requests."""

from collections.abc import Collection
from datetime import date, timedelta
from functools import partial
from itertools import chain

from dynamodb_lists.connection import ledger
from dynamodb_lists.reading.fetching import in_parallel
from dynamodb_lists.reading.items import read_partition
from dynamodb_lists.schema.keys import parse
from hotels import keys
from hotels.entities import DAYS, HotelStatistics, Stored
from hotels.models import GroupStatisticsModel, StatisticsModel, StatisticsShardsModel
from portal.shards import Sharding

GROUP_SHARDS = Sharding("Each statistic of the group", StatisticsShardsModel, fewest=8, most=128)


def stored_statistics(hotel_ids: Collection[str], today: date, days: int = DAYS) -> dict[str, list[Stored]]:
    """S1, S3: the statistics of some hotels, by id, for :meth:`HotelStatistics.of`, with so many days of orders.

    A Query for each, at the same time. It costs 1 to 2 units, less than the keys of what a line of a table shows.
    """
    ids = sorted(hotel_ids)
    partitions = [StatisticsModel.partition_of(hotel_id=each) for each in ids]
    return dict(zip(ids, in_parallel([partial(_stored, each, today, days) for each in partitions]), strict=True))


def group_statistics(today: date) -> HotelStatistics:
    """S2: the statistics of the group, whatever the number of hotels. A Query for each partition, at the same time."""
    partitions = GroupStatisticsModel.partitions(GROUP_SHARDS.numbers().read)
    found = in_parallel([partial(_stored, each, today, DAYS, -1) for each in partitions])
    return HotelStatistics.of(chain.from_iterable(found), today)


def _stored(partition: str, today: date, days: int, parts: int | None = None) -> list[Stored]:
    span = keys.statistics_since(today - timedelta(days=days - 1))
    with ledger.purpose("statistics"):
        stored = read_partition(StatisticsModel, partition, span=span)
        return [(parse(values["sk"])[:parts], values["numbers"]) for values in stored]
