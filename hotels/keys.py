"""The table that hotels share with rooms, and the parts of its keys that no model declares. docs/keys.md explains
them.
"""

import re
from datetime import date

from dynamodb_lists.schema import keys
from dynamodb_lists.schema.conditions import Between

TABLE = "hotel-app"
HOTELS = "hotels"
"""The index of all hotels by id."""
HOTEL_BYTES = 150
"""About how many bytes a hotel has in it, with its keys: 27 of them fit into 4 KB."""
HOTEL_ID = re.compile(rf"[\w-]{{1,{keys.SLUG_LENGTH}}}")


def statistics_since(first: date) -> Between:
    """Orders placed on or after a day, and every statistic that sorts after orders: totals, reviews and rooms."""
    return keys.between(("orders", str(first)), ("rooms",))
