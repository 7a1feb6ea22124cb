"""Stored data, faults in it that a test makes by hand, and ``verify_data``, which finds them."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from dynamodb_lists.connection.client import client
from dynamodb_lists.django.declaring import rules
from dynamodb_lists.maintenance.rules import GroupRule
from hotels.models import HotelModel
from orders import models as order_models
from reviews import commands as reviews
from reviews import models as review_models
from rooms import commands as rooms
from rooms.entities import StatusChange
from rooms.statuses import Housekeeping
from tests.helpers.orders import AT, make_items, make_order, orders_of_all_statuses, store
from tests.helpers.reviews import make_review
from tests.helpers.rooms import make_hotel, make_room

HOTELS, ORDERS, REVIEWS = HotelModel.Meta.table_name, order_models.TABLE, review_models.TABLE
ROOMS, COUNTS = "hotel#abc#rooms", "hotel#abc#rooms#counts"
ORDER = ("USER#alex", "ORDER#o-000")  # it is PLACED, and its total is 1000
DIRTY_ROOM = (ROOMS, "102")
RECENTLY = datetime.now(UTC).replace(microsecond=0)
"""When the only order was placed whose day has statistics."""

Key = tuple[str, str]


def settle_in(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Let ``verify_data`` wait only so long before it looks at a difference again."""
    for rule in rules():
        if isinstance(rule, GroupRule):
            monkeypatch.setattr(rule, "settle_seconds", seconds)


def fill() -> None:
    """Two hotels with rooms and one without, guests with orders, and reviews."""
    make_hotel([make_room(str(100 + n), ["Sea view", "Garden"][n % 2], 40 + n % 3, "Suite") for n in range(20)])
    rooms.set_status("abc", "102", StatusChange(Housekeeping.DIRTY), "anna")
    make_hotel([make_room("101", hotel_id="xyz")], hotel_id="xyz", name="Hotel XYZ")
    make_hotel([], hotel_id="empty", name="Empty")
    store(orders_of_all_statuses(25))
    store([make_order("lines", "bo", items=make_items(4)), make_order("none", "bo", items=(), total=0)])
    store([make_order("recent", "bo", placed_at=RECENTLY, total=Decimal("99.5"))])
    reviews.save_reviews(
        [make_review(f"r-{n}", ["en", "de"][n % 2], n % 5 + 1, AT + timedelta(hours=n)) for n in range(30)]
    )
    reviews.save_reviews([make_review("in-room", room_number="101")])


def verify(*options: str) -> tuple[str, bool]:
    """Return the faults that the command names, and whether its exit status is 0."""
    err = StringIO()
    try:
        call_command("verify_data", *options, stdout=StringIO(), stderr=err)
    except CommandError:
        return err.getvalue(), False
    return err.getvalue(), True


def key_of(table: str, key: Key) -> Any:
    """Return the key attributes of an item."""
    names = ("PK", "SK") if table == ORDERS else ("pk", "sk")
    return {name: {"S": value} for name, value in zip(names, key, strict=True)}


def item(table: str, key: Key) -> dict[str, Any]:
    """Return the item as it is stored."""
    return dict(client().get_item(TableName=table, Key=key_of(table, key), ConsistentRead=True)["Item"])


def change(table: str, key: Key, **attributes: Any) -> None:
    """Set attributes of an item, or remove those that are ``None``."""
    changed = {**item(table, key), **attributes}
    client().put_item(TableName=table, Item={name: value for name, value in changed.items() if value is not None})


def delete(table: str, key: Key) -> None:
    """Delete an item."""
    client().delete_item(TableName=table, Key=key_of(table, key))


def copy(table: str, key: Key, to: Key, **attributes: Any) -> None:
    """Store an item under another key, too."""
    names = key_of(table, to)
    client().put_item(TableName=table, Item={**item(table, key), **names, **attributes})


def S(value: str) -> Mapping[str, str]:  # noqa: N802
    """Return a text, as DynamoDB has it."""
    return {"S": value}


def N(value: int) -> Mapping[str, str]:  # noqa: N802
    """Return a number, as DynamoDB has it."""
    return {"N": str(value)}
