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

from hotelapp.dynamodb.schema import keys
from hotelapp.dynamodb.schema.keys import KeyRange
from hotelapp.dynamodb.schema.word_items import WordKeys

TABLE = "hotel-app"
HOTELS = "hotels"
WORDS = WordKeys("hotel-words")
STATISTICS = "statistics"
GROUP_STATISTICS = keys.compose("group", STATISTICS)
GROUP_SHARDS = 8
"""The items of each statistic of the group. A hotel counts in one of them, by a hash of its id."""

HOTEL_ID = re.compile(rf"[\w-]{{1,{keys.SLUG_LENGTH}}}")
"""The pattern of a hotel's id: a slug of at most 64 characters."""


def hotel(hotel_id: str) -> str:
    """Sort key of a hotel."""
    return keys.compose("hotel", hotel_id)


def all_hotels() -> KeyRange:
    """The sort keys of all hotels."""
    return keys.prefix_range("hotel")


def statistics(hotel_id: str) -> str:
    """Partition of a hotel's statistics."""
    return keys.compose("hotel", hotel_id, STATISTICS)


def is_statistics(partition: str) -> bool:
    """Whether a partition is that of the statistics of a hotel or of the group."""
    first, *others = keys.parse(partition)
    return partition == GROUP_STATISTICS or (first == "hotel" and others[1:] == [STATISTICS])


def counted_hotel(partition: str) -> str:
    """The hotel in a partition of :func:`statistics`; blank in that of the group."""
    return "" if partition == GROUP_STATISTICS else keys.parse(partition)[1]


def statistic(parts: Sequence[str]) -> str:
    """Sort key of a hotel's statistic: ``orders#2026-11-23#CHF``."""
    return keys.compose(*parts)


def group_statistic(parts: Sequence[str], hotel_id: str) -> str:
    """Sort key of the group's statistic in which a hotel is counted.

    Its shard is the last part of the key and not a part of the partition: one Query reads all shards, and transactions
    of different hotels seldom write the same item.
    """
    return keys.compose(*parts, str(crc32(hotel_id.encode()) % GROUP_SHARDS))


def statistic_parts(partition: str, sort_key: str) -> tuple[str, ...]:
    """What a statistic counts: the parts of its sort key without the shard."""
    parts = keys.parse(sort_key)
    return parts[:-1] if partition == GROUP_STATISTICS else parts


def statistics_since(first: date) -> KeyRange:
    """Orders placed on or after a day, and every statistic that sorts after orders: totals, reviews and rooms."""
    return keys.between(("orders", str(first)), ("rooms",))
