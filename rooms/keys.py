"""The keys of rooms in the table ``hotel-app``, as their declaration composes them. docs/keys.md explains them."""

import re
import unicodedata
from datetime import date, datetime
from decimal import Decimal
from operator import attrgetter
from typing import Any, NamedTuple

from dynamodb_lists.connection.errors import KeyPartError
from dynamodb_lists.planning.range_plan import FacetIndex
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.keys import HIGHEST, KeyRange
from dynamodb_lists.schema.templates import Template


class RoomFacets(NamedTuple):
    """A room's facets, as key parts."""

    view: str
    size: str
    type: str


class RoomKey(NamedTuple):
    """The values in a room's sort key."""

    facets: RoomFacets
    number: str


VIEW, SIZE, TYPE = FACETS = RoomFacets._fields
LABELLED = tuple(facet for facet in FACETS if facet != SIZE)
"""The facets whose values are words. Keys have the slugs of these words."""

ITEM_BYTES, ENTRY_BYTES = 450, 225
"""About how many bytes a room has in the table, with all its six keys, and in an index, with what lists show.

Averages of a few hundred rooms with names in several languages. 9 and 18 of them fit into 4 KB.
"""

SORTED = VIEW, SIZE, TYPE
"""The facets that lists are sorted by. Three have six orders, which are all that a table can have."""

INDEXES = (
    FacetIndex("", (VIEW, SIZE, TYPE), ITEM_BYTES),
    FacetIndex("lsi1", (SIZE, VIEW, TYPE), ENTRY_BYTES),
    FacetIndex("lsi2", (TYPE, VIEW, SIZE), ENTRY_BYTES),
    FacetIndex("lsi3", (VIEW, TYPE, SIZE), ENTRY_BYTES),
    FacetIndex("lsi4", (SIZE, TYPE, VIEW), ENTRY_BYTES),
    FacetIndex("lsi5", (TYPE, SIZE, VIEW), ENTRY_BYTES),
)
"""All six orders of the sorted facets: in the table's own sort key and in five LSIs."""

RATE = "rate"
"""The sort by rate. The rate is no facet: rooms sorted by it are in an index of their own."""
NUMBER = "number"
"""The sort by number, which is no facet, either. The number guards have this order in an LSI: :data:`NUMBERED`."""

BY_RATE, NEEDING_ATTENTION = "by-rate", "attention"
ASSIGNED, REPAIRS = "assigned", "repairs"
"""The sparse lists of rooms that somebody has on a day, and of those out of order, by the day until when."""
NOBODY = "~"  # it is no account's id
RATE_DIGITS, RATE_DECIMALS = 18, 4  # UYW has four decimals, more than any other currency
ROOM = "room"
BY_NUMBER = "by-number"
NUMBERED, NUMBERED_INDEX = "numbered", "lsi1"
"""The natural order of numbers, and the LSI in which the guards have it, in their own partitions."""
LONG_RUN = 5
"""Numbers with more digits in a row are so few that a search reads them as one range."""
ROOMS, NUMBERS = "rooms", "room-numbers"
ROOMS_OF_HOTEL, NUMBERS_OF_HOTEL = "hotel#{hotel_id}#rooms", "hotel#{hotel_id}#room-numbers"
"""The templates of partitions: of a hotel's rooms, and of the guards of their numbers."""

_ROOMS, _NUMBERS = Template(ROOMS_OF_HOTEL), Template(NUMBERS_OF_HOTEL)
SIZE_WIDTH = 4
MAX_SIZE = 10**SIZE_WIDTH - 1
_IN_ORDER = {index.name: attrgetter(*index.order) for index in INDEXES}


def sort_key(index: str) -> str:
    """The attribute that is the sort key of an index; of the table, for a blank index."""
    return f"{index}sk"


def rooms(hotel_id: str) -> str:
    """Partition of a hotel's rooms."""
    return _ROOMS.key({"hotel_id": hotel_id}.__getitem__)


def numbers(hotel_id: str) -> str:
    """Partition of a hotel's room numbers."""
    return _NUMBERS.key({"hotel_id": hotel_id}.__getitem__)


def size(square_metres: int) -> str:
    """A size as a key part, ``0040m``."""
    return keys.number_part(square_metres, SIZE_WIDTH, "m")


def square_metres(part: str) -> int:
    """The size in a key part of :func:`size`, in m2."""
    return int(part.removesuffix("m"))


def facets(*values: Any) -> RoomFacets:
    """A room's facets as key parts, from their values in the order of :data:`FACETS`."""
    pairs = zip(FACETS, values, strict=True)
    return RoomFacets(*(size(value) if facet == SIZE else keys.text_part(value) for facet, value in pairs))


def counted(sort_key: str) -> RoomFacets:
    """The combination in a count's sort key."""
    return RoomFacets(*keys.parse(sort_key))


