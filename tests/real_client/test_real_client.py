"""Somebody else's client reads the tables by the documented keys, and gets the documented rows.

The project's commands import the data. Then a process of its own, which has boto3 and the document alone, reads them.
"""

import csv
import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command

from tests.helpers import contents
from tests.real_client import stranger

DOCUMENT = Path(settings.BASE_DIR) / "docs" / "access-patterns.md"
TEXT = DOCUMENT.read_text(encoding="utf-8")
ROWS = dict(re.findall(r"<!-- row: ([\w-]+) -->\n```json\n(.*?)\n```", TEXT, re.DOTALL))
AT = datetime(2023, 1, 15, 10, 22, 31, tzinfo=UTC)
PORTAL = {"dynamodb_lists", "portal", "accounts", "hotelapp", "hotels", "rooms", "orders", "reviews"}
PORTAL |= {"django", "pynamodb", "tests"}
Row = Mapping[str, Any]
Rows = Sequence[Row]


def time(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


# --- The data ---------------------------------------------------------------------------------------------

ROOMS: Rows = [
    {
        "hotel_id": "abc",
        "hotel_name": "Grand Hotel ABC",
        "city": "Paris",
        "number": str(100 + n),
        "view": ("Sea view", "Garden view", "City view")[n % 3],
        "size": 20 + 10 * (n % 4),
        "type": ("Suite", "Double")[n % 2],
        "rate": "120.50",
        "currency": "EUR",
        "housekeeping": "dirty" if n == 1 else "clean",
    }
    for n in range(60)
]
ORDERS: Rows = [
    {
        "order_id": "7K3M9QTX" if n == 2 else f"o-{n}",
        "username": ("leroux", "alex")[n % 2],
        "hotel_id": "abc",
        "status": ("PLACED", "PROCESSING", "SHIPPED", "DELIVERED", "CANCELLED")[n % 5],
        "placed_at": time(AT + timedelta(days=n - 20)),
        "status_at": time(AT + timedelta(days=n - 20 + (n % 5 > 0))),
        "currency": "EUR",
        "items": [{"sku": "spa", "name": "Massage", "quantity": 1, "unit_price": "1200" if n % 7 == 0 else "95.50"}],
    }
    for n in range(1, 41)
]
REVIEWS: Rows = [
    {
        "review_id": f"r-{n:03d}",
        "hotel_id": "abc",
        "room_number": "101" if n % 10 == 0 else "",
        "language": ("en", "en", "de")[n % 3],
        "rating": (5, 5, 4, 5, 4, 5, 4, 5, 1, 2)[n % 10],
        "created_at": time(AT + timedelta(hours=n)),
        "author": "A guest",
        "title": "",
        "body": "",
    }
    for n in range(100)
]


def write_csv(file: Path, rows: Rows) -> Path:
    with file.open("w", encoding="utf-8", newline="") as opened:
        writer = csv.DictWriter(opened, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return file


@pytest.fixture(scope="module")
def read(endpoint: str, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Any]:
    """What the stranger read: the items of each request, in the document's short form and in full, and its modules."""
    contents.empty()
    folder = tmp_path_factory.mktemp("files")
    orders = folder / "orders.jsonl"
    orders.write_text("".join(f"{json.dumps(order)}\n" for order in ORDERS), encoding="utf-8")
    call_command("import_rooms", write_csv(folder / "rooms.csv", ROOMS), verbosity=0)
    call_command("import_orders", orders, verbosity=0)
    call_command("import_reviews", write_csv(folder / "reviews.csv", REVIEWS), verbosity=0)
    # Isolated: it cannot import what is in this folder, and no variable tells it where the portal is.
    command = [sys.executable, "-I", stranger.__file__, str(DOCUMENT), endpoint, settings.DYNAMODB_TABLE_PREFIX]
    run = subprocess.run(command, cwd=folder, env={}, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    answer: Mapping[str, Any] = json.loads(run.stdout)
    return answer


# --- What the requests should return, in plain Python -----------------------------------------------------


def sorted_rooms(*order: str, rooms: Rows = ROOMS) -> list[str]:
    return [str(room["number"]) for room in sorted(rooms, key=lambda room: [room[name] for name in order])]


def sorted_orders(by: str, orders: Rows, **wanted: str) -> list[str]:
    found = [order for order in orders if all(order[name] == value for name, value in wanted.items())]
    return [str(order["order_id"]) for order in sorted(found, key=lambda order: str(order[by]), reverse=True)]


def newest(reviews: Rows) -> list[str]:
    return [str(review["review_id"]) for review in reversed(reviews)]


def between(rows: Rows, by: str, first: str, end: str) -> Rows:
    return [row for row in rows if first <= row[by] < end]


def expected() -> dict[str, list[str]]:
    """The ids of the rows that each request returns, by its name in the document."""
    return {**_rooms(), **_orders(), **_reviews()}


def _rooms() -> dict[str, list[str]]:
    numbers = sorted_rooms("number")
    of_size = [room for room in ROOMS if 30 <= room["size"] <= 40]
    sea = [room for room in ROOMS if room["view"] == "Sea view"]
    suites = [room for room in ROOMS if room["type"] == "Suite"]
    return {
        "R1": numbers[:26],
        "R2-one": sorted_rooms("view", "size", "number", rooms=suites)[:26],
        "R2-range": sorted_rooms("size", "view", "type", "number", rooms=of_size)[:26],
        "R3": sorted_rooms("type", "size", "number", rooms=sea),
        "R3-number": numbers[:26],
        "R3b-walked": numbers[::-1][:26],
        "R3b-rates": numbers[:26],
        "R4-next": numbers[numbers.index("124") + 1 :][:26],
        "R4-last": numbers[::-1][:11],
        "R5-one": ["101"],
        "R5-prefix": [number for number in numbers if number.startswith("10")],
        "R5-any": ["101"],
        "R7": ["101"],
        "hotels": ["abc"],
        "hotels-bound": ["abc"],
        "H1": ["abc"],
    }


def _orders() -> dict[str, list[str]]:
    alex = [order for order in ORDERS if order["username"] == "alex"]
    shipped = {"status": "SHIPPED"}
    days = ("2023-01-01", "2023-02-01")
    in_january, shipped_in_january = between(ORDERS, "placed_at", *days), between(ORDERS, "status_at", *days)
    big = [order for order in ORDERS if order["items"][0]["unit_price"] == "1200"]
    return {
        "A1": ["alex"],
        "A2": sorted_orders("placed_at", alex),
        "A2-days": sorted_orders("placed_at", between(alex, "placed_at", *days)),
        "A2-bound": sorted_orders("placed_at", alex),
        "A3": ["o-1", "o-1"],  # the order, and its item
        "A4": sorted_orders("status_at", alex, **shipped),
        "A5": sorted_orders("status_at", between(alex, "status_at", "", "2023-01-15"), **shipped),
        "A6": sorted_orders("status_at", between(alex, "status_at", *days), **shipped),
        "A7": sorted_orders("placed_at", ORDERS, status="PLACED"),
        "A7-status": sorted_orders("placed_at", ORDERS, status="PROCESSING"),
        "A8": sorted(str(order["order_id"]) for order in big),
        "A9": ["leroux"],
        "A10": sorted_orders("placed_at", in_january)[:26],
        "A10-status": sorted_orders("status_at", shipped_in_january, **shipped),
        "A10g": sorted_orders("placed_at", ORDERS)[:27],
        "A11": ["7K3M9QTX"],
        "A11-end": ["7K3M9QTX"],
        "A12": ["spa"],
    }


def _reviews() -> dict[str, list[str]]:
    frequent = [review for review in REVIEWS[-33:] if review["rating"] in {4, 5}]
    return {
        "V1": newest(REVIEWS)[:26],
        "V2": newest([review for review in REVIEWS if review["language"] == "en"])[:26],
        "V3-merged": newest([review for review in REVIEWS if review["rating"] == 1])[:16],
        "V3-filtered": newest(frequent),
        "V3-unanswered": newest(REVIEWS)[:26],
        "V4": ["r-001"],
        "V6-next": newest(REVIEWS[:90])[:11],
        "V8": ["r-098", "r-099"],
        "room-reviews": newest(REVIEWS[::10]),
    }


def id_of(item: Mapping[str, Mapping[str, str]]) -> str:
    """The id of a row: the end of the key that names it, as docs/keys.md says."""
    own = {item.get("SK", item.get("sk", {})).get("S")} & {"PROFILE", "hotel"}  # its partition names it
    names = ("PK", "pk") if own else ("created_id", "number", "SK", "sk")
    name = next(name for name in names if name in item)
    return item[name]["S"].split("#")[-1]


# --- Tests ------------------------------------------------------------------------------------------------


def test_every_documented_read_returns_the_documented_rows(read: Mapping[str, Any]) -> None:
    wanted = expected()
    assert dict(stranger.written(TEXT)).keys() == read["short"].keys()
    assert wanted.keys() <= read["short"].keys()
    found = {name: [id_of(item) for item in read["short"][name]] for name in wanted}
    assert {name: ids for name, ids in found.items() if sorted_if_batch(name, ids) != wanted[name]} == {}


def sorted_if_batch(name: str, ids: list[str]) -> list[str]:
    """A BatchGetItem returns items in any order, and an index keeps equal keys in any."""
    return sorted(ids) if name in {"V8", "A8"} else ids


def test_the_stranger_has_nothing_of_the_portal(read: Mapping[str, Any]) -> None:
    assert "boto3" in read["modules"]
    assert PORTAL & set(read["modules"]) == set()


def test_requests_in_full_return_what_they_return_in_short(read: Mapping[str, Any]) -> None:
    assert len(read["full"]) >= 3
    for name, items in read["full"].items():
        shown = [
            {key: item[key] for key in item if key in full}
            for item, full in zip(read["short"][name], items, strict=True)
        ]
        assert shown == items, name


def test_the_first_row_is_the_documented_one(read: Mapping[str, Any]) -> None:
    assert len(ROWS) == 1
    for name, row in ROWS.items():
        assert read["full"][name][0] == json.loads(row)
        assert f"first row of {len(read['full'][name])}" in TEXT


def test_a_stored_room_is_the_documented_one(read: Mapping[str, Any]) -> None:
    """The document shows the room 101 as a tap puts it, with what the room's guard repeats."""
    documented = json.loads(dict(stranger.FULL.findall(TEXT))["room-status"])["TransactItems"][0]["Put"]["Item"]
    (guard,) = read["short"]["R5-one"]
    assert guard["room_key"] == documented["sk"]
    shown = ("number", "view", "size", "type", "rate", "currency", "housekeeping")
    assert {name: guard[name] for name in shown} == {name: documented[name] for name in shown}
