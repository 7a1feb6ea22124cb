"""Every key of the table ``users-and-orders``, spelt here and nowhere else. docs/keys.md tells why they look like this.

==========  =========================  ====================  =================================================
item        PK                         SK                    other keys
==========  =========================  ====================  =================================================
guest       ``USER#alex``              ``PROFILE``
order       ``USER#alex``              ``ORDER#<order id>``  ``order_placed_date`` = ``<placed at>#<order id>``
                                                             ``order_status_date`` = ``SHIPPED#<entered at>#<order id>``
                                                             ``placed_shard`` = ``PLACED#0`` .. ``PLACED#7``
                                                             ``placed_id`` = ``<placed at>#<order id>``
                                                             ``big_order_hotel``, ``big_order_total``
order item  ``ORDER#<id>#ITEM#001``    ``ORDER#<order id>``
==========  =========================  ====================  =================================================
"""

import re
import unicodedata
from datetime import date, datetime
from decimal import Decimal
from zlib import crc32

from hotelapp.dynamodb import keys
from hotelapp.dynamodb.keys import HIGHEST, KeyRange

BY_ORDER, BY_PLACED, BY_STATUS_DATE = "by-order", "by-placed", "by-status-date"
OPEN_ORDERS, BIG_ORDERS = "open-orders", "big-orders"

PROFILE = "PROFILE"
ITEM_WIDTH = 3
SHARDS = 8
BIG_TOTAL = Decimal(1000)
"""From this total on, in major units of its own currency, an order is a big one."""

USERNAME_LENGTH = 64
_ORDER_ID = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")
FIRST_DAY = "0"  # sorts before every year, and DynamoDB takes no empty text in a key


def guest(username: str) -> str:
    """Partition of a guest: the profile and the orders."""
    return keys.compose("USER", username)


def order(order_id: str) -> str:
    """Sort key of an order and of its items."""
    return keys.compose("ORDER", order_id)


def item(order_id: str, place: int) -> str:
    """Partition of an order's item; places count from 1."""
    return keys.compose("ORDER", order_id, "ITEM", keys.number_part(place, ITEM_WIDTH))


def is_item(partition: str) -> bool:
    """Whether a partition is that of an order's item; else it is a guest's."""
    return keys.parse(partition)[0] == "ORDER"


def placed(placed_at: datetime, order_id: str) -> str:
    """When an order was placed, made unique by its id: two orders may share a second."""
    return keys.compose(keys.time_part(placed_at), order_id)


def entered(status: str, at: datetime, order_id: str) -> str:
    """A status and when the order entered it, made unique by its id."""
    return keys.compose(status, keys.time_part(at), order_id)


def shard(order_id: str) -> str:
    """Partition of an open order: one of eight, by a hash of its id."""
    return keys.compose("PLACED", str(crc32(order_id.encode()) % SHARDS))


def shards() -> list[str]:
    """The partitions of all open orders."""
    return [keys.compose("PLACED", str(number)) for number in range(SHARDS)]


def big_order_hotel(hotel_id: str) -> str:
    """Partition of a hotel's big orders."""
    return keys.compose(hotel_id)


# --- Ranges ---------------------------------------------------------------------------------------------


def placed_on(first: date | None, before: date | None) -> KeyRange:
    """Orders placed from the first day on, and before the other."""
    return KeyRange(str(first or FIRST_DAY), str(before or HIGHEST))


def entered_on(status: str, first: date | None, before: date | None) -> KeyRange:
    """Orders that entered a status from the first day on, and before the other.

    Both ends hold the status: with an open lower end, "shipped before" would also give every order that is
    CANCELLED, DELIVERED, PLACED or PROCESSING, since these sort before SHIPPED.
    """
    start = keys.prefix(status)
    return KeyRange(f"{start}{first or ''}", f"{start}{before or HIGHEST}")


def all_placed() -> KeyRange:
    """Every time at which an order can have been placed."""
    return placed_on(None, None)


def big_totals() -> KeyRange:
    """Every total of a big order, as the text of :func:`~hotelapp.dynamodb.keys.number_key`."""
    return KeyRange(keys.number_key(BIG_TOTAL), keys.number_key(10**20 - 1))


def usernames(start: str) -> KeyRange:
    """Partitions of the guests whose username begins with a text; with none, of all."""
    return keys.text_range(keys.prefix("USER") + start)


# --- What may stand in a key ----------------------------------------------------------------------------


def username(text: str) -> str:
    """A username as it stands in keys: compatibility-normalised, in lower case, without blanks around it."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).strip()


def is_username(text: str) -> bool:
    """Whether a text, once normalised, can be a username: letters, marks, digits and ``. _ - + @``, at most 64.

    Not dots alone: in an address these would be the folder itself and the one above.
    """
    allowed = all(char in "._@+-" or unicodedata.category(char)[0] in "LMN" for char in text)
    return allowed and 0 < len(text) <= USERNAME_LENGTH and bool(text.strip("."))


def is_order_id(text: str) -> bool:
    """Whether a text can be an order's id: ASCII letters, digits, ``_`` and ``-``, at most 64."""
    return bool(_ORDER_ID.match(text))
