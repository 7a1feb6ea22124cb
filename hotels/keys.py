"""The table that hotels share with rooms, and the parts of its keys that no model declares: see docs/keys.md."""

import re

from dynamodb_lists.schema import keys

TABLE = "hotel-app"
HOTELS = "hotels"
"""The index of all hotels by id."""
HOTEL_BYTES = 150
"""About how many bytes a hotel has in it, with its keys: 27 of them fit into 4 KB."""
HOTEL_ID = re.compile(rf"[\w-]{{1,{keys.SLUG_LENGTH}}}")
