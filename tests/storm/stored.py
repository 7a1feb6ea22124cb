"""Reads what is stored by the portal's own queries, directly from the engine."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from decimal import Decimal
from typing import Any

from dynamodb_lists import NotFound
from hotels import queries as hotels
from orders import queries as orders
from portal.history import queries as history
from portal.history.keys import thing as partition
from reviews import queries as reviews
from rooms import queries as rooms
from rooms.lists import ROOMS
from tests.storm.journal import Change, Thing, Values

READERS: Mapping[str, Callable[..., Any]] = {
    "hotel": hotels.stored_hotel,
    "room": lambda hotel_id, number: rooms.room(hotel_id, number, consistent=True),
    "order": orders.order,
    "review": lambda review_id: reviews.review(review_id, consistent=True),
}
"""How a thing of each kind is read."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a thing's history: what happened, and each changed field before and after."""

    what: str
    changes: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def is_of(self, change: Change) -> bool:
        """Return whether the change may have left this entry."""
        after = self.changes.get(change.marked, ("", ""))[1]
        return self.what == change.what and (not change.marked or after == change.mark)


class StoredThings:
    """What is stored in DynamoDB."""

    def values(self, thing: Thing) -> Values | None:
        """Return the fields of a thing; ``None`` if there is no such thing."""
        kind, *ids = thing
        try:
            entity = READERS[kind](*ids)
        except NotFound:
            return None
        return {field.name: _text(getattr(entity, field.name)) for field in fields(entity)}

    def entries(self, thing: Thing) -> Sequence[Entry]:
        """Return the history of a thing, oldest first."""
        return [
            Entry(entry.what, {change.field: (change.before, change.after) for change in entry.changes})
            for entry in history.history(partition(*thing)).order_by("at")
        ]

    def population(self) -> Counter[Thing]:
        """Return how often each thing that exists is in the lists."""
        return Counter(_things())


def _things() -> Iterator[Thing]:
    for hotel in hotels.hotels().stream():
        yield "hotel", hotel.hotel_id
        for room in rooms.all_rooms(ROOMS.query(hotel_id=hotel.hotel_id).order_by("size")):
            yield "room", hotel.hotel_id, room.number
        for order in orders.orders_in(hotel_id=hotel.hotel_id):
            yield "order", order.order_id
        for review in reviews.reviews(hotel_id=hotel.hotel_id, whole=True):
            yield "review", review.review_id


def _text(value: Any) -> str:
    if value is None:
        return ""
    return f"{value.normalize():f}" if isinstance(value, Decimal) else str(value)