def room(facets: RoomFacets, number: str, index: str = "") -> str:
    """A room's sort key in an index: its facets in the order of the index, then its number in natural order."""
    return keys.compose(ROOM, *_IN_ORDER[index](facets), natural(number), number)


def rooms_of(facets: RoomFacets) -> KeyRange:
    """The sort keys of the rooms of a combination."""
    return keys.prefix_range(ROOM, *facets)


def parse_room(sort_key: str) -> RoomKey:
    """The facets and the number in a sort key of the table that :func:`room` composed."""
    _, view, size, type_, *_, number = keys.parse(sort_key)
    return RoomKey(RoomFacets(view, size, type_), number)


def rated(currency: str, amount: Decimal) -> str:
    """The beginning of the keys of a rate. The rooms of a currency are together."""
    return keys.compose(currency, _amount(amount))


def rate(currency: str, amount: Decimal, number: str) -> str:
    """A room's sort key in the index by rate. Rooms of one rate are in the natural order of their numbers."""
    return keys.compose(currency, _amount(amount), natural(number))


def _amount(amount: Decimal) -> str:
    """A rate as a key part: the number of its digits before the point, then the rate: ``03120.5``.

    So amounts sort as numbers without zeros in front. Raises :class:`KeyPartError` if it has too many digits.
    """
    whole, _, decimals = f"{keys.unsigned_zero(amount):.{RATE_DECIMALS}f}".partition(".")
    if len(whole) > RATE_DIGITS or whole.startswith("-"):
        raise KeyPartError(f"{amount} does not fit into {RATE_DIGITS} digits.")
    return f"{len(whole):02d}{whole}.{decimals}".rstrip("0").removesuffix(".")


def attention(since: datetime, number: str) -> str:
    """A room's sort key in the index of rooms that need attention; those of one time are in natural order."""
    return keys.compose(keys.time_part(since), natural(number))


def assigned(day: date, assignee: str, urgency: int, number: str) -> str:
    """A room's sort key in the index of assigned rooms: by day and person, the most urgent first; last, nobody's."""
    return keys.compose(str(day), assignee or NOBODY, str(urgency), natural(number))


def assigned_to(day: date, assignee: str = "") -> KeyRange:
    """The rooms that a person, or anybody, has on a day."""
    return keys.prefix_range(*filter(None, (str(day), assignee)))


def repair(until: date | None, number: str) -> str:
    """A room's sort key in the index of repairs. Those without a day are the last ones."""
    return keys.compose(str(until or date.max), natural(number))


def repairs_until(last: date | None = None) -> KeyRange:
    """The repairs that are to end on or before a day; without one, all of them."""
    return KeyRange("0", f"{last or date.max}#{HIGHEST}")


def plain_part(facet: str, part: str) -> str:
    """A facet's key part as the query string has it: a size without zeros and unit."""
    return str(square_metres(part)) if facet == SIZE else part


def hotel_of(partition: str) -> str:
    """The hotel's id in a partition."""
    return keys.parse(partition)[1]


def natural(number: str) -> str:
    """A room number as a position in natural order, in which 99 is before 101: before digits stands how many follow.

    A blank is written as ``$``, which sorts after ``#``, so that 101 is before "101 a" in keys, too.
    """
    text = number.casefold().replace(" ", "$")
    return re.sub("0*([0-9]*)", lambda run: f"{len(run[1]):02d}{run[1]}" if run[0] else "", text)


def numbered(number: str, room_key: str) -> str:
    """A guard's sort key in natural order. It ends with the sort key of the room, so that lists know that, too."""
    return f"{natural(number)}#{room_key}"


def room_key(numbered: str) -> str:
    """The room's sort key in a key of :func:`numbered`."""
    return numbered.partition("#")[2]


def numbered_from(start: str) -> list[KeyRange]:
    """Ranges of guards in natural order, which hold each number that begins with a text, and may hold others.

    Other digits may follow those of the text: 10, 100 to 109, 1000 to 1099. So all that begin with the letters before
    the last digits of a text are in one range: all of A-1 and A-2, for A-1.
    """
    letters = start.rstrip("0123456789")
    digits = start.lstrip("0")
    if letters or not digits:
        return [keys.text_range(natural(letters))] if letters else [keys.between((), ())]
    short = range(len(digits), LONG_RUN + 1)
    long = max(len(digits), LONG_RUN + 1)
    ranges = [keys.text_range(f"{length:02d}{digits}") for length in short]
    return [*ranges, KeyRange(f"{long:02d}{digits}", f"99{HIGHEST}")]


def begins(number: str, start: str) -> bool:
    """Whether a number begins with a text, in capitals or not."""
    return number.casefold().startswith(start.casefold())


def number(text: str) -> str:
    """A room number as keys hold it: in Unicode normal form NFKC, without surrounding white space."""
    return unicodedata.normalize("NFKC", text).strip()
