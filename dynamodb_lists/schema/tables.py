"""Every table of the project: register it, describe it, create it if it is missing, delete it."""

from operator import itemgetter
from typing import Any

from botocore.exceptions import ClientError
from pynamodb.attributes import TTLAttribute
from pynamodb.models import Model

from dynamodb_lists.connection.client import client, translated
from dynamodb_lists.connection.configuration import configuration
from dynamodb_lists.connection.errors import Unavailable
from dynamodb_lists.schema.drift import OFF, ON, PROTECTION, RECOVERY, TTL, UNSUPPORTED, Facts, facts

_registry: dict[str, type[Model]] = {}
_NOT_SUPPORTED = {"UnknownOperationException", "ValidationException"}
"""The error code of an engine other than AWS for an operation that it does not have."""


def table_name(name: str) -> str:
    """A table's full name: the one that is configured for it, or the configured prefix and the name."""
    configured = configuration()
    return configured.table_names.get(name) or f"{configured.table_prefix}{name}"


def register(model: type[Model]) -> type[Model]:
    """Class decorator: this model declares the keys and indexes of its table. Other models may share the table."""
    _registry[model.Meta.table_name] = model
    return model


def names() -> list[str]:
    return sorted(_registry)


def definition(name: str) -> dict[str, Any]:
    """A table as its model declares it, in the words of CreateTable and CloudFormation, sorted by names."""
    schema: Any = _registry[name]._get_schema()
    attributes = {attribute["AttributeName"]: attribute for attribute in schema["attribute_definitions"]}
    defined = {
        "TableName": name,
        "BillingMode": "PAY_PER_REQUEST",
        "TableClass": getattr(_registry[name].Meta, "table_class", "STANDARD"),
        "AttributeDefinitions": [attributes[attribute] for attribute in sorted(attributes)],
        "KeySchema": _hash_first(schema["key_schema"]),
    }
    for kind in ("Local", "Global"):
        indexes = sorted(schema[f"{kind.lower()}_secondary_indexes"], key=itemgetter("index_name"))
        if indexes:
            defined[f"{kind}SecondaryIndexes"] = [
                {
                    "IndexName": index["index_name"],
                    "KeySchema": _hash_first(index["key_schema"]),
                    "Projection": index["projection"],
                }
                for index in indexes
            ]
    return defined


def ttl_attribute(name: str) -> str:
    """The attribute that a table's model declares as its TTL; blank if there is none."""
    attributes = _registry[name].get_attributes().values()
    return next((attribute.attr_name for attribute in attributes if isinstance(attribute, TTLAttribute)), "")


def declared(name: str) -> Facts:
    """The facts that a table's model and the settings declare. Protection is among them only if it is asked for."""
    configured = configuration()
    protection = {PROTECTION: ON, RECOVERY: ON} if configured.protected else {}
    return {**facts(definition(name)), TTL: ttl_attribute(name) or OFF, **protection}


def described(name: str) -> Facts | None:
    """The facts of a table in DynamoDB, in six requests at most; ``None`` if it is missing."""
    table = description(name)
    if table is None:
        return None
    with translated():
        ttl = _ttl(name)
    return {
        **facts(table),
        TTL: ttl or OFF,
        PROTECTION: _on_or_off(table.get("DeletionProtectionEnabled")),
        RECOVERY: _recovery(name),
    }


def description(name: str) -> dict[str, Any] | None:
    """The answer of DescribeTable; ``None`` if the table is missing."""
    with translated():
        try:
            return dict(client().describe_table(TableName=name)["Table"])
        except ClientError as error:
            if error.response["Error"]["Code"] == "ResourceNotFoundException":
                return None
            raise


def size_of(name: str) -> int:
    """About how many items a table has; 0 if it is missing. DynamoDB counts them every six hours."""
    return int((description(name) or {}).get("ItemCount", 0))


def create_table(name: str) -> bool:
    """Create a registered table if it is missing, and wait until it is ready; returns whether it was missing."""
    created = description(name) is None
    if created:
        try:
            with translated():
                client().create_table(**definition(name))
        except Unavailable as error:
            if error.code != "ResourceInUseException":  # another process was quicker
                raise
            created = False
    with translated():
        client().get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 120})
    return created


def _ttl(name: str) -> str:
    """The attribute that is a table's TTL, as DynamoDB says; blank if TTL is off."""
    described = client().describe_time_to_live(TableName=name)["TimeToLiveDescription"]
    return described.get("AttributeName", "") if described.get("TimeToLiveStatus") in {"ENABLED", "ENABLING"} else ""


def _recovery(name: str) -> str:
    """Whether point-in-time recovery is on. AWS has it, so every error of AWS is one; other endpoints may not."""
    try:
        with translated():
            answer = client().describe_continuous_backups(TableName=name)
    except Unavailable as error:
        if configuration().endpoint_url is None or error.code not in _NOT_SUPPORTED:
            raise
        return UNSUPPORTED
    recovery = answer["ContinuousBackupsDescription"].get("PointInTimeRecoveryDescription", {})
    return _on_or_off(recovery.get("PointInTimeRecoveryStatus") == "ENABLED")


def _on_or_off(value: bool | None) -> str:
    return UNSUPPORTED if value is None else (ON if value else OFF)


def _hash_first(schema: list[dict[str, str]]) -> list[dict[str, str]]:
    return sorted(schema, key=itemgetter("KeyType"))
