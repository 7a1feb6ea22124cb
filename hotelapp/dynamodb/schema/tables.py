"""Every table of the project: register it, describe it, create it if it is missing, delete it."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from botocore.exceptions import ClientError
from django.conf import settings
from pynamodb.attributes import TTLAttribute
from pynamodb.constants import PAY_PER_REQUEST_BILLING_MODE
from pynamodb.exceptions import TableError
from pynamodb.models import Model

from hotelapp.dynamodb.connection.client import client, translated
from hotelapp.dynamodb.connection.errors import Unavailable
from hotelapp.dynamodb.schema import drift
from hotelapp.dynamodb.schema.drift import IndexState, TableState

_registry: dict[str, type[Model]] = {}
_NOT_SUPPORTED = {"UnknownOperationException", "ValidationException"}
"""What an engine other than AWS answers to an operation that it does not have."""


def table_name(name: str) -> str:
    """A table's full name: the one that is configured for it, or the configured prefix and its app's name for it."""
    return settings.DYNAMODB_TABLE_NAMES.get(name) or f"{settings.DYNAMODB_TABLE_PREFIX}{name}"


def register(model: type[Model]) -> type[Model]:
    """Class decorator: this model declares the keys and indexes of its table. Other models may share the table."""
    _registry[model.Meta.table_name] = model
    return model


def names() -> list[str]:
    """The full names of all registered tables."""
    return sorted(_registry)


def declared(name: str) -> TableState:
    """What a table's model and the settings declare. Protection that the settings do not ask for is ``None``.

    LSIs come first; both kinds of indexes are in the order of their names.
    """
    schema: Any = _registry[name]._get_schema()
    indexes = [
        _declared_index(index, kind == "local")
        for kind in ("local", "global")
        for index in sorted(schema[f"{kind}_secondary_indexes"], key=lambda index: index["index_name"])
    ]
    return TableState(
        keys=drift.key_names(schema["key_schema"]),
        types=drift.attribute_types(schema["attribute_definitions"]),
        indexes={index.name: index for index in indexes},
        ttl=_ttl_attribute(name),
        protection=settings.DYNAMODB_PROTECTED or None,
        recovery=settings.DYNAMODB_PROTECTED or None,
        tags=settings.DYNAMODB_TAGS,
    )


def described(name: str) -> TableState | None:
    """What DynamoDB says of a table; ``None`` if it is missing. Six requests at most; none of them writes.

    Raises :class:`~hotelapp.dynamodb.connection.errors.Unavailable`.
    """
    state = described_schema(name)
    if state is None:
        return None
    with translated():
        ttl = _ttl(name)
    return replace(state, ttl=ttl, recovery=_recovery(name), tags=_tags(state.arn))


def described_schema(name: str) -> TableState | None:
    """What DescribeTable alone says of a table; ``None`` if it is missing."""
    with translated():
        try:
            return drift.from_description(client().describe_table(TableName=name)["Table"])
        except ClientError as error:
            if error.response["Error"]["Code"] == "ResourceNotFoundException":
                return None
            raise


def all_declared() -> dict[str, TableState]:
    """What is declared of each registered table, by the table's name without the prefix."""
    return {name.removeprefix(settings.DYNAMODB_TABLE_PREFIX): declared(name) for name in names()}


def ids() -> str:
    """The ids of all registered tables. A table that is created again has another id, though its name is the same.

    Raises :class:`~hotelapp.dynamodb.connection.errors.Unavailable`.
    """
    with translated():
        described = [client().describe_table(TableName=name)["Table"] for name in names()]
    return " ".join(f"{table['TableName']}={table.get('TableId', table['CreationDateTime'])}" for table in described)


def create_missing() -> Iterator[tuple[str, bool]]:
    """Create each missing table and wait until it is ready; yields its name and whether this call created it.

    It is safe to repeat this, and to run it in two processes at the same time.
    Raises :class:`~hotelapp.dynamodb.connection.errors.Unavailable`.
    """
    for name in names():
        with translated():
            created = _create(name)
            client().get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 120})
            _enable_ttl(name)
        yield name, created


def delete_all() -> None:
    """Delete every registered table and its items. For tests and benchmarks."""
    for name in names():
        if _exists(name):
            client().delete_table(TableName=name)
            client().get_waiter("table_not_exists").wait(TableName=name)


def _exists(name: str) -> bool:
    return described_schema(name) is not None


def _create(name: str) -> bool:
    if _exists(name):
        return False
    try:
        with translated():
            # PynamoDB sets the TTL at once. A table that is being created may refuse that; _enable_ttl sets it later.
            _registry[name].create_table(
                wait=False, billing_mode=PAY_PER_REQUEST_BILLING_MODE, ignore_update_ttl_errors=True
            )
    except Unavailable as error:
        if error.code != "ResourceInUseException":  # another process was quicker
            raise
        return False
    return True


def _enable_ttl(name: str) -> None:
    """Let DynamoDB delete expired items, if the table's model has a TTL attribute.

    AWS refuses to enable a TTL that is enabled. So this asks first, and again if another process was quicker.
    """
    if not _ttl_attribute(name) or _ttl(name):
        return
    try:
        _registry[name].update_ttl(ignore_update_ttl_errors=False)
    except TableError:
        if not _ttl(name):
            raise


def _ttl(name: str) -> str:
    """The attribute that is a table's TTL, as DynamoDB says; blank if TTL is off."""
    described = client().describe_time_to_live(TableName=name)["TimeToLiveDescription"]
    return described.get("AttributeName", "") if described.get("TimeToLiveStatus") in {"ENABLED", "ENABLING"} else ""


def _ttl_attribute(name: str) -> str:
    """The attribute that a table's model declares as its TTL; blank if there is none."""
    attributes = _registry[name].get_attributes().values()
    return next((attribute.attr_name for attribute in attributes if isinstance(attribute, TTLAttribute)), "")


def _declared_index(index: Any, local: bool) -> IndexState:
    projected = drift.projected_attributes(index["projection"])
    return IndexState(index["index_name"], drift.key_names(index["key_schema"]), local, projected)


def _recovery(name: str) -> bool | None:
    try:
        with translated():
            answer = client().describe_continuous_backups(TableName=name)
    except Unavailable as error:
        _require_unsupported(error)
        return None
    recovery = answer["ContinuousBackupsDescription"].get("PointInTimeRecoveryDescription", {})
    return recovery.get("PointInTimeRecoveryStatus") == "ENABLED"


def _tags(arn: str) -> dict[str, str] | None:
    tags: dict[str, str] = {}
    after: dict[str, Any] = {}
    try:
        while True:
            with translated():
                answer = client().list_tags_of_resource(ResourceArn=arn, **after)
            tags |= {tag["Key"]: tag["Value"] for tag in answer["Tags"]}
            if not answer.get("NextToken"):
                return tags
            after = {"NextToken": answer["NextToken"]}
    except Unavailable as error:
        _require_unsupported(error)
        return None


def _require_unsupported(error: Unavailable) -> None:
    """Raise the error, unless it is how an engine other than AWS says that it does not have the operation."""
    if settings.DYNAMODB_ENDPOINT_URL is None or error.code not in _NOT_SUPPORTED:
        raise error
