"""Stored data of an earlier release come over: ``upgrade_items`` brings them forward, and the pages show them.

``data/items-2026-11.jsonl`` has items of every kind, as the release of November 2026 wrote them; a line has the table
and the item in DynamoDB's JSON. No later release writes such items, so the file cannot be made again.
"""

import json
import re
from collections.abc import Iterable, Mapping
from io import StringIO
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client

from dynamodb_lists.connection.client import client
from dynamodb_lists.connection.engine import Engine
from dynamodb_lists.schema import migration, tables
from tests.helpers.faults import ORDERS, assert_all_in_step, settle_in, verify
from tests.helpers.kinds import Item, assert_all_kinds
from tests.helpers.markup import ListMarkup

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]
STORED = Path(__file__).parent / "data" / "items-2026-11.jsonl"
LINES = [json.loads(line) for line in STORED.read_text(encoding="utf-8").splitlines()]


def of_kind(kind: str, **having: str) -> list[Mapping[str, Any]]:
    """The stored items of a kind whose attributes have these texts, as plain values."""
    plain = [{name: next(iter(value.values())) for name, value in line["item"].items()} for line in LINES]
    return [item for item in plain if item["kind"] == kind and having.items() <= item.items()]


INDEXES = {
    "by-order": ("SK", "PK"),
    "open-orders": ("placed_shard", "placed_id"),
    "unfinished": ("unfinished_shard", "placed_id"),
    "hotel-unfinished": ("unfinished_hotel", "placed_id"),
    "by-hotel": ("hotel_id", "order_placed_date"),
    "by-hotel-status": ("hotel_id", "order_status_date"),
    "big-orders": ("big_order_hotel", "big_order_total"),
}
"""The global indexes of the table of orders that the release of then had, beside that of guests."""


def put_items() -> None:
    for line in LINES:
        item: Item = line["item"]
        client().put_item(TableName=f"{settings.DYNAMODB_TABLE_PREFIX}{line['table']}", Item=item)


def fill() -> None:
    put_items()
    call_command("upgrade_items", stdout=StringIO())


def rows(staff: Client, path: str) -> list[str]:
    response = staff.get(path)
    assert response.status_code == 200, (path, response.content)
    return sorted(ListMarkup(response.content).rows)


def values(items: Iterable[Mapping[str, Any]], name: str) -> list[str]:
    return sorted(item[name] for item in items)


def assert_only_statistics_are_missing() -> None:
    """No upgrade counts them. A repair does."""
    faults, passed = verify("--repair")
    assert passed
    assert all(": the statistics " in fault for fault in faults.splitlines())
    assert verify() == ("", True)


def test_upgraded_data_have_no_faults(monkeypatch: pytest.MonkeyPatch) -> None:
    settle_in(monkeypatch, 0.05)
    assert_only_statistics_are_missing()
    assert_all_kinds()
    assert_all_in_step()


def test_every_list_shows_the_upgraded_data(manager: Client) -> None:
    orders = of_kind("order")
    unfinished = [order for order in orders if order["status"] in {"PLACED", "PROCESSING", "SHIPPED"}]
    assert {order["status"] for order in orders} == {"PLACED", "PROCESSING", "SHIPPED", "DELIVERED", "CANCELLED"}
    assert rows(manager, "/orders/unfinished/") == values(unfinished, "order_id")
    for status in ("PLACED", "PROCESSING", "SHIPPED"):
        assert rows(manager, f"/orders/unfinished/?status={status}") == values(
            of_kind("order", status=status), "order_id"
        )
    for hotel_id in ("abc", "sea"):
        of_hotel = of_kind("order", hotel_id=hotel_id)
        assert rows(manager, f"/hotels/{hotel_id}/orders/") == values(of_hotel, "order_id")
        big = [order for order in of_hotel if float(order["total"]) >= 1000]
        assert rows(manager, f"/hotels/{hotel_id}/orders/big/") == values(big, "order_id")
        rooms = [room for room in of_kind("room") if room["pk"] == f"hotel#{hotel_id}#rooms"]
        assert rows(manager, f"/hotels/{hotel_id}/rooms/") == values(rooms, "number")
        assert rows(manager, f"/hotels/{hotel_id}/rooms/?sort=-rate") == values(rooms, "number")
        shipped = of_kind("order", hotel_id=hotel_id, status="SHIPPED")
        assert rows(manager, f"/hotels/{hotel_id}/orders/?status=SHIPPED") == values(shipped, "order_id")
    page = ListMarkup(manager.get("/orders/unfinished/").content)
    for order in unfinished:
        (guest,) = of_kind("guest", username=order["username"])
        shown = page.text(f"tr[data-row={order['order_id']}] td[data-label=Guest] bdi")
        assert shown == guest["name"], "until the guest is renamed, it is the name of today"
    assert rows(manager, "/hotels/abc/attention/?status=attention") == ["101", "103", "104"]
    assert rows(manager, "/hotels/abc/reviews/") == sorted(item["pk"].split("#")[1] for item in of_kind("review"))
    assert rows(manager, "/guests/") == values(of_kind("guest"), "username")
    assert rows(manager, "/guests/?q=leroux") == ["alex"]
    assert rows(manager, "/hotels/") == ["abc", "sea"]
    assert len(rows(manager, "/history/room/abc/101/")) == 1


