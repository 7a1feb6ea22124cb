"""What every PynamoDB model of the project stands on."""

from decimal import Decimal
from threading import Lock
from typing import Any

from pynamodb.attributes import Attribute
from pynamodb.connection.table import TableConnection
from pynamodb.constants import NUMBER
from pynamodb.models import Model

from hotelapp.dynamodb.client import client

_connecting = Lock()


class DecimalAttribute(Attribute[Decimal]):
    """A DynamoDB Number that stays exact. PynamoDB's own ``NumberAttribute`` goes through float."""

    attr_type = NUMBER

    def serialize(self, value: Decimal) -> str:
        """The number in plain digits, at most DynamoDB's 38."""
        return format(value, "f")

    def deserialize(self, value: str) -> Decimal:
        """The number as stored."""
        return Decimal(value)


class PortalModel(Model):
    """A PynamoDB model that talks through the shared client, so that one pool and one ledger see every call."""

    @classmethod
    def connection(cls) -> TableConnection:
        """PynamoDB's connection to the model's table."""
        return cls._get_connection()

    @classmethod
    def _get_connection(cls) -> TableConnection:
        shared: Any = client()
        connection = cls._connection
        if connection is None or connection.connection._client is not shared:
            # Under a lock: a connection seen without its client would make one of its own, for another endpoint.
            with _connecting:
                connection = super()._get_connection()
                connection.connection._client = shared
        return connection


RawItem = dict[str, dict[str, Any]]
"""An item as DynamoDB sends it: ``{"rate": {"N": "120.50"}}``."""
