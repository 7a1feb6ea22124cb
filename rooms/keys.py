"""The parts of the keys of rooms in the table ``hotel-app``. docs/keys.md explains them."""

import unicodedata
from typing import Any

VIEW, SIZE, TYPE = FACETS = "view", "size", "type"
LABELLED = VIEW, TYPE
"""The facets whose values are words. Keys have the slugs of these words."""
RATE, NUMBER, SINCE = "rate", "number", "attention_since"

ROOMS_OF_HOTEL = "hotel#{hotel_id}#rooms"
BY_NUMBER, BY_RATE, NEEDING_ATTENTION = "by-number", "by-rate", "attention"
NOBODY = "~"
"""Whom a room without a person has in the keys of plans, after all persons."""

ASSIGNED, CLEANED, REPAIRS = "assigned", "cleaned", "repairs"
"""Sparse lists: rooms that somebody has on a day, cleaned ones by when they were, those out of order by until when."""

ENTRY_BYTES = 225
"""About how many bytes a room has in an index, with what lists show. In the table, with all its keys, it has 450.

Averages of a few hundred rooms with names in several languages. 18 and 9 of them fit into 4 KB.
"""

RATE_DIGITS = 18
MAX_SIZE = 9999


def begins(number: str, start: str) -> bool:
    """Return whether a number begins with a text, in capitals or not."""
    return number.casefold().startswith(start.casefold())


def number(text: Any) -> str:
    """Return a room number as keys hold it: in Unicode normal form NFKC, without surrounding white space."""
    return unicodedata.normalize("NFKC", text).strip()
