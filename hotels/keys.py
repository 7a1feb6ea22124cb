"""The keys of hotels in the table ``hotel-app``, which hotels share with rooms. docs/keys.md explains them.

==============  ========================  ================================================
item            pk                        sk
==============  ========================  ================================================
hotel           ``hotels``                ``hotel#abc``
word            ``hotel-words#g``         ``grand#abc``
two words       ``hotel-words#gh``        ``ghroatnedl#abc``
==============  ========================  ================================================
"""

import re

from hotelapp.dynamodb.schema import keys
from hotelapp.dynamodb.schema.keys import KeyRange
from hotelapp.dynamodb.schema.word_items import WordKeys

TABLE = "hotel-app"
HOTELS = "hotels"
WORDS = WordKeys("hotel-words")
HOTEL_ID = re.compile(rf"[\w-]{{1,{keys.SLUG_LENGTH}}}")
"""The pattern of a hotel's id: a slug of at most 64 characters."""


def hotel(hotel_id: str) -> str:
    """Sort key of a hotel."""
    return keys.compose("hotel", hotel_id)


def all_hotels() -> KeyRange:
    """The sort keys of all hotels."""
    return keys.prefix_range("hotel")
