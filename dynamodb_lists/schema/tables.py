"""All tables of the project: register, describe, create and migrate them."""

import time
from collections.abc import Callable, Iterable, Iterator
from operator import itemgetter
from typing import Any, NamedTuple

from botocore.exceptions import ClientError
from pynamodb.attributes import TTLAttribute
from pynamodb.models import Model

from dynamodb_lists.connection import configuration
from dynamodb_lists.connection.client import client, translated
from dynamodb_lists.connection.configuration import BoundName, Connection, bound, connection_of, scoped
from dynamodb_lists.connection.errors import Unavailable
from dynamodb_lists.schema import drift

_registry: dict[str, type[Any]] = {}
_created: dict[str, list[Callable[[], object]]] = {}
_of_lists: dict[str, set[str]] = {}
"""The indexes of each table whose readers read by key what an index lacks that is older than a field."""
_NOT_SUPPORTED = {"UnknownOperationException", "ValidationException"}
"""The error code of an engine other than AWS for an operation that it does not have."""

NO_ITEM = "probe"
"""The key of the item that no table has."""

POLL_SECONDS = 2.0
TRIES = 10
NOT_NOW = {
    "ResourceInUseException",
    "LimitExceededException",
    "ContinuousBackupsUnavailableException",
    "ValidationException",
}
"""How DynamoDB refuses a change while it is at work on the table, and one that another process has begun."""


def table_name(name: str, connection: Connection | None = None) -> BoundName:
    """Return a table's full name at a connection: the configured one, or a prefix, which tests change, and ``name``."""
    found = connection or configuration.connection()
    configured = found.read()
    full = configured.table_names.get(name) or f"{configured.table_prefix}{name}"
    return configuration.full_name(full, found)


def register(model: type[Model]) -> type[Model]:
    """Decorator: register the model that declares a table's keys and indexes. Other models may share the table."""
    _registry[bound(model.Meta.table_name)] = model
    return model


def has_list(name: str, indexes: Iterable[str], created: Callable[[], object]) -> None:
    """Register a list in a table: it reads these indexes, and ``created`` is called once the table exists."""
    _of_lists.setdefault(bound(name), set()).update(indexes)
    _created.setdefault(bound(name), []).append(created)


def names() -> list[str]:
    return sorted(_registry)


def probe() -> None:
    """Ask each table for an item that does not exist, to find out whether the table answers.

    Raises: ``Unavailable`` if a table does not answer.
    Costs: one request for each connection, half a read unit for each table. It needs no further permission.
    """
    asked: dict[Connection, Any] = {}
    for name in names():
        key = {part["AttributeName"]: {"S": NO_ITEM} for part in definition(name)["KeySchema"]}
        asked.setdefault(connection_of(name), {})[name] = {"Keys": [key]}
    for keys in asked.values():
        with translated():
            client(next(iter(keys))).batch_get_item(RequestItems=keys)


def definition(name: str) -> dict[str, Any]:
    """Return a table as its model declares it, as CreateTable and CloudFormation take it, sorted by names."""
    model = _registry[bound(name)]
    schema: Any = model._get_schema()
    attributes = {attribute["AttributeName"]: attribute for attribute in schema["attribute_definitions"]}
    defined: dict[str, Any] = {
        "TableName": name,
        "BillingMode": "PAY_PER_REQUEST",
        "TableClass": getattr(model.Meta, "table_class", "STANDARD"),
        "AttributeDefinitions": [attributes[attribute] for attribute in sorted(attributes)],
        "KeySchema": _hash_first(schema["key_schema"]),
    }
    for kind in ("Local", "Global"):
        for index in sorted(schema[f"{kind.lower()}_secondary_indexes"], key=itemgetter("index_name")):
            key, projection = _hash_first(index["key_schema"]), index["projection"]
            each = {"IndexName": index["index_name"], "KeySchema": key, "Projection": projection}
            defined.setdefault(f"{kind}SecondaryIndexes", []).append(each)
    return defined


def ttl_attribute(name: str) -> str:
    """Return the attribute that the table's model declares as its TTL; blank if there is none."""
    attributes = _registry[bound(name)].get_attributes().values()
    return next((attribute.attr_name for attribute in attributes if isinstance(attribute, TTLAttribute)), "")


def declared(name: str) -> drift.Facts:
    """Return the facts of a table that its model and the settings declare; protection only if it is asked for."""
    is_protected = connection_of(name).read().protected
    protection = {drift.PROTECTION: drift.ON, drift.RECOVERY: drift.ON} if is_protected else {}
    return {**drift.facts(definition(name)), drift.TTL: ttl_attribute(name) or drift.OFF, **protection}


def differences(name: str, there: drift.Facts) -> Iterator[drift.Difference]:
    """Return the differences of a table from its declaration; ``there`` are its facts."""
    return drift.differences(declared(name), there, _of_lists.get(bound(name), ()))


