"""What each call takes of which partition, and what it writes: by the sizes of items, checked with the engine's report.

The engine reports the units of tables and indexes, not those of partitions. So the items of a call are looked up, those
of a write before and after it.
"""

from base64 import b64decode
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import pairwise
from math import ceil
from typing import Any

from benchmarks.throttling import READ_UNITS, SERVICE, WRITE_UNITS, Key, Request
from dynamodb_lists.connection.client import client
from dynamodb_lists.connection.ledger import Call
from dynamodb_lists.schema import tables
from tests.costs.measuring import plain, units
from tests.helpers.contents import item_at

WRITE_BYTES, READ_BYTES = 1024, 4096
Item = Mapping[str, Any]
Place = tuple[str, str, str]
"""A table, an index (blank for the table) and a partition key."""


@contextmanager
def recorded() -> Iterator[list[Request]]:
    """The requests of the block, once it has ended. Ends the benchmark if the engine charges other units."""
    found, calls = list[Request](), list[tuple[Call, Mapping[Place, float]]]()
    before: dict[int, list[Item]] = {}

    def ask(params: dict[str, Any], context: dict[str, Any], **_: Any) -> None:
        params["ReturnConsumedCapacity"] = "INDEXES"
        before[id(params)] = [item_at(*each) for each in _written(context["call"])]

    def keep(parsed: dict[str, Any], context: dict[str, Any], **_: Any) -> None:
        call: Call = context["call"]
        olds = before.pop(id(call.request))
        taken = _read(call, parsed) if call.reads else _charged(call, olds)
        by_place = defaultdict[str, float](float)
        for (table, index, _partition), used in taken.items():
            by_place[f"{plain(table)} {index}".strip()] += used
        if call.code or {place: used for place, used in by_place.items() if used} != units([parsed]):
            raise SystemExit(f"{call.operation}: {call.code}, computed {by_place}, reported {units([parsed])}.")
        calls.append((call, taken))

    events = client().meta.events
    events.register("before-parameter-build.dynamodb", ask)
    events.register("after-call.dynamodb", keep)
    try:
        yield found
    finally:
        events.unregister("before-parameter-build.dynamodb", ask)
        events.unregister("after-call.dynamodb", keep)
    waves = [*(call.wave for call, _ in calls), None]
    found += (_request(*each, last=one != next_) for each, (one, next_) in zip(calls, pairwise(waves), strict=True))


def _request(call: Call, taken: Mapping[Place, float], *, last: bool) -> Request:
    """The request of a call. The last one of its wave takes the time of all."""
    by_key = defaultdict[Key, float](float)
    for (table, index, partition), used in taken.items():  # a local index shares the partitions of its table
        by_key[table if index in _local(table) else f"{table} {index}".strip(), partition] += used
        by_key[table, ""] += used
    what = READ_UNITS if call.reads else WRITE_UNITS
    items = _written(call) if "TransactItems" in call.request else ()
    written = [(table, *map(_text, key.values())) for table, key in items]
    return Request(what, by_key, written, SERVICE[what] if last else 0.0)


def _read(call: Call, answer: Item) -> Mapping[Place, float]:
    request, taken = call.request, defaultdict[Place, float](float)
    if call.operation == "Query":
        placeholder = request["KeyConditionExpression"].strip("( ").split()[2].strip("()")  # "#0 = :0 AND ..."
        partition = _text(request["ExpressionAttributeValues"][placeholder])
        return {(call.table, call.index, partition): sum(units([answer]).values())}
    for table, part in request.get("RequestItems", {call.table: {**request, "Keys": [request.get("Key")]}}).items():
        for key in part["Keys"]:
            blocks = max(1, ceil(_size(item_at(table, key)) / READ_BYTES))
            times = 1 if part.get("ConsistentRead") else 0.5
            taken[table, "", _text(next(iter(_key(table, key).values())))] += blocks * times
    return taken


def _charged(call: Call, before: Sequence[Item]) -> Mapping[Place, float]:
    """The units of a write: of each item, twice in a transaction, and of each entry of an index that it changes."""
    taken, times = defaultdict[Place, float](float), 2 if "TransactItems" in call.request else 1
    for (table, key), old in zip(_written(call), before, strict=True):
        new = item_at(table, key)
        taken[table, "", _text(next(iter(key.values())))] += times * max(1, _blocks(old), _blocks(new))
        for index, names, projected in _indexes(table):
            was, now = (_entry(item, names, projected) for item in (old, new))
            stays = all(was.get(name) == now.get(name) for name in names)
            for entry in [] if was == now else [max(was, now, key=_blocks)] if stays else filter(None, (was, now)):
                taken[table, index, _text(entry[names[0]])] += _blocks(entry)
    return taken


def _written(call: Call) -> list[tuple[str, dict[str, Any]]]:
    """The table and the key of each item that a call writes."""
    actions = [part for each in call.request.get("TransactItems", ()) for part in each.values()] or [call.request]
    pairs = ((each["TableName"], each.get("Item") or each["Key"]) for each in actions if not call.reads)
    return [(table, _key(table, item)) for table, item in pairs]


_definition = cache(tables.definition)


def _key(table: str, item: Item) -> dict[str, Any]:
    """The attributes of an item's key, that of its partition first."""
    return {part["AttributeName"]: item[part["AttributeName"]] for part in _definition(table)["KeySchema"]}


def _local(table: str) -> set[str]:
    return {index["IndexName"] for index in _definition(table).get("LocalSecondaryIndexes", ())}


@cache
def _indexes(table: str) -> list[tuple[str, list[str], set[str] | None]]:
    """Each index of a table, the names of its keys, and those of all attributes that it holds; ``None``: of any."""
    defined, found = _definition(table), []
    for index in defined.get("LocalSecondaryIndexes", []) + defined.get("GlobalSecondaryIndexes", []):
        own, names = ([part["AttributeName"] for part in each["KeySchema"]] for each in (defined, index))
        some = {*own, *names, *index["Projection"].get("NonKeyAttributes", ())}
        found.append((index["IndexName"], names, None if index["Projection"]["ProjectionType"] == "ALL" else some))
    return found


def _entry(item: Item, names: Sequence[str], projected: set[str] | None) -> Item:
    """An item's entry in an index; empty if it has none."""
    if not item.keys() >= set(names):
        return {}
    return item if projected is None else {name: item[name] for name in projected & item.keys()}


def _blocks(item: Item) -> int:
    return ceil(_size(item) / WRITE_BYTES)


def _text(value: Mapping[str, Any]) -> str:
    (text,) = value.values()
    return str(text)


def _size(item: Item) -> int:
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
        return 3 + len(value) + _size(value)
    if kind == "B":
        return len(b64decode(value) if isinstance(value, str) else value)
    return 1 if kind in {"BOOL", "NULL"} else len(value.encode())
