"""Reads of statistics of hotels and of the group; docs/access-patterns.md shows the requests."""

from collections.abc import Collection, Mapping
from datetime import date, timedelta
from decimal import Decimal
from functools import partial
from itertools import chain, starmap

from dynamodb_lists.connection import ledger
from dynamodb_lists.reading.fetching import in_parallel
from dynamodb_lists.reading.items import get_items, read_partition
from dynamodb_lists.schema.keys import now
from hotels import keys
from hotels.entities import DAYS, ORDERS, REVIEWS, ROOMS, TOTAL, Hotel, HotelStatistics, Statistic
from hotels.models import (
    GroupStatisticsModel,
    StatisticsModel,
    StatisticsShardsModel,
    parse_statistic,
    statistic_key,
)
from portal.shards.numbers import Sharding

GROUP_SHARDS = Sharding("Each statistic of the group", StatisticsShardsModel, fewest=8, most=128)
Stored = tuple[Statistic, Mapping[str, Decimal]]


def statistics(hotel_ids: Collection[str], today: date) -> HotelStatistics:
    """S1: the statistics of some hotels together, empty for an unknown one. A Query for each, at the same time."""
    found = in_parallel(
        [partial(_statistics, StatisticsModel.partition_of(hotel_id=each), today) for each in sorted(hotel_ids)]
    )
    return HotelStatistics.of(chain.from_iterable(found), today)


def stored_statistics(hotel_id: str) -> list[Stored]:
    """S1 for :meth:`HotelStatistics.of`, which needs the day: while the hotel is read, it is not known in its zone."""
    return _statistics(StatisticsModel.partition_of(hotel_id=hotel_id), now().date() - timedelta(days=1))


def group_statistics(today: date) -> HotelStatistics:
    """S2: the statistics of the group, whatever the number of hotels. A Query for each partition, at the same time."""
    partitions = GroupStatisticsModel.partitions(GROUP_SHARDS.numbers().read)
    found = in_parallel([partial(_statistics, each, today) for each in partitions])
    return HotelStatistics.of(chain.from_iterable(found), today)


def hotel_lines(hotels: Collection[Hotel], today: date) -> dict[str, HotelStatistics]:
    """S3: for each of these hotels, by id, what a line that compares them shows. One BatchGetItem reads 25 hotels.

    That is all but ``ratings``; of ``orders`` and ``revenue``, only those of the day before ``today``, in the hotel's
    currency of today. So the lines do not tell the age of orders.
    """
    yesterday = str(today - timedelta(days=1))
    totals: list[Statistic] = [(what, TOTAL) for what in (ROOMS, ORDERS, REVIEWS)]
    wanted = [(hotel.hotel_id, what) for hotel in hotels for what in totals]
    wanted += [(each.hotel_id, (ORDERS, yesterday, each.currency)) for each in hotels if each.currency]
    wanted_keys = starmap(statistic_key, wanted)
    by_hotel: dict[str, list[Stored]] = {hotel.hotel_id: [] for hotel in hotels}
    with ledger.purpose("statistics"):
        for values in get_items(StatisticsModel, wanted_keys, consistent=False):
            hotel_id, what = parse_statistic(values["pk"], values["sk"])
            by_hotel[hotel_id].append((what, values["numbers"]))
    return {hotel_id: HotelStatistics.of(stored, today) for hotel_id, stored in by_hotel.items()}


def _statistics(partition: str, today: date) -> list[Stored]:
    span = keys.statistics_since(today - timedelta(days=DAYS - 1))
    with ledger.purpose("statistics"):
        stored = read_partition(StatisticsModel, partition, span=span)
        return [(parse_statistic(partition, values["sk"])[1], values["numbers"]) for values in stored]