def test_every_page_shows_its_upgraded_item(manager: Client) -> None:
    for order in of_kind("order"):
        found = manager.get(f"/search/?q={order['order_id'][-5:]}")
        assert f"Order {order['order_id']}" in found.content.decode(), "by the end of its number"
        page = ListMarkup(manager.get(f"/orders/{order['order_id']}/").content)
        assert page.element("dl.facts")["data-status"] == order["status"]
        assert len(page.soup.select("[data-list=items] tbody tr:not(.nothing)")) == int(order["item_count"])
    for guest in of_kind("guest"):
        response = manager.get(f"/guests/{guest['username']}/")
        assert guest["name"] in response.content.decode()
        assert rows(manager, response.wsgi_request.path) == values(
            of_kind("order", username=guest["username"]), "order_id"
        )
    assert b"Thank you." in manager.get("/reviews/r-1/").content
    assert b"Water damage" in manager.get("/hotels/abc/rooms/103/").content


def earlier_table() -> dict[str, Any]:
    """The table of orders as the release of then created it. What its indexes projected does not matter here."""
    definition = tables.definition(ORDERS)
    kept = [index for index in definition["GlobalSecondaryIndexes"] if index["IndexName"] == "guests"]
    earlier = [
        {
            "IndexName": name,
            "KeySchema": [
                {"AttributeName": key, "KeyType": kind} for key, kind in zip(names, ("HASH", "RANGE"), strict=True)
            ],
            "Projection": {"ProjectionType": "KEYS_ONLY"},
        }
        for name, names in INDEXES.items()
    ]
    indexes = [*definition["LocalSecondaryIndexes"], *kept, *earlier]
    used = sorted({part["AttributeName"] for index in [definition, *indexes] for part in index["KeySchema"]})
    attributes = [{"AttributeName": name, "AttributeType": "N" if name == "big_order_total" else "S"} for name in used]
    return {**definition, "AttributeDefinitions": attributes, "GlobalSecondaryIndexes": [*kept, *earlier]}


def test_what_the_documents_say_brings_the_table_of_orders_over(
    own_engine: Engine, manager: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migration, "POLL_SECONDS", 0.01)
    settle_in(monkeypatch, 0.05)
    client().delete_table(TableName=ORDERS)
    client().create_table(**earlier_table())
    put_items()
    text = (Path(settings.BASE_DIR) / "CHANGELOG.md").read_text(encoding="utf-8")
    section = text.partition("### From a release without names in orders")[2].partition("\n### ")[0]
    (script,) = re.findall(r"shell --no-imports <<END\n(.*?) +END\n", section, re.DOTALL)
    exec(dedent(script).replace("users-and-orders", ORDERS), {})
    assert gsis() == {"guests"}
    for command in ("upgrade_items", "create_tables", "check_tables"):
        call_command(command, stdout=StringIO())
    assert not gsis() & INDEXES.keys()
    assert_only_statistics_are_missing()
    assert len(rows(manager, "/hotels/abc/orders/")) == len(of_kind("order", hotel_id="abc"))


def gsis() -> set[str]:
    return {
        index["IndexName"] for index in client().describe_table(TableName=ORDERS)["Table"]["GlobalSecondaryIndexes"]
    }
