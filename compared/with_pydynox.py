"""The list with pydynox: an index for each order of the three facets, and filters for the rest."""

import os
from itertools import permutations
from typing import Any, NamedTuple

from pydynox import DynamoDBClient, Model, ModelConfig, SyncBatchWriter, set_default_client
from pydynox.attributes import NumberAttribute, StringAttribute
from pydynox.indexes import GlobalSecondaryIndex, LocalSecondaryIndex

from compared import contender
from compared.contender import FACETS
from compared.metering import metered
from compared.questions import HOTEL, PAGE_SIZE
from compared.questions import Room as Values

TABLE = "rooms-with-pydynox"
SHOWN = ["view", "size", "type", "rate", "currency"]
CHUNK = 100
"""The items that a request with a filter reads."""
LAST = "\uffff"
"""Sorts after every key part."""


def local_index(name: str) -> Any:
    return LocalSecondaryIndex(name, name, SHOWN)


def global_index(name: str) -> Any:
    return GlobalSecondaryIndex(name, "hotel", name, SHOWN)


class Room(Model):  # type: ignore[misc]
    """A room under its number, in six orders of its facets, and by its rate."""

    model_config = ModelConfig(table=TABLE)
    hotel = StringAttribute(partition_key=True)
    number = StringAttribute(sort_key=True)
    view = StringAttribute()
    size = NumberAttribute()
    type = StringAttribute()
    rate = NumberAttribute()
    currency = StringAttribute()
    view_size_type = StringAttribute()
    view_type_size = StringAttribute()
    size_view_type = StringAttribute()
    size_type_view = StringAttribute()
    type_view_size = StringAttribute()
    type_size_view = StringAttribute()
    by_rate = StringAttribute()
    view_size_type_index = global_index("view_size_type")  # a table has at most five local indexes
    view_type_size_index = local_index("view_type_size")
    size_view_type_index = local_index("size_view_type")
    size_type_view_index = local_index("size_type_view")
    type_view_size_index = local_index("type_view_size")
    type_size_view_index = local_index("type_size_view")
    by_rate_index = global_index("by_rate")


class Page(NamedTuple):
    """The rooms of a page."""

    rooms: list[Any]

    @property
    def numbers(self) -> list[str]:
        return [room.number for room in self.rooms]


def stored(values: Values) -> dict[str, Any]:
    """The item of a room with its keys."""
    orders = {"_".join(order): key(values, *order, "number") for order in permutations(FACETS)}
    return {"hotel": HOTEL, **values, **orders, "by_rate": key(values, "rate", "number")}


def key(values: Values, *names: str) -> str:
    """The values as a sort key. Numbers are padded, so that they sort as numbers."""
    parts = (values[name] for name in names)
    return "".join(f"{part:06d}#" if isinstance(part, int) else f"{part}#" for part in parts)


class List:
    """The list of the rooms of a hotel."""

    def __init__(self, client: DynamoDBClient) -> None:
        self.client = client

    def fill(self, rooms: list[Values]) -> None:
        Room.sync_create_table(wait=True)
        with SyncBatchWriter(self.client, TABLE) as batch:
            for values in rooms:
                batch.put(stored(values))

    def page(self, question: contender.Question, turn: str, seen: Page | None) -> Page:
        name, _, _ = self.plan(question)
        backward = turn in {"last", "previous"}
        edge = seen.rooms[0 if backward else -1] if seen and turn != "last" else None
        start = {part: getattr(edge, part) for part in ("hotel", "number", name)} if edge else None
        rooms = list[Any]()
        while len(rooms) < PAGE_SIZE:  # it stops where the filter drops all items of a request
            found = self.query(question, backward == question["descending"], start)
            rooms += found
            if not (start := found.last_evaluated_key):
                break
        return Page(rooms[:PAGE_SIZE][:: -1 if backward else 1])

    def query(self, question: contender.Question, forward: bool, start: dict[str, Any] | None) -> Any:
        """The rooms of a page, and in ``last_evaluated_key`` the library's own cursor."""
        name, keys, filters = self.plan(question)
        return getattr(Room, f"{name}_index").sync_query(
            partition_key=HOTEL,
            sort_key_condition=getattr(Room, name).between(*keys) if keys else None,
            filter_condition=filters,
            scan_index_forward=forward,
            last_evaluated_key=start,
            limit=PAGE_SIZE,
            page_size=PAGE_SIZE if filters is None else CHUNK,
        )

    def plan(self, question: contender.Question) -> tuple[str, list[str], Any]:
        """The index with the order, the two limits of its keys, if any, and the filters for what the keys leave."""
        values, sizes, name, keys = dict(question["values"]), question["sizes"], "by_rate", []
        if question["sort"] != ["rate"]:
            fixed = {facet: values.pop(facet)[0] for facet in FACETS if len(values.get(facet, ())) == 1}
            order = [*dict.fromkeys([*fixed, *question["sort"], *FACETS])]
            name, prefix = "_".join(order), key(fixed, *fixed)
            keys = [prefix, f"{prefix}{LAST}"] if prefix else []
            if sizes and order[len(fixed)] == "size":
                low, high = (key({**fixed, "size": size}, *fixed, "size") for size in sizes)
                keys, sizes = [low, f"{high}{LAST}"], None
        filters: Any = Room.size.between(*sizes) if sizes else None
        for facet, allowed in values.items():
            chosen = getattr(Room, facet).is_in(*allowed)
            filters = filters & chosen if filters else chosen
        return name, keys, filters

    def facets(self, question: contender.Question) -> dict[str, Any]:
        """Read the whole hotel, from an index that has no more than lists show, and count in memory."""
        rooms = Room.size_view_type_index.sync_query(partition_key=HOTEL)
        return contender.counted([{name: getattr(room, name) for name in FACETS} for room in rooms], question)

    def edit(self, values: Values) -> None:
        Room(**stored(values)).sync_save()


# --- Measuring -------------------------------------------------------------------------------------------


def walk(question: contender.Question) -> list[str]:
    """As its guide to indexes says: the next query begins at the ``last_evaluated_key`` of the last one."""
    numbers, start = list[str](), None
    while True:
        found = List(own).query(question, not question["descending"], start)
        numbers += [room.number for room in found]
        if not (start := found.last_evaluated_key):
            return numbers


if __name__ == "__main__":
    url, meter = metered(os.environ["DYNAMODB_ENDPOINT_URL"])
    own = DynamoDBClient(region="eu-west-1", endpoint_url=url)
    set_default_client(own)
    contender.run(List(own), lambda: meter.read, walk)
