"""Measures what calls cost: requests, waves, units of each table and index, bytes. The ledger says how they were sent.

``ReturnConsumedCapacity=INDEXES`` makes DynamoDB say the units of each index. A place of units is a table, or a table
and an index: ``hotel-app lsi1``.
"""

import json
from base64 import b64decode
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypedDict
from unittest.mock import patch

from django.conf import settings
from django.core.cache import cache

from dynamodb_lists.connection.client import client
from dynamodb_lists.connection.ledger import Call
from dynamodb_lists.lists import counting
from dynamodb_lists.schema import tables
from hotels import queries as hotel_queries
from tests.costs import patterns, writes
from tests.costs.patterns import Pattern
from tests.helpers.contents import Items, item_at, items_of, key_of
from tests.helpers.tables import forget_counts

OVERHEAD = 100
"""The bytes that DynamoDB adds to each stored item, and to each entry of an index."""

Item = Mapping[str, Any]


class Cost(TypedDict):
    """What a pattern costs, for one of its rows. ``read`` and ``written`` are units by place.

    ``bytes`` are those of the items that were returned, put or deleted. ``stored`` are those by which each table grew,
    with the entries of its indexes and what DynamoDB adds to each.
    """

    title: str
    requests: float
    waves: int
    read: dict[str, float]
    written: dict[str, float]
    bytes: int
    stored: dict[str, int]


def measure() -> dict[str, Cost]:
    """The cost of every pattern by name: reads, pages, and then writes, on the data of :mod:`tests.costs.data`."""
    without_writes = {**patterns.reads(), **patterns.unshown_reads(), **patterns.pages()}
    found = {name: cost_of(pattern, {}) for name, pattern in without_writes.items()}
    tables_now = {name: items_of(name) for name in tables.names()}
    with patch.object(counting, "randbelow", return_value=0):  # so that sizes do not depend on chance
        return found | {name: cost_of(pattern, tables_now) for name, pattern in writes.writes()}


def cost_of(pattern: Pattern, tables_now: dict[str, Items]) -> Cost:
    """The cost of a pattern for each of its rows. This process has cached nothing but the number of the group's shards.

    ``tables_now`` are the items that are stored. What the pattern writes is brought forward in it.
    """
    cache.clear()
    forget_counts()
    hotel_queries.GROUP_SHARDS.numbers()
    with recorded() as answers:
        pattern.call()
    items, grown, rows = list(_returned(answers)), {}, pattern.rows
    for name, keys in _written(answers).items():
        before = {key: item for key in keys if (item := tables_now[name].pop(key, None))}
        after = {key: item for key in keys if (item := item_at(name, keys[key]))}
        items += [after.get(key) or before[key] for key in keys if before.get(key) != after.get(key)]
        was, now = [*before.values()], [*after.values()]
        grown[plain(name)] = about((stored_bytes(name, now) - stored_bytes(name, was)) / rows)
        tables_now[name] |= after
    return {
        "title": pattern.title,
        "requests": round(len(answers) / rows, 2),
        "waves": len({call.wave for call, _ in answers}),
        "read": units([answer for call, answer in answers if call.reads], rows),
        "written": units([answer for call, answer in answers if not call.reads], rows),
        "bytes": about(sum(map(size, items)) / rows),
        "stored": dict(sorted(grown.items())),
    }


@contextmanager
def recorded() -> Iterator[list[tuple[Call, Item]]]:
    """The calls of the block, of all threads, each with its answer, which names the units of every index."""
    answers: list[tuple[Call, Item]] = []

    def ask(params: dict[str, Any], **_: Any) -> None:
        if "ReturnConsumedCapacity" in params:
            params["ReturnConsumedCapacity"] = "INDEXES"

    def keep(parsed: Item, context: dict[str, Any], **_: Any) -> None:
        answers.append((context["call"], parsed))

    events = client().meta.events
    events.register("before-parameter-build.dynamodb", ask)
    events.register("after-call.dynamodb", keep)
    try:
        yield answers
    finally:
        events.unregister("before-parameter-build.dynamodb", ask)
        events.unregister("after-call.dynamodb", keep)


