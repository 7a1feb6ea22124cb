"""Empty the tables, or restore their contents, with DynamoDB's API. Only items that a test has changed are written.

This runs before almost every test. So an engine on this machine is called without the SDK, whose calls take five times
as long. Other endpoints check signatures, so the SDK calls them.
"""

import atexit
import functools
import json
from base64 import b64decode
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from http.client import HTTPConnection
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

from botocore import xform_name
from django.conf import settings

from dynamodb_lists.connection.client import client
from dynamodb_lists.schema import tables
from dynamodb_lists.tests.helpers.waiting import PATIENCE
from rooms.lists import ROOMS

Key = str
Fill = Callable[[], None]
Items = dict[Key, Mapping[str, Any]]
MANY = 1500
"""A table with more items than this is created again."""

BATCH = 25
LOCAL_HOSTS = {"localhost", "127.0.0.1"}
SIGNED = {
    "X-Amz-Date": "20200101T000000Z",
    "Authorization": "AWS4-HMAC-SHA256 Credential=local/20200101/local/dynamodb/aws4_request, SignedHeaders=host,"
    " Signature=0",
}
"""Engines ask for a signature, and do not check it."""

HEADERS = {"Content-Type": "application/x-amz-json-1.0", **SIGNED}
_filled: dict[tuple[str, str, int], dict[str, Items]] = {}
_keys: dict[str, Sequence[str]] = {}
_one_at_a_time = Lock()


class Missing(Exception):
    """The table does not exist."""


@functools.cache
def _connection(host: str) -> HTTPConnection:
    connection = HTTPConnection(host, timeout=PATIENCE)
    atexit.register(connection.close)
    return connection


def _call_by_the_sdk(operation: str, body: Mapping[str, Any]) -> Any:
    sdk = client()
    try:
        return getattr(sdk, xform_name(operation))(**body)
    except sdk.exceptions.ResourceNotFoundException as error:
        raise Missing from error


def send(operation: str, **body: Any) -> Any:
    """Return the engine's answer. If the engine has closed the connection meanwhile, the request is sent again."""
    endpoint = urlsplit(str(settings.DYNAMODB_ENDPOINT_URL))
    if endpoint.scheme != "http" or endpoint.hostname not in LOCAL_HOSTS:
        return _call_by_the_sdk(operation, body)
    connection = _connection(endpoint.netloc)
    request = "POST", "/", json.dumps(body), {**HEADERS, "X-Amz-Target": f"DynamoDB_20120810.{operation}"}
    with _one_at_a_time:
        try:
            connection.request(*request)
            answer = connection.getresponse()
        except ConnectionError:
            connection.close()
            connection.request(*request)
            answer = connection.getresponse()
        content = json.loads(answer.read())
    if answer.status != HTTPStatus.OK:
        raise Missing if content["__type"].endswith("ResourceNotFoundException") else RuntimeError(content)
    return content


def empty() -> None:
    """Create missing tables, and delete every item."""
    become({})


def start_from(name: str, fill: Fill) -> None:
    """Fill empty tables with ``fill``. Later calls with the same ``name`` restore the same contents without it.

    In another hour they are filled anew, because data of today would be of yesterday after a midnight of some zone.
    """
    data_set = str(settings.DYNAMODB_ENDPOINT_URL), name, datetime.now(UTC).hour
    if data_set in _filled:
        become(_filled[data_set])
        return
    empty()
    fill()
    _filled[data_set] = {table: items_of(table) for table in tables.names()}


def become(wanted: Mapping[str, Items]) -> None:
    """Make the tables hold these items: delete others, put missing and different ones, and create missing tables."""
    for table in tables.names():
        try:
            _put_right(table, wanted.get(table, {}))
        except Missing:
            list(tables.migrate())
            _put_right(table, wanted.get(table, {}))


def _put_right(table: str, wanted: Items) -> None:
    stored = items_of(table)
    surplus = [stored[key] for key in stored.keys() - wanted.keys()]
    if len(surplus) > MANY:
        client().delete_table(TableName=table)
        client().get_waiter("table_not_exists").wait(TableName=table)
        list(tables.migrate())
        stored, surplus = {}, []
    changes: list[Any] = [{"DeleteRequest": {"Key": key_of(table, item)}} for item in surplus]
    changes += [{"PutRequest": {"Item": item}} for key, item in wanted.items() if stored.get(key) != item]
    for start in range(0, len(changes), BATCH):
        left: dict[str, Any] = {table: changes[start : start + BATCH]}
        while left:
            left = send("BatchWriteItem", RequestItems=left).get("UnprocessedItems", {})


def items_of(table: str) -> Items:
    """Return all items by their keys. A binary value is the text that the engine sends, unless the SDK is called."""
    return {repr(key_of(table, item)): item for item in _scanned(table)}


def scanned(table: str) -> list[Mapping[str, Any]]:
    """All items as the SDK returns them, in which a binary value has bytes. None of the tables nests such values."""
    items = _scanned(table)
    for value in (value for item in items for value in item.values()):
        if isinstance(value.get("B"), str):
            value["B"] = b64decode(value["B"])
    return items


def _scanned(table: str) -> list[Any]:
    items: list[Any] = []
    after: dict[str, Any] = {}
    while True:
        page = send("Scan", TableName=table, ConsistentRead=True, **after)
        items += page["Items"]
        if not page.get("LastEvaluatedKey"):
            return items
        after = {"ExclusiveStartKey": page["LastEvaluatedKey"]}


def item_at(table: str, key: Mapping[str, Any]) -> Mapping[str, Any]:
    """The item with this key, in which a binary value is the text that the engine sends; empty if there is none."""
    found: Mapping[str, Any] = send("GetItem", TableName=table, Key=key, ConsistentRead=True).get("Item", {})
    return found


def key_of(table: str, item: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attributes of the item's key."""
    if table not in _keys:
        schema = send("DescribeTable", TableName=table)["Table"]["KeySchema"]
        _keys[table] = [part["AttributeName"] for part in schema]
    return {name: item[name] for name in _keys[table]}


def delete_all() -> None:
    """Delete every registered table and its items."""
    for name in tables.names():
        if tables.description(name):
            client().delete_table(TableName=name)
            client().get_waiter("table_not_exists").wait(TableName=name)


def forget_counts() -> None:
    """Let this process know no counts of a hotel's rooms, as a new process does."""
    ROOMS.reader.kept_counts.clear()
    ROOMS.reader.few.clear()
