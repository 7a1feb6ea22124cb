"""The tables of the engine that a test uses."""

from dynamodb_lists.connection.client import client
from dynamodb_lists.schema import tables
from rooms.queries.rooms import _kept as kept_counts


def delete_all() -> None:
    """Delete every registered table and its items."""
    for name in tables.names():
        if tables.description(name):
            client().delete_table(TableName=name)
            client().get_waiter("table_not_exists").wait(TableName=name)


def forget_counts() -> None:
    """Let this process know no counts of a hotel's rooms, as a new process does."""
    kept_counts.cache_clear()
