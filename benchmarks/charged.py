"""The units that calls take of each partition key, and the items that their transactions write.

The engine reports the units of each table and each index. These units are spread evenly over the items of the call, and
over their entries in the index before and after it. This is exact as long as no item is larger than a unit.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

from django.conf import settings

from dynamodb_lists.connection.ledger import Call
from dynamodb_lists.schema import tables
from tests.costs import measuring
from tests.costs.measuring import plain, units
from tests.helpers.contents import item_at, key_of

READ_UNITS, WRITE_UNITS, TRANSACTIONS = "read units", "write units", "transactions"
A_SECOND = {READ_UNITS: 3000.0, WRITE_UNITS: 1000.0, TRANSACTIONS: 100.0}
"""What a partition key takes or, of transactions, an item, which each of them holds for 10 milliseconds."""


class Use(NamedTuple):
    """What is used: units of a partition key, or transactions of an item. ``place`` is a table, or also an index."""

    what: str
    place: str
    key: str


Entry = tuple[str, str, str]
"""A table or also an index, an item, and its partition key there."""


@contextmanager
def recorded() -> Iterator[Counter[Use]]:
    """What the calls of the block take, once it has ended."""
    found, seen = Counter[Use](), defaultdict[int, set[Entry]](set)
    with measuring.recorded(lambda call: seen[id(call)].update(_entries(call))) as answers:
        yield found
    for call, answer in answers:
        if call.code:
            raise SystemExit(f"{call.operation} failed: {call.code}")
        _add(found, call, answer, seen[id(call)])


def _add(found: Counter[Use], call: Call, answer: Mapping[str, Any], entries: set[Entry]) -> None:
    """Add what a call took. A local index shares the partitions of its table."""
    what = READ_UNITS if call.reads else WRITE_UNITS
    for place, charged in units([answer]).items():
        table, _, index = place.partition(" ")
        keys = [key for where, _, key in entries if where == place]
        for key in keys:
            use = Use(what, table if index in _indexes(table, "Local") else place, key)
            found[use] += charged / len(keys)  # type: ignore[assignment]
    if "TransactItems" in call.request:
        found.update(Use(TRANSACTIONS, plain(table), _text(*key.values())) for table, key in _items(call))


def _entries(call: Call) -> set[Entry]:
    """Return the items of a call, with the present index entries of items that the call writes."""
    if call.operation == "Query":
        placeholder = call.request["KeyConditionExpression"].strip("( ").split()[2].strip("()")  # "#0 = :0 AND ..."
        partition = _text(call.request["ExpressionAttributeValues"][placeholder])
        return {(f"{plain(call.table)} {call.index}".strip(), "", partition)}
    found = set[Entry]()
    for table, key in _items(call):
        item = _text(*key.values())
        found.add((plain(table), item, _text(next(iter(key.values())))))
        stored = {} if call.reads else item_at(table, key)
        for index, names in (_indexes(plain(table), "Local") | _indexes(plain(table), "Global")).items():
            if stored.keys() >= set(names):
                found.add((f"{plain(table)} {index}", item, _text(stored[names[0]])))
    return found


def _items(call: Call) -> list[tuple[str, dict[str, Any]]]:
    """Return the table and the key of each item that a call reads or writes by its key."""
    request = call.request
    if "RequestItems" in request:
        return [(table, key_of(table, key)) for table, part in request["RequestItems"].items() for key in part["Keys"]]
    actions = [part for each in request.get("TransactItems", ()) for part in each.values()] or [request]
    return [(each["TableName"], key_of(each["TableName"], each.get("Item") or each["Key"])) for each in actions]


@cache
def _indexes(table: str, kind: str) -> dict[str, list[str]]:
    """Return the names of the keys of each local or global index of a table."""
    indexes = tables.definition(f"{settings.DYNAMODB_TABLE_PREFIX}{table}").get(f"{kind}SecondaryIndexes", ())
    return {index["IndexName"]: [part["AttributeName"] for part in index["KeySchema"]] for index in indexes}


def _text(*values: Mapping[str, Any]) -> str:
    """Return the values of attributes, without their types."""
    return " / ".join(str(text) for value in values for text in value.values())
