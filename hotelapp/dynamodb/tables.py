"""Every table of the project: register, create what is missing, wait until it is ready, empty, delete."""

from collections.abc import Iterator

from botocore.exceptions import ClientError
from django.conf import settings
from pynamodb.attributes import TTLAttribute
from pynamodb.constants import PAY_PER_REQUEST_BILLING_MODE
from pynamodb.exceptions import TableError
from pynamodb.models import Model

from hotelapp.dynamodb.client import client
from hotelapp.dynamodb.errors import translated

_registry: dict[str, type[Model]] = {}


def table_name(name: str) -> str:
    """A table's full name: the configured prefix and the name that its app gives it."""
    return f"{settings.DYNAMODB_TABLE_PREFIX}{name}"


def register(model: type[Model]) -> type[Model]:
    """Class decorator: this model declares its table's keys and indexes (others may share the table)."""
    _registry[model.Meta.table_name] = model
    return model


def names() -> list[str]:
    """The full names of all registered tables."""
    return sorted(_registry)


def create_missing() -> Iterator[tuple[str, bool]]:
    """Create each table that does not exist and wait for it; yields its name and whether it was made now.

    Safe to repeat, and to run from two places at once. Raises :class:`~hotelapp.dynamodb.errors.Unavailable`.
    """
    for name in names():
        with translated():
            made = _create(name)
            client().get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 120})
            _enable_ttl(name)
        yield name, made


def delete_all() -> None:
    """Delete every registered table with all it holds. For tests and benchmarks."""
    for name in names():
        if _exists(name):
            client().delete_table(TableName=name)
            client().get_waiter("table_not_exists").wait(TableName=name)


def _exists(name: str) -> bool:
    try:
        client().describe_table(TableName=name)
    except ClientError as error:
        if error.response["Error"]["Code"] == "ResourceNotFoundException":
            return False
        raise
    return True


def _create(name: str) -> bool:
    if _exists(name):
        return False
    try:
        # PynamoDB asks for the TTL at once, which a table that is still being made may refuse; _enable_ttl asks later.
        _registry[name].create_table(
            wait=False, billing_mode=PAY_PER_REQUEST_BILLING_MODE, ignore_update_ttl_errors=True
        )
    except TableError as error:
        if error.cause_response_code != "ResourceInUseException":  # somebody else was quicker
            raise
        return False
    return True


def _enable_ttl(name: str) -> None:
    """Let DynamoDB delete what has expired, if the table's model has a TTL attribute.

    AWS refuses to switch on what is on, so this asks first; and once more, in case somebody else was quicker.
    """
    model = _registry[name]
    if not any(isinstance(attribute, TTLAttribute) for attribute in model.get_attributes().values()) or _has_ttl(name):
        return
    try:
        model.update_ttl(ignore_update_ttl_errors=False)
    except TableError:
        if not _has_ttl(name):
            raise


def _has_ttl(name: str) -> bool:
    described = client().describe_time_to_live(TableName=name)["TimeToLiveDescription"]
    return described.get("TimeToLiveStatus") in {"ENABLED", "ENABLING"}
