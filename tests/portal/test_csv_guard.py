"""Cells that a spreadsheet could run: guarded in exports and in files of rejected rows, and imported unchanged."""

import csv
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from dynamodb_lists.lists.csv_guard import guarded, unguarded
from rooms import queries
from tests.helpers.rooms import ABC, make_hotel, make_room


@pytest.mark.django_db
@pytest.mark.usefixtures("empty_tables")
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
