"""Requests in the form of the documents: on a few lines, or in a cell of a table."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from django.conf import settings

from dynamodb_lists.connection.ledger import Call
from dynamodb_lists.schema.keys import HIGHEST

WIDTH = 120
PREFIX = re.compile(r"(\w+) BETWEEN '([^']*)' AND '\2\\U0010ffff'")
"""A range of the keys with the same beginning."""


def in_short(call: Call) -> str:
    """Return a call on a few lines: its operation and keys, its filter, its limit, and its units."""
    units = f"{call.units.normalize():f} unit{'' if call.units == 1 else 's'}"
    lines = [_head(call), *_dropped(call), ", ".join([*_figures(call), units])]
    line = _unprefixed("; ".join(lines))
    fits = len(line.replace(r"\U0010ffff", HIGHEST)) <= WIDTH and "\n" not in line
    return line if fits else _unprefixed("\n".join(lines))


def in_cell(call: Call) -> str:
    """Return a call for a cell of a table, without its units. A call without the name of its operation is a Query."""
    head = re.sub(r"\n +", " ", _unprefixed(_head(call)).removeprefix("Query "))
    return ", ".join([f"`{head}`", *(f"`{each}`" for each in _dropped(call)), *_figures(call)])


def _head(call: Call) -> str:
    """Return the operation and the keys of a call."""
    index = f".{call.index}" if call.index else ""
    condition = call.key_condition.removeprefix("(").removesuffix(")").replace(" = ", "=")
    condition = PREFIX.sub(r"\1 begins '\2'", condition)
    condition = f" {condition}" if condition else ";".join(_keys(call.request))
    return f"{call.operation} {call.table}{index}:{condition}"


def _dropped(call: Call) -> Iterator[str]:
    if call.filter:
        yield f"drops what does not match {call.filter}"


def _figures(call: Call) -> Iterator[str]:
    if not call.forward:
        yield "backwards"
    if call.resumed:
        yield "from the cursor"
    if call.limit:
        yield f"limit {call.limit}"
    tables = call.request.get("RequestItems", {}).values()
    if call.request.get("ConsistentRead") or any(table.get("ConsistentRead") for table in tables):
        yield "consistent"


def _keys(request: Mapping[str, Any]) -> Iterator[str]:
    """Yield the keys of a batch, or the actions of a transaction, each on a line; the key of an item that is put."""
    if item := request.get("Item"):
        yield f" {_key({name: item[name] for name in ('pk', 'sk')})}"
    for table in request.get("RequestItems", {}).values():
        yield from (f"\n  {_key(key)}" for key in table["Keys"])
    for item in request.get("TransactItems", ()):
        for action, write in item.items():
            key = write.get("Key") or {name: write["Item"][name] for name in ("pk", "sk")}
            yield f"\n  {action} {write['TableName']}: {_key(key)}"


def _key(key: Mapping[str, Mapping[str, str]]) -> str:
    return " AND ".join(f"{name}='{value}'" for name, typed in key.items() for value in typed.values())


def _unprefixed(text: str) -> str:
    """Return a text with tables as the documents call them."""
    return text.replace(settings.DYNAMODB_TABLE_PREFIX, "")
