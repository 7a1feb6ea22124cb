"""The keys of hotels in the table ``hotel-app``, which hotels share with rooms. docs/keys.md explains them.

==============  ========================  ================================================
item            pk                        sk
==============  ========================  ================================================
hotel           ``hotels``                ``hotel#abc``
word            ``hotel-words#g``         ``grand#abc``
two words       ``hotel-words#gh``        ``ghroatnedl#abc``
statistics      ``hotel#abc#statistics``  ``orders#2026-11-23#CHF``, ``orders#total``,
                                          ``reviews#2026-11``, ``reviews#total``, ``rooms#total``
of the group    ``group#statistics``      the same, each in eight shards: ``rooms#total#3``
==============  ========================  ================================================
"""

import re
from collections.abc import Sequence
from datetime import date
from zlib import crc32

from dynamodb_lists.schema import keys
from dynamodb_lists.schema.keys import KeyRange
from dynamodb_lists.schema.word_items import WordKeys

TABLE = "hotel-app"
HOTELS = "hotels"
WORDS = WordKeys("hotel-words")
STATISTICS = "statistics"
GROUP_STATISTICS = keys.compose("group", STATISTICS)
GROUP_SHARDS = 8
"""The items of each statistic of the group. A hotel counts in one of them, by a hash of its id."""

HOTEL_ID = re.compile(rf"[\w-]{{1,{keys.SLUG_LENGTH}}}")


def hotel(hotel_id: str) -> str:
    return keys.compose("hotel", hotel_id)


def all_hotels() -> KeyRange:
    return keys.prefix_range("hotel")


def statistics(hotel_id: str) -> str:
    return keys.compose("hotel", hotel_id, STATISTICS)


def statistic(hotel_id: str, what: Sequence[str]) -> tuple[str, str]:
    return statistics(hotel_id), keys.compose(*what)


def group_statistic(hotel_id: str, what: Sequence[str]) -> tuple[str, str]:
    """Partition and sort key of the group's statistic in which a hotel is counted; the shard is the last part."""
    return GROUP_STATISTICS, keys.compose(*what, str(crc32(hotel_id.encode()) % GROUP_SHARDS))


def parse_statistic(partition: str, sort_key: str) -> tuple[str, tuple[str, ...]]:
    """The hotel of a statistic, blank for one of the group, and what it counts."""
    what = keys.parse(sort_key)
    return ("", what[:-1]) if partition == GROUP_STATISTICS else (keys.parse(partition)[1], what)


def statistics_since(first: date) -> KeyRange:
    """Orders placed on or after a day, and every statistic that sorts after orders: totals, reviews and rooms."""
    return keys.between(("orders", str(first)), ("rooms",))
