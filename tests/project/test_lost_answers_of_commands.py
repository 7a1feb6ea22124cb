"""Answers of DynamoDB that are lost on the way, for every management command.

A command ends with exit status 1 and one message, which says that nobody knows what became of the last write. Run
again, it does what is left, and leaves the same data. All faults are made by a real proxy before the engine.
"""

import csv
import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from dynamodb_lists.connection.client import client
from dynamodb_lists.connection.errors import MAYBE_WRITTEN
from dynamodb_lists.connection.scope import SDK_ATTEMPTS
from dynamodb_lists.schema import tables
from dynamodb_lists.tests.helpers.examples import usual
from hotels.models import HotelModel
from portal import shards
from reviews.imports import ReviewImport
from rooms.imports import RoomImport
from tests.helpers.kinds import all_items, assert_all_in_step, items_of
from tests.helpers.lost_answers import WRITES
from tests.helpers.orders import make_order, store
from tests.helpers.proxy import Fault, Proxy
from tests.helpers.reviews import make_review
from tests.helpers.reviews import store as store_reviews
from tests.helpers.rooms import make_hotel, make_room

pytestmark = pytest.mark.django_db


def room_file(folder: Path) -> list[str]:
    same = {"hotel_id": "new", "hotel_name": "New", "city": "Paris", "view": "Sea", "type": "Suite", "currency": "EUR"}
    rows = [{**same, "number": number, "size": 20, "rate": 90} for number in range(12)]
    with (folder / "rooms.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, RoomImport.format.columns)
        writer.writeheader()
        writer.writerows(rows)
    return [str(folder / "rooms.csv")]


def order_file(folder: Path) -> list[str]:
    item = {"sku": "spa", "name": "Massage", "quantity": 1, "unit_price": "95"}
    order = {"username": "bea", "hotel_id": "new", "status": "PLACED", "currency": "EUR", "items": [item]}
    order |= {"placed_at": "2023-01-15T10:22:31Z", "status_at": "2023-01-15T10:22:31Z"}
    lines = (json.dumps({**order, "order_id": f"imported-{number}"}) for number in range(12))
    (folder / "orders.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return [str(folder / "orders.jsonl")]


def review_file(folder: Path) -> list[str]:
    rows = (f"imported-{number},abc,,en,5,2023-01-15,Ann,," for number in range(120))  # more than one transaction
    text = "\n".join([",".join(ReviewImport.format.columns), *rows])
    (folder / "reviews.csv").write_text(text, encoding="utf-8")
    return [str(folder / "reviews.csv")]


def wrong_total(_: Path) -> list[str]:
    hotel = next(item for item in items_of(HotelModel.Meta.table_name) if item["kind"]["S"] == HotelModel.kind)
    client().put_item(TableName=HotelModel.Meta.table_name, Item={**hotel, "rooms": {"N": "99"}})
    return ["--repair"]


def no_table(_: Path) -> list[str]:
    name = tables.table_name("history")
    client().delete_table(TableName=name)
    client().get_waiter("table_not_exists").wait(TableName=name)
    return []


WRITING: dict[str, Callable[[Path], list[str]]] = {
    "create_tables": no_table,
    "import_orders": order_file,
    "import_reviews": review_file,
    "import_rooms": room_file,
    "order_shards": lambda _: ["3"],
    "statistics_shards": lambda _: ["9"],
    "seed_demo": lambda _: ["--rooms", "20", "--guests=3", "--orders=9", "--reviews=9", "--until=2026-10-31"],
    "verify_data": wrong_total,
}
"""The commands that write. Each function makes something to write, and returns the command's arguments."""

KINDS = ("create_tables", "import_rooms", "order_shards", "verify_data")
"""One command of each way to write. ``make fuzz`` runs every one."""

READING: dict[str, Callable[[Path], list[str]]] = {
    "check_tables": lambda _: [],
    "explain": lambda _: ["/hotels/abc/rooms/"],
}


def fill() -> None:
    make_hotel([make_room(str(number)) for number in range(101, 106)])
    store([make_order(f"o-{number}", items=()) for number in range(3)])
    store([make_order("with-items")])
    store_reviews([make_review()])


@pytest.fixture(autouse=True)
def _no_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """No other process keeps the number of shards."""
    monkeypatch.setattr(shards, "WAIT_SECONDS", 0)


def run(command: str, *arguments: str) -> str:
    """Return what a command says, its errors included. Raises :class:`CommandError`."""
    out = StringIO()
    call_command(command, *arguments, stdout=out, stderr=out)
    return out.getvalue()


def contents() -> list[str]:
    return sorted(json.dumps([table, item], sort_keys=True, default=str) for table, item in all_items())


@pytest.mark.parametrize("command", usual(WRITING, *KINDS))
def test_a_command_that_loses_an_answer_says_so_and_run_again_leaves_the_same_data(
    proxy: Proxy, tmp_path: Path, command: str
) -> None:
    arguments = WRITING[command](tmp_path)
    with proxy.failing(Fault.LOSE, *WRITES) as failing, pytest.raises(CommandError) as ended:
        run(command, *arguments)
    assert failing.met >= SDK_ATTEMPTS
    assert ended.value.returncode == 1
    said = str(ended.value)
    assert MAYBE_WRITTEN in said
    assert "again" in said
    assert "\n" not in said
    run(command, *arguments)
    after = contents()
    run(command, *arguments)
    assert contents() == after
    assert_all_in_step()


@pytest.mark.parametrize("command", [*WRITING, *READING])
def test_a_command_without_a_database_ends_in_one_line(proxy: Proxy, tmp_path: Path, command: str) -> None:
    arguments = {**WRITING, **READING}[command](tmp_path)
    proxy.stop()
    with pytest.raises(CommandError, match="did not answer") as ended:
        run(command, *arguments)
    assert ended.value.returncode == 1
    assert MAYBE_WRITTEN not in str(ended.value)
    assert "\n" not in str(ended.value)


@pytest.mark.parametrize("command", ["import_rooms", "import_orders", "import_reviews"])
def test_an_import_in_doubt_says_that_more_rows_may_be_in(proxy: Proxy, tmp_path: Path, command: str) -> None:
    arguments = WRITING[command](tmp_path)
    make_hotel(hotel_id="new", name="New")  # otherwise, the hotel's own transaction would come first
    with proxy.failing(Fault.LOSE, "TransactWriteItems"), pytest.raises(CommandError) as ended:
        run(command, *arguments)
    assert f"0 {command.removeprefix('import_')} are in, perhaps more. Run the same command again" in str(ended.value)
    assert " read, " in run(command, *arguments)
    assert " 0 written" in run(command, *arguments)
