"""Every key of the table ``hotel-app``, spelt here and nowhere else. docs/keys.md tells why they look like this.

==============  ========================  ================================================
item            pk                        sk
==============  ========================  ================================================
hotel           ``hotels``                ``hotel#abc``
room            ``hotel#abc#rooms``       ``room#sea-view#0040m#suite#101`` and five orders more
number guard    ``hotel#abc#room-numbers`` ``101``
facet count     ``hotel#abc#room-counts`` ``sea-view#0040m#suite``
==============  ========================  ================================================
"""

import re
import unicodedata

from hotelapp.dynamodb import keys
from hotelapp.dynamodb.facets import Combination, FacetIndex
from hotelapp.dynamodb.keys import KeyRange

VIEW, SIZE, TYPE = "view", "size", "type"
FACETS = (VIEW, SIZE, TYPE)
SORT_KEYS = {
    "": "sk",
    "lsi1": "lsi1sk",
    "lsi2": "lsi2sk",
    "lsi3": "lsi3sk",
    "lsi4": "lsi4sk",
    "lsi5": "lsi5sk",
}
"""Each index's name (blank is the base table) and the attribute that is its sort key."""

INDEXES = (
    FacetIndex("", (VIEW, SIZE, TYPE)),
    FacetIndex("lsi1", (SIZE, VIEW, TYPE)),
    FacetIndex("lsi2", (TYPE, VIEW, SIZE)),
    FacetIndex("lsi3", (VIEW, TYPE, SIZE)),
    FacetIndex("lsi4", (SIZE, TYPE, VIEW)),
    FacetIndex("lsi5", (TYPE, SIZE, VIEW)),
)
"""All six orders of three facets: one table's worth, as DynamoDB allows five LSIs."""

HOTELS = "hotels"
ROOM = "room"
SIZE_WIDTH = 4
MAX_SIZE = 10**SIZE_WIDTH - 1
_HOTEL_ID = re.compile(rf"[\w-]{{1,{keys.SLUG_LENGTH}}}\Z")
_ORDERS = {index.name: tuple(FACETS.index(facet) for facet in index.order) for index in INDEXES}


def hotel(hotel_id: str) -> str:
    """Sort key of a hotel."""
    return keys.compose("hotel", hotel_id)


def rooms(hotel_id: str) -> str:
    """Partition of a hotel's rooms."""
    return keys.compose("hotel", hotel_id, "rooms")


def numbers(hotel_id: str) -> str:
    """Partition of a hotel's room numbers."""
    return keys.compose("hotel", hotel_id, "room-numbers")


def counts(hotel_id: str) -> str:
    """Partition of a hotel's facet counts."""
    return keys.compose("hotel", hotel_id, "room-counts")


def size(square_metres: int) -> str:
    """A size as a key part, ``0040m``."""
    return keys.number_part(square_metres, SIZE_WIDTH, "m")


def square_metres(part: str) -> int:
    """The size that :func:`size` wrote, in m2."""
    return int(part.removesuffix("m"))


def combination(view: str, square_metres: int, type_: str) -> Combination:
    """A room's facets as key parts, in the order of :data:`FACETS`; view and type are labels."""
    return keys.text_part(view), size(square_metres), keys.text_part(type_)


def count(facets: Combination) -> str:
    """Sort key of the count of a combination."""
    return keys.compose(*facets)


def counted(sort_key: str) -> Combination:
    """The combination that a count's sort key stands for."""
    return keys.parse(sort_key)


def room(facets: Combination, number: str, index: str = "") -> str:
    """A room's sort key in an index: its facets in the index's order, then its number."""
    return keys.compose(ROOM, *(facets[place] for place in _ORDERS[index]), number)


def parse_room(sort_key: str, index: str = "") -> tuple[Combination, str]:
    """The facets, in the order of :data:`FACETS`, and the number that :func:`room` put into a sort key."""
    _, *parts, number = keys.parse(sort_key)
    ordered = dict(zip(_ORDERS[index], parts, strict=True))
    return tuple(ordered[place] for place in range(len(FACETS))), number


def all_hotels() -> KeyRange:
    """Every hotel's sort key."""
    return keys.prefix_range("hotel")


def plain_part(facet: str, part: str) -> str:
    """A facet's key part as a reader writes it: sizes without zeros and unit."""
    return str(square_metres(part)) if facet == SIZE else part


def guard(number: str) -> str:
    """Sort key of a room number's guard."""
    return keys.compose(number)


def numbers_from(start: str) -> KeyRange:
    """Guards of the rooms whose number begins with a text."""
    return keys.text_range(start)


def is_hotel_id(text: str) -> bool:
    """Whether a text can be a hotel's id: a slug of at most 64 characters."""
    return bool(_HOTEL_ID.match(text))


def number(text: str) -> str:
    """A room number as it stands in keys: compatibility-normalised, without blanks around it."""
    return unicodedata.normalize("NFKC", text).strip()
