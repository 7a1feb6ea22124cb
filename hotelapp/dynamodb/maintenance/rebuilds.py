"""Copy a table into a new one that has the keys and indexes that the models declare.

A table's key and its LSIs are fixed when the table is created. What cannot be changed in place is rebuilt: copied while
the portal runs, copied once more for what changed meanwhile, and a last time while nothing writes.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pynamodb.constants import PAY_PER_REQUEST_BILLING_MODE
from pynamodb.models import Model

from hotelapp.dynamodb.connection.client import client
from hotelapp.dynamodb.connection.errors import DynamoDBError, Unavailable, translated
from hotelapp.dynamodb.maintenance.batches import read, write
from hotelapp.dynamodb.maintenance.scans import ScannedPage, scan
from hotelapp.dynamodb.schema.models import RawItem

KeySchema = Sequence[Mapping[str, str]]


class RebuildRefused(DynamoDBError):
    """The new table cannot take the items."""


def create(model: type[Model], table: str) -> bool:
    """Create a table with the keys and indexes that the model declares; returns whether it was missing.

    Raises :class:`RebuildRefused` if there is a table of that name with other keys or indexes.
    """
    schema: Any = model._get_schema()
    missing = not _exists(table) and _create(model, table, schema)
    with translated():
        client().get_waiter("table_exists").wait(TableName=table, WaiterConfig={"Delay": 1, "MaxAttempts": 120})
        stored = _stored_keys(table)
    if stored != _declared_keys(schema):
        raise RebuildRefused(f"The table {table} exists, with other keys or indexes. Choose another name.")
    return missing


def _create(model: type[Model], table: str, schema: Mapping[str, Any]) -> bool:
    """Create a table; ``False`` if it exists, perhaps because the first answer to this was lost."""
    names = ("attribute_definitions", "key_schema", "global_secondary_indexes", "local_secondary_indexes")
    declared: dict[str, Any] = {name: schema[name] for name in names}
    try:
        with translated():
            model._get_connection().connection.create_table(
                table, billing_mode=PAY_PER_REQUEST_BILLING_MODE, **declared
            )
    except Unavailable as error:
        if error.code != "ResourceInUseException":
            raise
        return False
    return True


def copy(source: str, target: str, segments: int) -> Iterator[ScannedPage[int]]:
    """Put the items of a table that another one does not have like that; yields the pages, each with the number put.

    It reads both tables and writes only what differs, so a copy that was stopped does not write again what it wrote.
    """
    key = _key_names(target)
    return scan(source, lambda items: _put_missing(target, key, items), segments=segments)


def remove_surplus(source: str, target: str, segments: int) -> Iterator[ScannedPage[int]]:
    """Delete the items of the target that the source no longer has; yields the pages, each with the number deleted."""
    key, target_key = _key_names(source), _key_names(target)
    return scan(target, lambda items: _delete_surplus(source, key, target, target_key, items), segments=segments)


def _key_names(table: str) -> list[str]:
    """The attributes of a table's key, as the table has them."""
    with translated():
        return [part["AttributeName"] for part in client().describe_table(TableName=table)["Table"]["KeySchema"]]


def _put_missing(target: str, key: Sequence[str], items: Sequence[RawItem]) -> int:
    stored = {_identity(key, item): item for item in read(target, _keys(key, items))}
    different = [item for item in items if stored.get(_identity(key, item)) != item]
    write(target, [{"PutRequest": {"Item": item}} for item in different])
    return len(different)


def _delete_surplus(
    source: str, source_key: Sequence[str], target: str, target_key: Sequence[str], items: Sequence[RawItem]
) -> int:
    stored = {_identity(source_key, item) for item in read(source, _keys(source_key, items))}
    surplus = [item for item in items if _identity(source_key, item) not in stored]
    write(target, [{"DeleteRequest": {"Key": _key(target_key, item)}} for item in surplus])
    return len(surplus)


def _keys(names: Sequence[str], items: Sequence[RawItem]) -> list[dict[str, Any]]:
    return [_key(names, item) for item in items]


def _key(names: Sequence[str], item: RawItem) -> dict[str, Any]:
    if missing := [name for name in names if name not in item]:
        raise RebuildRefused(
            f"An item has no {missing[0]}, which the new key needs. docs/settings.md says how to add it."
        )
    return {name: item[name] for name in names}


def _identity(names: Sequence[str], item: RawItem) -> str:
    return repr(_key(names, item))


# --- Keys and indexes -----------------------------------------------------------------------------------


def _exists(table: str) -> bool:
    try:
        with translated():
            client().describe_table(TableName=table)
    except Unavailable as error:
        if error.code == "ResourceNotFoundException":
            return False
        raise
    return True


def _keys_of(key: KeySchema, indexes: Iterable[tuple[str, KeySchema]]) -> dict[str, list[str]]:
    """The key attributes of a table, under a blank name, and of its indexes."""
    return {name: [part["AttributeName"] for part in parts] for name, parts in [("", key), *indexes]}


def _stored_keys(table: str) -> dict[str, list[str]]:
    described: Any = client().describe_table(TableName=table)["Table"]
    indexes = [*described.get("GlobalSecondaryIndexes", ()), *described.get("LocalSecondaryIndexes", ())]
    return _keys_of(described["KeySchema"], [(index["IndexName"], index["KeySchema"]) for index in indexes])


def _declared_keys(schema: Mapping[str, Any]) -> dict[str, list[str]]:
    indexes = [*schema["global_secondary_indexes"], *schema["local_secondary_indexes"]]
    return _keys_of(schema["key_schema"], [(index["index_name"], index["key_schema"]) for index in indexes])
