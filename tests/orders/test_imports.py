"""``import_orders``: it stores good rows, rejects bad ones with a reason, and a second import changes nothing."""

import json
from datetime import UTC, datetime
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from hotels import queries as hotels
from orders import queries
from orders.statuses import Status
from tests.helpers.orders import assert_orders_in_step, ids, stored
from tests.helpers.rooms import make_hotel, make_room

pytestmark = [pytest.mark.usefixtures("empty_tables")]
ITEM = {"sku": "spa", "name": "Massage", "quantity": 2, "unit_price": "95.50"}
GOOD: dict[str, Any] = {
    "order_id": "o-1",
    "username": "alex",
    "hotel_id": "abc",
    "status": "PROCESSING",
    "placed_at": "2023-01-15T10:22:31Z",
    "status_at": "2023-01-16T08:00:00Z",
    "currency": "EUR",
    "items": [ITEM],
}


def run(file: Path, **options: Any) -> str:
    out = StringIO()
    call_command("import_orders", file, stdout=out, **options)
    return out.getvalue()


def write(folder: Path, *rows: dict[str, Any] | str) -> Path:
    lines = (row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows)
    file = folder / "orders.jsonl"
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return file


def refused(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "orders.rejected.jsonl").read_text("utf-8").splitlines()]


def test_an_order_comes_in_with_its_guest_and_hotel(tmp_path: Path) -> None:
    assert run(write(tmp_path, GOOD)) == "1 order read, 1 written, 0 left as they are.\n"
    order = stored()
    assert order.status == Status.PROCESSING
    assert (order.total, order.item_count) == (Decimal(191), 1)
    assert [(step.status, step.by) for step in order.history] == [("PLACED", "import"), ("PROCESSING", "import")]
    assert order.status_at == datetime(2023, 1, 16, 8, tzinfo=UTC)
    assert queries.guest("alex").orders[Status.PROCESSING] == 1
    assert hotels.hotel("abc").name == "abc"
    assert_orders_in_step()


def test_an_order_may_have_a_note_and_a_room_which_no_file_changes(tmp_path: Path) -> None:
    make_hotel([make_room("101")])
    assert "1 written" in run(write(tmp_path, {**GOOD, "note": " Ring\ttwice ", "room_number": " 1０1 "}))
    (listed,) = queries.orders_in(hotel_id="abc")
    for order in (stored(), queries.order("o-1"), listed):
        assert (order.note, order.room_number) == ("Ring twice", "101")
    assert "1 left as they are" in run(write(tmp_path, GOOD))
    moved = {**GOOD, "status": "SHIPPED", "status_at": "2023-01-17T08:00:00Z"}
    assert "1 written" in run(write(tmp_path, {**moved, "note": "Ring twice"}))
    for change, problem in (
        ({"note": "Ring once"}, "another note"),
        ({"note": "\u202ex"}, "U+202E"),
        ({"note": "x" * 201}, "at most 200"),
        ({"room_number": "102"}, "another room_number"),
        ({"room_number": "a/b"}, "letters, digits, spaces"),
        ({"order_id": "o-2", "room_number": "102"}, "room_number: There is no room number “102” here"),
        ({"order_id": "o-2", "room_number": "101", "hotel_id": "xyz"}, "hotel_id: There is no hotel id “xyz” here"),
    ):
        with pytest.raises(CommandError, match="1 row refused"):
            run(write(tmp_path, {**moved, **change}))
        assert problem in refused(tmp_path)[0]["reason"]
    assert (stored().note, stored().room_number, stored().status) == ("Ring twice", "101", Status.SHIPPED)
    assert_orders_in_step()


BAD: list[tuple[dict[str, Any], str]] = [
    ({"order_id": ""}, "order_id: This field is required"),
    ({"order_id": "a#b"}, "order_id: An order's id"),
    ({"order_id": ["x"]}, "order_id: This must be a text or a number"),
    ({"username": "a b"}, "username: A username"),
    ({"status": "LOST"}, "is not possible here"),
    ({"username": "add"}, "username: “add” cannot be"),
    ({"placed_at": "01/02/2023 10:00"}, "placed_at: Enter a valid date/time"),
    ({"status_at": "2999-12-31T00:00:00Z"}, "status_at: This time is in the future"),
    ({"items": [{**ITEM, "sku": False}]}, "Item 1, sku: This must be a text or a number"),
    ({"placed_at": "0001-01-01T00:00:00Z"}, "placed_at: The year must be"),
    ({"status_at": "2023-01-14T00:00:00Z"}, "status_at: The status was entered before"),
    ({"items": None}, "items: This must be a list"),
    ({"items": [1]}, "items: This must be a list"),
    ({"items": [ITEM] * 91}, "items: An order has at most 90"),
    ({"items": [ITEM, {**ITEM, "quantity": 0}]}, "Item 2, quantity: Ensure this value is greater"),
    ({"items": [{**ITEM, "unit_price": "1.005"}]}, "Item 1, unit_price: 1.005 has too many decimals"),
    ({"items": [{**ITEM, "name": {"a": 1}}]}, "Item 1, name: This must be a text or a number"),
]


def test_a_bad_row_is_refused_with_its_line_and_reason(tmp_path: Path) -> None:
    rows = [{**GOOD, "order_id": f"bad-{number}", **change} for number, (change, _) in enumerate(BAD)]
    with pytest.raises(CommandError, match=rf"{len(BAD)} rows refused; see .*orders\.rejected\.jsonl") as caught:
        run(write(tmp_path, {**GOOD, "order_id": "o-9"}, *rows))
    assert caught.value.returncode == 1
    for line, (row, (change, reason)) in enumerate(zip(refused(tmp_path), BAD, strict=True), start=2):
        assert row["line"] == line, change
        assert reason in row["reason"], change
    assert ids(queries.guest_orders(queries.guest("alex"))) == ["o-9"]
    assert_orders_in_step()
