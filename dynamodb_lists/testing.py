"""Tables for tests: each process has its own, which are empty at each test, and deleted at the end.

Once tests have begun, the names of tables get a prefix of the process, and a request about any other table is refused
before it is sent. Tests begin with ``manage.py test``, and with pytest, whose plugin is
:mod:`dynamodb_lists.pytest_plugin`. Any other runner calls :func:`begin_tests` before lists are declared.
"""

import atexit
from functools import partial
from multiprocessing import parent_process
from typing import Any
from unittest import TestCase

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.client import client, translated
from dynamodb_lists.connection.configuration import begin_tests, prefix_of_tests
from dynamodb_lists.connection.errors import NotConfigured
from dynamodb_lists.declared.told import Table
from dynamodb_lists.lists.list import tables_of_others
from dynamodb_lists.maintenance.scans import scan
from dynamodb_lists.reading.fetching import in_parallel
from dynamodb_lists.schema import tables

__all__ = ["EmptyTables", "begin_tests", "create_tables", "delete_tables", "empty_tables"]

_keys: dict[str, list[str]] = {}
"""The tables that were created, each with the attributes of its key."""
_written: set[str] = set()


def create_tables() -> None:
    """Create the tables of all declared lists and models that this process has not created yet.

    A :class:`~dynamodb_lists.Table` gets the key and the indexes of its declaration.

    Raises: ``NotConfigured`` if tests have not begun, and in a forked process, because both would use the same tables.
    """
    if not prefix_of_tests():
        raise NotConfigured("Call dynamodb_lists.testing.begin_tests() before lists are declared.")
    if parent_process():
        raise NotConfigured("Tests that use tables run in one process: leave --parallel out, or use pytest-xdist.")
    others = {table.name: table for table in tables_of_others()}
    new = [name for name in (*tables.names(), *others) if name not in _keys]
    in_parallel([partial(_create, name, others.get(name)) for name in new])
    if _note not in ledger.observers:
        ledger.observers.append(_note)


def delete_tables() -> None:
    """Delete the tables that :func:`create_tables` has created."""
    with translated():
        in_parallel([partial(client(name).delete_table, TableName=name) for name in _keys])
    _keys.clear()


def empty_tables() -> None:
    """Delete all items of the tables into which this process has written."""
    for name in [each for each in _keys if each in _written]:
        for page in scan(name):
            keys = [{attribute: item[attribute] for attribute in _keys[name]} for item in page["Items"]]
            in_parallel([partial(client(name).delete_item, TableName=name, Key=key) for key in keys])
    _written.clear()


class EmptyTables(TestCase):
    """A test case whose tests begin with empty tables, which are deleted at the end. Name it before Django's."""

    @classmethod
    def setUpClass(cls) -> None:
        create_tables()
        atexit.unregister(delete_tables)
        atexit.register(delete_tables)
        super().setUpClass()

    def setUp(self) -> None:
        empty_tables()
        super().setUp()


def _note(call: ledger.Call) -> None:
    if not call.reads:
        _written.update(call.tables)


def _create(name: str, of_others: Table | None) -> None:
    if of_others is None:
        tables.create_table(name)
        definition = tables.definition(name)
    else:
        definition = _definition(of_others)
        with translated():
            client(name).create_table(**definition)
            client(name).get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1})
    _keys[name] = [part["AttributeName"] for part in definition["KeySchema"]]


def _definition(table: Table) -> dict[str, Any]:
    """Return a :class:`Table` as a request of CreateTable. Each index is a GSI."""
    used, types = table.key_attributes, dict.fromkeys(table.numbers, "N") | dict.fromkeys(table.binaries, "B")
    found: dict[str, Any] = {
        "TableName": table.name,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": types.get(name, "S")} for name in used],
        "KeySchema": _schema(table.key),
    }
    for name, index in table.indexes.items():
        some = {"ProjectionType": "INCLUDE", "NonKeyAttributes": [*(index.shows or ())]}
        projection = {"ProjectionType": "ALL"} if index.shows is None else some
        each = {"IndexName": name, "KeySchema": _schema(index.key), "Projection": projection}
        found.setdefault("GlobalSecondaryIndexes", []).append(each)
    return found


def _schema(key: Any) -> list[dict[str, str]]:
    return [{"AttributeName": name, "KeyType": kind} for name, kind in zip(key, ("HASH", "RANGE"), strict=False)]
