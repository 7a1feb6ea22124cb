"""The lists in the table of users and their orders."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from dynamodb_lists import List, Record, Table


class Status(StrEnum):
    PLACED = "PLACED"
    SHIPPED = "SHIPPED"
    DELIVERED = "DELIVERED"


@dataclass(frozen=True, kw_only=True)
class User(Record):
    Username: str
    FullName: str
    Email: str
    CreatedAt: datetime


@dataclass(frozen=True, kw_only=True)
class Order(Record):
    OrderId: str
    Username: str
    Status: Status
    CreatedAt: datetime
    PlacedId: str | None = None


@dataclass(frozen=True, kw_only=True)
class Item(Record):
    ItemId: str
    OrderId: str
    Product: str
    Price: Decimal


TABLE = Table(
    "users-and-orders",
    key=("PK", "SK"),
    indexes={
        "PK-OrderStatusDate-index": ("PK", "OrderStatusDate"),
        "SK-PK-index": ("SK", "PK"),
        "PlacedId-index": ("PlacedId",),
    },
)
USERS = List(User, table=TABLE, id="Username", key=("USER#{Username}", "#PROFILE#{Username}"))
ORDERS = List(
    Order,
    table=TABLE,
    id="OrderId",
    key=("USER#{Username}", "ORDER#{OrderId}"),
    keys={"OrderStatusDate": "{Status}#{CreatedAt}"},
    writes=True,
)
ITEMS = List(Item, table=TABLE, id="ItemId", key=("ITEM#{ItemId}", "ORDER#{OrderId}"))
