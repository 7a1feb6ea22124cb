"""Reads of hotels and of their statistics. Each access pattern is a function."""

from hotels.queries.figures import GROUP_SHARDS, group_statistics, stored_statistics
from hotels.queries.stored import (
    MOST_SEEN,
    first_hotels,
    hotel,
    hotel_name,
    hotel_names,
    hotels,
    hotels_as_stored,
    hotels_found,
    known_hotels,
    named_hotel,
    seen_hotels,
    stored_hotel,
    twin_of,
    zone_of,
)
