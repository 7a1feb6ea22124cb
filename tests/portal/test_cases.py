"""Files as other software writes them, and what becomes of each row: it is in, or refused with a way out."""

import csv
import json
from contextlib import nullcontext
from io import StringIO
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from dynamodb_lists import Conflict
from dynamodb_lists.lists.files import guarded, unguarded
from hotels import queries as hotels
from hotels.commands import create_hotel
from hotels.entities import Hotel
from orders import queries as orders
from rooms import queries
from rooms.lists import ROOMS
from tests.helpers.rooms import ABC, make_hotel, make_room

pytestmark = pytest.mark.usefixtures("empty_tables")
CASES = Path(__file__).parent / "cases"


def imported(folder: Path, name: str) -> tuple[str, list[dict[str, Any]]]:
    """Return what the command says of a file, and the rows that it refuses."""
    file, out = Path(copy(CASES / name, folder)), StringIO()
    command = "import_orders" if name.endswith("jsonl") else "import_rooms"
    try:
        call_command(command, file, stdout=out)
    except CommandError as error:
        out.write(str(error))
    rejected = file.with_name(f"{file.stem}.rejected{file.suffix}")
    if not rejected.exists():
        return out.getvalue(), []
    text = rejected.read_text(encoding="utf-8")
    rows = list(csv.DictReader(StringIO(text))) if name.endswith("csv") else list(map(json.loads, text.splitlines()))
    return out.getvalue(), rows


def rates(hotel_id: str) -> dict[str, str]:
    return {room.number: f"{room.rate:.2f}" for room in queries.all_rooms(ROOMS.query(hotel_id=hotel_id))}


def test_a_room_in_another_currency_than_its_hotels_is_refused(tmp_path: Path) -> None:
    """Also in the file that makes the hotel. A room that has the currency already keeps it."""
    make_hotel([make_room("1"), make_room("2", currency="USD")])
    file, head = tmp_path / "rooms.csv", "hotel_id,hotel_name,city,number,view,size,type,rate,currency\n"
    lines = [f"{ABC},A,,{number},,20,,9,{code}\n" for number, code in (("1", "USD"), ("2", "USD"), ("3", "CHF"))]
    file.write_text(head + "".join(lines) + "new,N,,1,,20,,9,CHF\nnew,N,,2,,20,,9,EUR\n")
    with pytest.raises(CommandError, match="3 rows refused"):
        call_command("import_rooms", file, stdout=StringIO())

    rows = list(csv.DictReader(StringIO((tmp_path / "rooms.rejected.csv").read_text())))
    assert [(row["line"], row["reason"]) for row in rows] == [
        ("2", "currency: The prices of A are in EUR."),
        ("4", "currency: The prices of A are in EUR."),
        ("6", "currency: The prices of N are in CHF."),
    ]
    assert rates(ABC)["2"] == "9.00"


def test_hotels_that_differ_in_capitals_alone_are_refused(tmp_path: Path) -> None:
    make_hotel([make_room("1")])
    file = tmp_path / "rooms.csv"
    text = "hotel_id,hotel_name,city,number,view,size,type,rate,currency\n{}"
    file.write_text(text.format("".join(f"{name},A,,1,,20,,9,EUR\n" for name in ("ABC", "C-FL", "c-fl"))))
    with pytest.raises(CommandError, match="2 rows refused"):
        call_command("import_rooms", file, stdout=StringIO())

    reasons = (tmp_path / "rooms.rejected.csv").read_text()
    assert "already a hotel abc, which differs" in reasons
    assert "already a hotel C-FL, which differs" in reasons
    assert not hotels.known_hotels({"ABC", "c-fl"})
    with pytest.raises(Conflict, match="already a hotel C-FL"):
        create_hotel(Hotel("c-Fl", "New"), "alice")


def test_what_other_software_writes_is_understood(tmp_path: Path) -> None:
    for name, hotel_id, numbers in (
        ("excel-sep.csv", "c-sep", "1"),
        ("excel-trailing.csv", "c-tr2", "12"),
        ("header-blanks.csv", "c-sp", "1"),
    ):
        assert imported(tmp_path, name)[1] == []
        assert rates(hotel_id) == dict.fromkeys(numbers, "100.00")
    assert imported(tmp_path, "array.jsonl") == ("2 orders read, 2 written, 0 left as they are.\n", [])


