"""Demo views: one for everyone, and one for all of each hotel. They move with the day."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hotels.seeding import demo_hotels
from portal.seeding import Collection
from saved_views.models import EVERYONE, SavedView

OLD = "days=older-than-7-days"
OF_ALL = EVERYONE, "Unfinished for a week", f"/orders/unfinished/?{OLD}"


def demo_data(options: Mapping[str, Any]) -> Iterator[Collection[tuple[str, str, str]]]:
    ids = [hotel.hotel_id for hotel in demo_hotels(options)]
    of_hotels = ((each, "Not ready for a week", f"/hotels/{each}/attention/?status=attention&{OLD}") for each in ids)
    yield Collection("saved view", 1 + len(ids), (OF_ALL, *of_hotels), _save)


def _save(views: Sequence[tuple[str, str, str]]) -> int:
    return sum(SavedView.objects.keep(name, address, hotel_id=hotel_id) for hotel_id, name, address in views)
