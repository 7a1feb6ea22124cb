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
from hotelapp.dynamodb.schema.words import Term

TABLE = "hotel-app"
HOTELS = "hotels"
WORDS = "hotel-words"
_HOTEL_ID = re.compile(rf"[\w-]{{1,{keys.SLUG_LENGTH}}}\Z")


def hotel(hotel_id: str) -> str:
    """Sort key of a hotel."""
    return keys.compose("hotel", hotel_id)


def all_hotels() -> KeyRange:
    """The sort keys of all hotels."""
    return keys.prefix_range("hotel")


def words(initials: str) -> str:
    """Partition of the word items of all hotels with these initials: one for words, two for pairs of words."""
    return keys.compose(WORDS, initials)


def word(hotel_id: str, term: Term) -> tuple[str, str]:
    """The partition and the sort key of a hotel's word item."""
    return words(term.initials), keys.compose(term.text, hotel_id)


def is_word(partition: str) -> bool:
    """Whether a partition is that of word items."""
    return keys.parse(partition)[0] == WORDS


def term(partition: str, sort_key: str) -> Term:
    """The term in a word item's key."""
    return Term(keys.parse(partition)[1], keys.parse(sort_key)[0])


def hotel_of_word(sort_key: str) -> str:
    """The hotel's id in a word item's sort key."""
    return keys.parse(sort_key)[1]


def is_hotel_id(text: str) -> bool:
    """Whether a text can be a hotel's id: a slug of at most 64 characters."""
    return bool(_HOTEL_ID.match(text))
