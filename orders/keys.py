"""The indexes of the table ``users-and-orders``, and the parts of its keys. Models compose the keys."""

import re
import secrets
import unicodedata
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from itertools import chain, count

from dynamodb_lists.schema import keys

BY_PLACED, BY_STATUS_DATE, BY_ID, GUESTS = "by-placed", "by-status-date", "orders-by-id", "guests"
UNFINISHED, HOTEL_UNFINISHED = "unfinished-orders", "hotel-unfinished-orders"
HOTEL_ORDERS, HOTEL_ORDERS_BY_STATUS = "hotel-orders", "hotel-orders-by-status"
HOTEL_BIG_ORDERS, BY_END, ROOM_ORDERS = "hotel-big-orders", "orders-by-end", "room-orders"
HOTEL_WANTED = "hotel-wanted-orders"
BY_TIME, BY_STATUS = "orders-by-time", "orders-by-status"
SHARDED = {UNFINISHED, BY_TIME, BY_STATUS}
"""The indexes of all orders, whose partitions are shards."""

REVISION_WIDTH = 6

ENTRY_BYTES, GUEST_BYTES = 290, 200
"""About how many bytes an order and a guest have in an index: 14 orders or 20 guests fit into 4 KB."""

BIG_TOTAL = Decimal(1000)
"""The least total of a big order, in major units of the order's currency."""

USERNAME_LENGTH = 64
ORDER_ID = re.compile(r"\A[A-Za-z0-9_-]{1,64}\Z")
NUMBER_LENGTH, NUMBER_BITS = 8, 40
LEAST_END, END_PARTITION = 4, 2
"""The fewest characters of the end of a number that find it, and how many of them name its partition."""

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_AS_READ = str.maketrans({"O": "0", "I": "1", "L": "1", "-": "", " ": ""})
_NUMBER = re.compile(f"[{_CROCKFORD}]{{{NUMBER_LENGTH}}}\\Z")


def new_skus(name: str) -> Iterator[str]:
    """Return the SKUs that a new item may have: its name as a slug, and then the same with a number."""
    start = keys.text_part(name)[: keys.SLUG_LENGTH - len("-999")]
    return chain([start], (f"{start}-{number}" for number in count(2)))


def sale(placed_at: datetime, order_id: str, revision: int) -> str:
    """Return the sale that a catalogue entry is from, as a text. A correction of an order sorts after the order."""
    correction = [keys.number_part(revision, REVISION_WIDTH)] if revision else []
    return keys.compose(keys.time_part(placed_at), order_id, *correction)


# --- Values from outside --------------------------------------------------------------------------------


def username(text: str) -> str:
    """Return a username as keys hold it: in Unicode normal form NFKC, in lower case, without white space around it."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).lower()).strip()


def new_username() -> str:
    """Return a username for a new guest. It does not name the guest, because it stays in orders after an erasure."""
    return f"guest-{new_number().lower()}"


def is_username(text: str) -> bool:
    """Return whether a normalised text can be a username: at most 64 letters, marks, digits and ``. _ - + @``.

    A username of dots alone is refused, because ``.`` and ``..`` have a meaning in addresses.
    """
    allowed = all(char in "._@+-" or unicodedata.category(char)[0] in "LMN" for char in text)
    return allowed and 0 < len(text) <= USERNAME_LENGTH and bool(text.strip("."))


def new_number(bits: int | None = None) -> str:
    """Return an order number in Crockford's base32 (https://www.crockford.com/base32.html): 40 random bits."""
    number = secrets.randbits(NUMBER_BITS) if bits is None else bits
    return "".join(_CROCKFORD[number >> shift & 31] for shift in range(NUMBER_BITS - 5, -1, -5))


def order_ids(text: str) -> list[str]:
    """The ids of orders that somebody may mean by a number: as it is written, and then as it may have been read aloud.

    A number read aloud may be in lower case, with dashes and blanks, and with O, I and L in place of 0 and 1. An id
    that is too short to be found by its end may be written in other capitals.
    """
    written, number = text.strip(), text.upper().translate(_AS_READ)
    candidates = keys.in_any_case(written, 2**LEAST_END) or [written] if is_order_id(written) else []
    if is_number(text):
        candidates.append(number)
    return list(dict.fromkeys(candidates))


def is_number(text: str) -> bool:
    """Return whether a text is a whole order number, also with letters and digits that are easily confused."""
    return bool(_NUMBER.match(text.upper().translate(_AS_READ)))


def number_end(order_id: str) -> tuple[str, str] | None:
    """Return an order's number backwards, and its partition in the index of ends; ``None`` if it is too short."""
    backwards = order_id.upper().translate(_AS_READ)[::-1]
    return (backwards[:END_PARTITION], backwards) if len(backwards) >= LEAST_END else None


def is_order_id(text: str) -> bool:
    """Return whether a text can be an order's id: ASCII letters, digits, ``_`` and ``-``, at most 64."""
    return bool(ORDER_ID.match(text))