@pytest.mark.parametrize("end", ["]", "\n]\n", ""], ids=repr)
def test_an_array_on_one_line_is_streamed_and_its_end_is_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    """Each order has marks and quotes in a text, and the lines come in pieces of every length."""
    (order, _) = json.loads((CASES / "array.jsonl").read_text())
    item = {"sku": 'a"],[{\\', "name": "x", "quantity": 1, "unit_price": 1.25}
    rows = [{**order, "order_id": f"A-{n}", "items": [{**item, "name": "x" * n}]} for n in range(1, 40)]
    monkeypatch.setattr("dynamodb_lists.lists.file_rows.MAX_CHARACTERS", 300)
    file = tmp_path / "orders.jsonl"
    file.write_text(json.dumps(rows)[:-1] + end)
    with nullcontext() if end else pytest.raises(CommandError, match="1 row refused"):
        call_command("import_orders", file, stdout=StringIO())
    assert orders.guest("arr").total_orders == (39 if end else 38)  # nobody knows whether the last one is whole


ROW = {"hotel_id": "h", "hotel_name": "H", "number": "1", "size": "20", "rate": "1", "currency": "EUR"}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"housekeeping": "shiny"}, "“shiny” is not possible here. Choose one of: clean, dirty, inspected."),
        ({"time_zone": "CET+1"}, "“CET+1” is not possible here. Choose one of: the values of this column, such as"),
        ({"service": "out-of-order", "reason": "x", "out_of_order_until": "01/02/2026"}, "2023-01-15"),
        ({"reason": "Leak"}, "reason: Leave this empty, or set the service status"),
        ({"out_of_order_until": "2026-01-01"}, "out_of_order_until: Leave this empty, or set the service status"),
        ({"hotel_id": "switcher"}, "“switcher” cannot be a hotel's id"),
    ],
    ids=str,
)
def test_a_refusal_says_what_to_change(tmp_path: Path, change: dict[str, str], reason: str) -> None:
    row = {**ROW, "city": "", "view": "", "type": "", **change}
    file = tmp_path / "rooms.csv"
    file.write_text(f"{','.join(row)}\n{','.join(row.values())}\n", encoding="utf-8")
    with pytest.raises(CommandError, match="1 row refused"):
        call_command("import_rooms", file, stdout=StringIO())
    assert reason in (tmp_path / "rooms.rejected.csv").read_text(encoding="utf-8")


@pytest.mark.django_db
def test_what_was_rejected_or_exported_is_guarded_and_can_be_imported_unchanged(staff: Client, tmp_path: Path) -> None:
    views = ["=1+1", "＝1;=2", "'=x", " -5 sea", "@a; +b"]
    make_hotel([make_room("1")])
    header = ["hotel_id", "hotel_name", "city", "number", "view", "size", "type", "rate", "currency"]
    file, rejected = tmp_path / "rooms.csv", tmp_path / "rooms.rejected.csv"
    with file.open("w", newline="", encoding="utf-8") as target:
        writer = csv.writer(target)
        writer.writerow(header)
        writer.writerows([ABC, "=name", "", n, view, "0", "Suite", "1", "EUR"] for n, view in enumerate(views, start=2))
    with pytest.raises(CommandError):
        call_command("import_rooms", file)
    with rejected.open(newline="", encoding="utf-8") as source:
        rows = list(csv.DictReader(source))
    # The file was read, so one guard of the third view was taken for one. It is written again.
    assert [row["view"] for row in rows] == ["'=1+1", "'＝1;'=2", "'=x", "' -5 sea", "'@a;' +b"]
    assert {row["hotel_name"] for row in rows} == {"'=name"}
    rejected.write_text(rejected.read_text("utf-8").replace(",0,Suite", ",30,Suite"), "utf-8")
    call_command("import_rooms", rejected)
    stored = [queries.room(ABC, str(n), consistent=True).view for n in range(2, 7)]
    assert stored == ["=1+1", "＝1;=2", "=x", "-5 sea", "@a; +b"]
    exported = tmp_path / "exported.csv"
    exported.write_bytes(staff.get(f"/hotels/{ABC}/rooms/?format=csv").getvalue())
    with exported.open(newline="", encoding="utf-8") as source:
        assert all(cell == guarded(unguarded(cell)) for row in csv.reader(source) for cell in row)
    call_command("import_rooms", exported)
    assert [queries.room(ABC, str(n), consistent=True).view for n in range(2, 7)] == stored
