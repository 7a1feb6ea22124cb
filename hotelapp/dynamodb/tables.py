"""Every table of the project: register, create what is missing, wait until it is ready, empty, delete."""

from collections.abc import Iterator

from botocore.exceptions import ClientError
from django.conf import settings
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
            _registry[name].update_ttl(ignore_update_ttl_errors=False)
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
        _registry[name].create_table(wait=False, billing_mode=PAY_PER_REQUEST_BILLING_MODE)
    except TableError as error:
        if error.cause_response_code != "ResourceInUseException":  # somebody else was quicker
            raise
        return False
    return True