def described(name: str) -> drift.Facts | None:
    """Return the facts of a table in DynamoDB; ``None`` if it is missing. Costs: at most six requests."""
    table = description(name)
    if table is None:
        return None
    with translated():
        ttl = client(name).describe_time_to_live(TableName=name)["TimeToLiveDescription"]
    try:
        with translated():
            backups = client(name).describe_continuous_backups(TableName=name)["ContinuousBackupsDescription"]
    except Unavailable as error:  # engines other than AWS may lack the call
        if connection_of(name).read().endpoint_url is None or error.code not in _NOT_SUPPORTED:
            raise
        recovers = None
    else:
        recovery = backups.get("PointInTimeRecoveryDescription", {})
        recovers = recovery.get("PointInTimeRecoveryStatus") == "ENABLED"
    return {
        **drift.facts(table),
        drift.TTL: ttl["AttributeName"] if ttl.get("TimeToLiveStatus") in {"ENABLED", "ENABLING"} else drift.OFF,
        drift.PROTECTION: _on_or_off(table.get("DeletionProtectionEnabled")),
        drift.RECOVERY: _on_or_off(recovers),
    }


def description(name: str) -> dict[str, Any] | None:
    """Return the answer of DescribeTable; ``None`` if the table is missing."""
    with translated():
        try:
            return dict(client(name).describe_table(TableName=name)["Table"])
        except ClientError as error:
            if error.response["Error"]["Code"] == "ResourceNotFoundException":
                return None
            raise


def size_of(name: str) -> tuple[int, int]:
    """Return about how many items and bytes a table has; 0 if it is missing. DynamoDB counts every six hours."""
    found = description(name) or {}
    return int(found.get("ItemCount", 0)), int(found.get("TableSizeBytes", 0))


def create_table(name: str, *, expires: str = "") -> bool:
    """Create a registered table if it is missing, wait until it is ready, and return whether it was missing.

    ``expires`` is the field with the time after which DynamoDB deletes an item.
    """
    created = description(name) is None
    if created:
        try:
            with translated():
                client(name).create_table(**definition(name))
        except Unavailable as error:
            if error.code != "ResourceInUseException":  # another process was quicker
                raise
            created = False
    with translated():
        client(name).get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 120})
        if created and expires:
            _change(name, drift.TTL)
    for function in _created.get(bound(name), ()) if created else ():
        function()
    return created


# --- Bring tables to what is declared ------------------------------------------------------------------------


class Step(NamedTuple):
    """A change of a table that was made, or that cannot be made in place: then ``failed`` is true."""

    table: str
    text: str
    failed: bool = False

    def __str__(self) -> str:
        return f"{scoped(self.table)}: {self.text}"


def migrate() -> Iterator[Step]:
    """Change every table to what its model and the settings declare, and yield each step as it happens.

    Nothing is deleted. The call is safe to repeat, and to run in two processes at once. An impossible change is a step
    that ``failed``.

    Raises: ``Unavailable``.
    """
    for name in names():
        yield Step(name, "created" if create_table(name) else "there already")
        yield from _update(name)


def _update(name: str) -> Iterator[Step]:
    """Change what differs, one thing after the other, as DynamoDB adds one index at a time; then say what else differs.

    Another process may do the same, and DescribeTable may be a moment behind. So a refusal means to look again. There
    is no time limit: an index of a large table takes hours.
    """
    said, refusals = "", 0
    while True:
        there = described(name)
        if there is None:
            raise Unavailable(f"The table {name} was deleted meanwhile.", "ResourceNotFoundException")
        statuses = drift.named(there, "status of")
        text = ", ".join(f"{what} is {status}" for what, status in statuses.items() if status != drift.ACTIVE)
        found = [*differences(name, there)]
        wanted = [each.fact for each in found if each.remedy == drift.Remedy.UPDATE]
        if not wanted:
            yield from (Step(name, each.text, each.remedy != drift.Remedy.SURPLUS) for each in found)
            return
        if not text:
            try:
                with translated():
                    _change(name, wanted[0])
            except Unavailable as error:
                refusals += 1
                if error.code not in NOT_NOW or refusals == TRIES:
                    raise
            else:
                refusals = 0
                yield Step(name, f"adding {wanted[0]}" if wanted[0].startswith("index") else f"{wanted[0]} enabled")
                continue
        elif text != said:
            said = text
            yield Step(name, text)
        time.sleep(POLL_SECONDS)


def _change(name: str, fact: str) -> None:
    """Send the request that makes a fact of a table as it is declared."""
    dynamodb: Any = client(name)
    if fact == drift.PROTECTION:
        dynamodb.update_table(TableName=name, DeletionProtectionEnabled=True)
    elif fact == drift.RECOVERY:
        recovery = {"PointInTimeRecoveryEnabled": True}
        dynamodb.update_continuous_backups(TableName=name, PointInTimeRecoverySpecification=recovery)
    elif fact == drift.TTL:
        ttl = {"Enabled": True, "AttributeName": ttl_attribute(name)}
        dynamodb.update_time_to_live(TableName=name, TimeToLiveSpecification=ttl)
    else:
        wanted = definition(name)
        every = [*wanted.get("GlobalSecondaryIndexes", ()), *wanted.get("LocalSecondaryIndexes", ())]
        (index,) = (each for each in every if fact == f"index {each['IndexName']}")
        keys = {part["AttributeName"] for part in index["KeySchema"]}
        dynamodb.update_table(
            TableName=name,
            AttributeDefinitions=[each for each in wanted["AttributeDefinitions"] if each["AttributeName"] in keys],
            GlobalSecondaryIndexUpdates=[{"Create": index}],
        )


def _on_or_off(value: bool | None) -> str:
    return drift.UNSUPPORTED if value is None else (drift.ON if value else drift.OFF)


def _hash_first(schema: list[dict[str, str]]) -> list[dict[str, str]]:
    return sorted(schema, key=itemgetter("KeyType"))