def _written(answers: Sequence[tuple[Call, Item]]) -> dict[str, dict[str, Item]]:
    """The keys of the items that the calls write, by table and by their text."""
    found = defaultdict[str, dict[str, Item]](dict)
    for request in (call.request for call, _ in answers if not call.reads):
        for action in [part for each in request.get("TransactItems", ()) for part in each.values()] or [request]:
            key = key_of(action["TableName"], action.get("Item") or action["Key"])
            found[action["TableName"]][repr(key)] = key
    return found


def units(answers: Iterable[Item], rows: int = 1) -> dict[str, float]:
    """The units by place, for each of the rows."""
    found = Counter[str]()
    for answer in answers:
        consumed = answer.get("ConsumedCapacity") or []
        for part in consumed if isinstance(consumed, list) else [consumed]:
            table = plain(part["TableName"])
            found[table] += part.get("Table", part)["CapacityUnits"]
            for kind in ("LocalSecondaryIndexes", "GlobalSecondaryIndexes"):
                for index, used in part.get(kind, {}).items():
                    found[f"{table} {index}"] += used["CapacityUnits"]
    return {place: round(float(found[place]) / rows, 2) for place in sorted(found) if found[place]}


def plain(table: str) -> str:
    """A table's name without the prefix."""
    return table.removeprefix(settings.DYNAMODB_TABLE_PREFIX)


def _returned(answers: Sequence[tuple[Call, Item]]) -> Iterator[Item]:
    """The items in the answers to reads."""
    for call, answer in answers:
        if call.reads:
            yield from answer.get("Items", [answer["Item"]] if "Item" in answer else ())
            for items in answer.get("Responses", {}).values():
                yield from items


# --- Bytes ------------------------------------------------------------------------------------------------


def about(size: float) -> int:
    """Bytes in two significant digits: the data of a session, which are signed and packed, vary by a few."""
    return round(float(f"{size:.2g}"))


def size(item: Item) -> int:
    """The bytes of an item's names and values, as DynamoDB counts them.

    See "DynamoDB item sizes and formats" in the developer guide. The portal stores no sets.
    """
    return sum(len(name.encode()) + _value_size(value) for name, value in item.items())


def _value_size(typed: Item) -> int:
    ((kind, value),) = typed.items()
    if kind == "N":
        return len(value.strip("-0.")) // 2 + 2
    if kind == "L":
        return 3 + sum(1 + _value_size(part) for part in value)
    if kind == "M":
        return 3 + len(value) + size(value)
    if kind == "B":
        return len(b64decode(value) if isinstance(value, str) else value)
    return 1 if kind in {"BOOL", "NULL"} else len(value.encode())


def stored_bytes(table: str, items: Sequence[Item]) -> int:
    """The bytes of items of a table with the entries of its indexes, and with what DynamoDB adds to each."""
    definition = tables.definition(table)
    indexes = definition.get("LocalSecondaryIndexes", []) + definition.get("GlobalSecondaryIndexes", [])
    total = sum(size(item) + OVERHEAD for item in items)
    for index in indexes:
        keys, projection = _names(index), index["Projection"]
        shown = keys | _names(definition) | set(projection.get("NonKeyAttributes", ()))
        whole = projection["ProjectionType"] == "ALL"
        entries = (item for item in items if keys <= item.keys())
        total += sum(size({name: item[name] for name in item if whole or name in shown}) + OVERHEAD for item in entries)
    return total


def _names(definition: Item) -> set[str]:
    return {part["AttributeName"] for part in definition["KeySchema"]}


# --- Files ------------------------------------------------------------------------------------------------


def in_lines(costs: Mapping[str, Any]) -> str:
    """JSON with a line for each entry, so that a difference shows what has changed."""
    lines = (f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in costs.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"
