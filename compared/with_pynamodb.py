"""The list with PynamoDB alone: an index for each order of the three facets, and filters for the rest."""

import os
from collections import Counter
from itertools import permutations
from typing import Any

from pynamodb.attributes import NumberAttribute, UnicodeAttribute
from pynamodb.indexes import GlobalSecondaryIndex, IncludeProjection, LocalSecondaryIndex
from pynamodb.models import Model

from compared import contender
from compared.questions import FACETS, HOTEL, PAGE_SIZE, Question
from compared.questions import Room as Values

SHOWN = ["view", "size", "type", "rate", "currency"]
CHUNK = 100
"""The items that a request with a filter reads."""
LAST = "\uffff"
"""Sorts after every key part."""


def index(name: str, kind: Any = LocalSecondaryIndex) -> Any:
    """Return an index whose sort key is the attribute ``name``."""

    class RoomIndex(kind):  # type: ignore[misc]
        class Meta:
            index_name = name
            projection = IncludeProjection(SHOWN)

        hotel = UnicodeAttribute(hash_key=True)
        key = UnicodeAttribute(range_key=True, attr_name=name)

    return RoomIndex()


class Room(Model):
    """A room under its number, in six orders of its facets, and by its rate."""

    class Meta:
        table_name = "rooms-with-pynamodb"
        region = "eu-west-1"
        host = os.environ["DYNAMODB_ENDPOINT_URL"]
        billing_mode = "PAY_PER_REQUEST"

    hotel = UnicodeAttribute(hash_key=True)
    number = UnicodeAttribute(range_key=True)
    view = UnicodeAttribute()
    size = NumberAttribute()
    type = UnicodeAttribute()
    rate = NumberAttribute()
    currency = UnicodeAttribute()
    view_size_type = UnicodeAttribute()
    view_type_size = UnicodeAttribute()
    size_view_type = UnicodeAttribute()
    size_type_view = UnicodeAttribute()
    type_view_size = UnicodeAttribute()
    type_size_view = UnicodeAttribute()
    by_rate = UnicodeAttribute()
    view_size_type_index = index("view_size_type", GlobalSecondaryIndex)  # a table has at most five local indexes
    view_type_size_index = index("view_type_size")
    size_view_type_index = index("size_view_type")
    size_type_view_index = index("size_type_view")
    type_view_size_index = index("type_view_size")
    type_size_view_index = index("type_size_view")
    by_rate_index = index("by_rate", GlobalSecondaryIndex)


def room(values: Values) -> Room:
    """Return a room with its keys."""
    orders = {"_".join(order): key(values, *order, "number") for order in permutations(FACETS)}
    return Room(HOTEL, **{**values, **orders, "by_rate": key(values, "rate", "number")})


def key(values: Values, *names: str) -> str:
    """Return the values as a sort key. Numbers are padded, so that they sort as numbers."""
    parts = (values[name] for name in names)
    return "".join(f"{part:06d}#" if isinstance(part, int) else f"{part}#" for part in parts)


class List:
    """The list of the rooms of a hotel."""

    def fill(self, rooms: list[Values]) -> None:
        Room.create_table()
        with Room.batch_write() as batch:
            for values in rooms:
                batch.save(room(values))

    def page(self, question: Question, turn: str, seen: list[Room] | None) -> list[Room]:
        name, _, _ = self.plan(question)
        backward = turn in {"last", "previous"}
        edge = seen[0 if backward else -1].to_dynamodb_dict() if seen and turn != "last" else {}
        start = {part: edge[part] for part in ("hotel", "number", name) if edge} or None
        return [*self.query(question, backward == question.descending, start)][:: -1 if backward else 1]

    def numbers(self, page: list[Room]) -> list[str]:
        return [room.number for room in page]

    def query(self, question: Question, forward: bool, start: Any) -> Any:
        """Return the rooms of a page."""
        name, keys, filters = self.plan(question)
        index, sort_key = getattr(Room, f"{name}_index"), getattr(Room, name)
        return index.query(
            HOTEL,
            range_key_condition=sort_key.between(*keys) if keys else None,
            filter_condition=filters,
            scan_index_forward=forward,
            last_evaluated_key=start,
            limit=PAGE_SIZE,
            page_size=PAGE_SIZE if filters is None else CHUNK,
        )

    def plan(self, question: Question) -> tuple[str, list[str], Any]:
        """The index with the order, the two limits of its keys, if any, and the filters for what the keys leave."""
        values, sizes, name, keys = dict(question.values), question.sizes, "by_rate", []
        if question.sort != ("rate",):
            fixed = {facet: values.pop(facet)[0] for facet in FACETS if len(values.get(facet, ())) == 1}
            order = [*dict.fromkeys([*fixed, *question.sort, *FACETS])]
            name, prefix = "_".join(order), key(fixed, *fixed)
            keys = [prefix, f"{prefix}{LAST}"] if prefix else []
            if sizes and order[len(fixed)] == "size":
                low, high = (key({**fixed, "size": size}, *fixed, "size") for size in sizes)
                keys, sizes = [low, f"{high}{LAST}"], None
        filters = Room.size.between(*sizes) if sizes else None
        for facet, allowed in values.items():
            filters &= getattr(Room, facet).is_in(*allowed)
        return name, keys, filters

    def facets(self, question: Question) -> dict[str, Any]:
        """Read the whole hotel, from an index that has no more than the facets need, and count in memory."""
        rooms = Room.size_view_type_index.query(HOTEL, attributes_to_get=[*FACETS])
        return contender.counted([{name: getattr(room, name) for name in FACETS} for room in rooms], question)

    def edit(self, values: Values) -> None:
        room(values).save()


# --- Measuring -------------------------------------------------------------------------------------------


def used() -> Counter[str]:
    return contender.metered(Room._get_connection().connection.client.meta.events)
