"""Lists over tables that exist already: a shop in one table, and tables whose keys are numbers, bytes or any text."""

import os
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any

from dynamodb_lists import Field, Index, List, Record, Table
from dynamodb_lists.connection.client import client

PREFIX = os.environ.get("PREFIX", "")
SHOP = Table(
    f"{PREFIX}told-shop",
    key=("PK", "SK"),
    indexes={
        "GSI1": ("GSI1PK", "GSI1SK"),
        "by-day": Index("day", "total", when=[{"express": True}]),
        "GSI2": ("GSI2PK", "SK"),
    },
    numbers=["total"],
)
DEVICES = Table(f"{PREFIX}told-devices", key=("serial",), numbers=["serial"])
BLOBS = Table(f"{PREFIX}told-blobs", key=("digest", "part"), numbers=["part"], binaries=["digest"])
NOTES = Table(f"{PREFIX}told-notes", key=("owner", "id"))
WORDS = Table(f"{PREFIX}told-words", key=("word",))


class State(StrEnum):
    PLACED = "PLACED"
    SENT = "SENT"
    DONE = "DONE"


@dataclass(frozen=True, kw_only=True)
class Customer(Record):
    username: str
    name: str
    email: str = ""


@dataclass(frozen=True, kw_only=True)
class Order(Record):
    username: str
    order_id: str
    state: State
    placed: datetime
    day: str
    total: Decimal
    express: bool = False
    note: str = ""
    tags: set[str] | None = None
    address: dict[str, Any] | None = None
    paid: Annotated[datetime | None, Field("Paid at")] = None


@dataclass(frozen=True, kw_only=True)
class Device(Record):
    serial: int
    name: str
    size: int | None = None
    version: int = 0


@dataclass(frozen=True, kw_only=True)
class Blob(Record):
    digest: bytes
    part: int
    label: str = ""


@dataclass(frozen=True, kw_only=True)
class Note(Record):
    owner: str
    id: str
    text: str = ""
    count: int = 0


@dataclass(frozen=True, kw_only=True)
class Word(Record):
    word: str
    text: str = ""


CUSTOMERS = List(Customer, id="username", table=SHOP, key=("USER#{username}", "PROFILE"), name="told_customers")
ORDERS = List(
    Order,
    id="order_id",
    table=SHOP,
    key=("USER#{username}", "ORDER#{order_id}"),
    keys={"GSI1PK": "STATE#{state}", "GSI1SK": "{placed:time}#{order_id}", "GSI2PK": "NOTE#{note}#{day}"},
    writes=True,
    name="told_orders",
)
DEVICE_LIST = List(
    Device, id="serial", table=DEVICES, key="{serial}", writes=True, revision="version", name="told_devices"
)
BLOB_LIST = List(Blob, id="part", table=BLOBS, key=("{digest}", "{part}"), name="told_blobs")
NOTE_LIST = List(Note, id="id", table=NOTES, key=("{owner}", "{id}"), writes=True, name="told_notes")
WORD_LIST = List(Word, id="word", table=WORDS, key="{word}", name="told_words")


def create(table: Table, **types: str) -> None:
    """Create a table, as others have, with the types of the attributes of its keys."""
    roles: Any = ("HASH", "RANGE")
    names = {*table.key, *(name for index in table.indexes.values() for name in (index.partition, index.sort))}
    indexes = [
        {
            "IndexName": name,
            "KeySchema": [
                {"AttributeName": each, "KeyType": role}
                for each, role in zip((index.partition, index.sort), roles, strict=True)
            ],
            "Projection": {"ProjectionType": "ALL"},
        }
        for name, index in table.indexes.items()
    ]
    client().create_table(
        TableName=table.name,
        BillingMode="PAY_PER_REQUEST",
        KeySchema=[{"AttributeName": n, "KeyType": role} for n, role in zip(table.key, roles, strict=False)],
        AttributeDefinitions=[{"AttributeName": n, "AttributeType": types.get(n, "S")} for n in sorted(names)],  # type: ignore[typeddict-item]
        **({"GlobalSecondaryIndexes": indexes} if indexes else {}),  # type: ignore[arg-type]
    )


def put(table: Table, **attributes: Any) -> None:
    """Store an item as others do."""
    client().put_item(TableName=table.name, Item=attributes)


def raw(table: Table, **key: Any) -> dict[str, Any]:
    """Return an item as it is stored."""
    return client().get_item(TableName=table.name, Key=key, ConsistentRead=True)["Item"]


def create_all() -> None:
    """Create all tables."""
    create(SHOP, total="N")
    create(DEVICES, serial="N")
    create(BLOBS, digest="B", part="N")
    create(NOTES)
    create(WORDS)


def order(number: int, user: str = "ann", **more: Any) -> dict[str, Any]:
    """Return the item of an order, with attributes that no declaration names."""
    state, placed = [*State][number % 3], f"2024-03-{number % 28 + 1:02}T10:00:00Z"
    item = {
        "PK": {"S": f"USER#{user}"},
        "SK": {"S": f"ORDER#O-{number:03}"},
        "GSI1PK": {"S": f"STATE#{state}"},
        "GSI1SK": {"S": f"{placed}#O-{number:03}"},
        "state": {"S": str(state)},
        "placed": {"S": placed},
        "day": {"S": placed[:10]},
        "total": {"N": f"{number * 37 % 50}.25"},
        "express": {"BOOL": number % 2 == 1},
        "tags": {"SS": ["b", "a"]},
        "paid": {"NULL": True},
        "views": {"N": "17"},
        "address": {"M": {"city": {"S": "Çankaya"}, "zips": {"L": [{"N": "5.5"}, {"NULL": True}]}}},
        "picture": {"B": b"\x00\xff"},
        "pictures": {"BS": [b"\x00\xff", b"a"]},
        "ttl": {"N": "1893456000"},
    }
    return {**item, **more}


def fill() -> None:
    """Customers, and forty orders of each of two; beside them an item of no list."""
    for user in ("ann", "bob"):
        put(SHOP, PK={"S": f"USER#{user}"}, SK={"S": "PROFILE"}, name={"S": user.title()})
        for number in range(40):
            put(SHOP, **order(number, user))
        put(SHOP, PK={"S": f"USER#{user}"}, SK={"S": "WISH#1"}, what={"S": "A <b>kettle</b>"})
