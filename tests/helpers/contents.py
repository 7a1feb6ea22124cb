"""Empty the tables, or restore their contents, with DynamoDB's API. Only items that a test has changed are written."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from botocore.exceptions import ClientError
from django.conf import settings

from hotelapp.dynamodb.connection.client import client
from hotelapp.dynamodb.schema import tables

Key = str
Fill = Callable[[], None]
Items = dict[Key, Mapping[str, Any]]
MANY = 1500
"""A table with more items than this is created again."""

BATCH = 25
_filled: dict[tuple[str, str], dict[str, Items]] = {}
_keys: dict[str, Sequence[str]] = {}


def empty() -> None:
    """Create missing tables, and delete every item."""
    become({})


def start_from(name: str, fill: Fill) -> None:
    """Fill empty tables with ``fill``. Later calls with the same ``name`` restore the same contents without it."""
    data_set = str(settings.DYNAMODB_ENDPOINT_URL), name
    if data_set in _filled:
        become(_filled[data_set])
        return
    empty()
    fill()
    _filled[data_set] = {table: _items(table) for table in tables.names()}


def become(wanted: Mapping[str, Items]) -> None:
    """Make the tables hold these items: delete others, put missing and different ones, and create missing tables."""
    for table in tables.names():
        try:
            _put_right(table, wanted.get(table, {}))
        except ClientError as error:
            if error.response["Error"]["Code"] != "ResourceNotFoundException":
                raise
            list(tables.create_missing())
            _put_right(table, wanted.get(table, {}))


def _put_right(table: str, wanted: Items) -> None:
    stored = _items(table)
    surplus = [stored[key] for key in stored.keys() - wanted.keys()]
    if len(surplus) > MANY:
        client().delete_table(TableName=table)
        client().get_waiter("table_not_exists").wait(TableName=table)
        list(tables.create_missing())
        stored, surplus = {}, []
    changes: list[Any] = [{"DeleteRequest": {"Key": _key_of(table, item)}} for item in surplus]
    changes += [{"PutRequest": {"Item": item}} for key, item in wanted.items() if stored.get(key) != item]
    for start in range(0, len(changes), BATCH):
        left: dict[str, Any] = {table: changes[start : start + BATCH]}
        while left:
            left = client().batch_write_item(RequestItems=left).get("UnprocessedItems", {})


def _items(table: str) -> Items:
    """All items by their keys."""
    items: list[Any] = []
    after: dict[str, Any] = {}
    while True:
        page = client().scan(TableName=table, ConsistentRead=True, **after)
        items += page["Items"]
        if not page.get("LastEvaluatedKey"):
            return {repr(_key_of(table, item)): item for item in items} if items else {}
        after = {"ExclusiveStartKey": page["LastEvaluatedKey"]}


def _key_of(table: str, item: Mapping[str, Any]) -> dict[str, Any]:
    if table not in _keys:
        schema = client().describe_table(TableName=table)["Table"]["KeySchema"]
        _keys[table] = [part["AttributeName"] for part in schema]
    return {name: item[name] for name in _keys[table]}
