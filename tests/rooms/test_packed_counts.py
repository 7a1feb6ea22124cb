"""R6: the packed copy of a hotel's counts is what the counts are, or it is not used."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from dynamodb_lists import ledger
from dynamodb_lists.connection.client import client
from dynamodb_lists.lists import counts as reading_counts
from dynamodb_lists.tests.helpers.answers import answering, refusal
from rooms import commands, queries
from rooms.entities import Room, RoomAction, RoomCounts, StatusChange
from rooms.imports import RoomImport
from rooms.lists import ROOMS
from rooms.statuses import Housekeeping
from tests.helpers.bulk_changes import make_change
from tests.helpers.contents import forget_counts
from tests.helpers.faults import HOTELS, change, delete
from tests.helpers.markup import ListMarkup
from tests.helpers.rooms import ABC, all_items, make_hotel, make_room
from tests.helpers.writes import delete_room, edit_room

pytestmark = [pytest.mark.usefixtures("empty_tables"), pytest.mark.django_db]

COUNTS = "hotel#abc#rooms#counts"


@pytest.fixture(autouse=True)
def _packing_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hotel of few rooms has packed counts, too."""
    monkeypatch.setattr(reading_counts, "FEW_COUNTS", 0)
    forget_counts()


def counts_read() -> tuple[RoomCounts, list[str]]:
    """Return the counts of the hotel, and the operations that read them."""
    with ledger.recording() as calls:
        counts = queries.room_counts(ABC)
    assert {call.purpose for call in calls.calls} == {"counts"}
    return counts, [call.operation for call in calls.calls]


def assert_read(*operations: str) -> None:
    """Check that the counts are right, and how a process that keeps none reads them."""
    forget_counts()
    assert_read_on(*operations)


def assert_read_on(*operations: str) -> None:
    """Check that the counts are right, and how this process reads them."""
    counts, seen = counts_read()
    assert seen == list(operations)
    assert counts.counted == ROOMS.reader.stored_counts((ABC,), consistent=True)


HEAD = ("BatchGetItem",)
NEW_COPY = ("BatchGetItem", "BatchGetItem")
COPY = ("BatchGetItem",)
ITEMS = ("BatchGetItem", "Query")


def test_the_copy_follows_each_change_of_a_count_or_a_label() -> None:
    make_hotel([make_room("101", view="Vue mer, étage")])
    room = commands.create_room(make_room("102", view="Vue mer étage"), "alice")
    assert_read(*COPY)
    room = edit_room(room, replace(room, view="VUE MER, étage"), "alice")
    assert counts_read()[0].label("view", "vue-mer-étage") == "VUE MER, étage"
    room = edit_room(room, replace(room, view="Garden", size=30), "alice")
    assert_read(*COPY)
    delete_room(room, "alice")
    assert_read(*COPY)
    assert counts_read()[0].counts["garden", "0230", "suite"] == 0


def test_a_process_keeps_counts_until_any_process_changes_them() -> None:
    """No command tells the kept counts of a change: only the revision that was read does."""
    make_hotel([make_room("101")])
    assert_read_on(*COPY)
    with ledger.recording() as calls:
        assert_read_on(*HEAD)
    assert calls.calls[0].units == Decimal("0.5")
    room = commands.create_room(make_room("102", view="Garden"), "alice")
    commands.set_status(ABC, "102", StatusChange(Housekeeping.DIRTY), "alice")
    assert_read_on(*NEW_COPY)
    edit_room(queries.room(ABC, "102", consistent=True), replace(room, rate=Decimal(7)), "alice")
    assert_read_on(*HEAD)
    change_copy(packed=None)
    assert_read_on(*HEAD)
    with answering(lambda **_: refusal("ProvisionedThroughputExceededException"), "PutItem"):
        commands.create_room(make_room("103"), "alice")
    assert_read_on(*NEW_COPY, "Query")
    assert_read_on(*ITEMS)


def test_counts_that_are_kept_are_not_those_of_another_past() -> None:
    """After a backup is restored under a running portal, revisions begin again from an earlier one."""
    make_hotel([make_room("101")])
    earlier = list(all_items())
    commands.create_room(make_room("102", view="Garden"), "alice")
    assert_read_on(*COPY)
    for item in all_items():
        client().delete_item(TableName=HOTELS, Key={name: item[name] for name in ("pk", "sk")})
    for item in earlier:
        client().put_item(TableName=HOTELS, Item=item)
    commands.create_room(make_room("102", view="City"), "alice")
    assert_read_on(*NEW_COPY)


def change_copy(**attributes: Any) -> None:
    """Change attributes of the stored copy, or delete it if one is ``None``."""
    table, key = HOTELS, {"pk": {"S": COUNTS}, "sk": {"S": " packed"}}
    if None in attributes.values():
        client().delete_item(TableName=table, Key=key)
    else:
        item = client().get_item(TableName=table, Key=key, ConsistentRead=True)["Item"]
        client().put_item(TableName=table, Item={**item, **attributes})


def test_without_a_right_copy_the_counts_are_read() -> None:
    make_hotel([make_room("101")])
    wrong: list[dict[str, Any]] = [{"packed": None}, {"packed": {"B": b"?"}}, {"counts_revision": {"N": "0"}}]
    for number, attributes in enumerate(wrong, 102):
        change_copy(**attributes)
        assert_read(*ITEMS)
        commands.create_room(make_room(str(number)), "alice")
        assert_read(*COPY)


def packed_hotels(act: Callable[[], object]) -> list[str]:
    """Return the hotels whose counts were packed meanwhile, each as often as they were."""
    with ledger.recording() as calls:
        act()
    copies = [call.request["Item"]["pk"]["S"] for call in calls.calls if call.operation == "PutItem"]
    return sorted(key.split("#")[1] for key in copies)


def numbered(count: int) -> list[Room]:
    return [make_room(str(number), view=f"View {number}") for number in range(count)]


def test_a_bulk_change_packs_at_its_end() -> None:
    rooms = numbered(60)
    make_hotel(rooms)
    steps = []
    for action, values in ((RoomAction.VIEW, {"text": "Garden"}), (RoomAction.RATE_BY, {"amount": Decimal(1)})):
        change = make_change(rooms, action, **values)
        steps.append([packed_hotels(lambda: commands.take_step_of(ABC, change)) for _ in range(3)])  # noqa: B023
    assert steps == [[[], [], [ABC]], [[], [], []]]
    assert_read(*COPY)


def test_an_import_packs_each_hotel_once_at_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RoomImport, "batch_size", 10)
    file = tmp_path / "rooms.csv"
    header = "hotel_id,hotel_name,city,number,view,size,type,rate,currency"
    rows = [f"{hotel},Hotel,Paris,{n},View {n},40,Suite,1,EUR" for n in range(30) for hotel in (ABC, "other")]
    file.write_text("\n".join([header, *rows]), encoding="utf-8")
    imports = partial(call_command, "import_rooms", file, stdout=StringIO())
    assert packed_hotels(imports) == [ABC, "other"]
    assert packed_hotels(imports) == []
    assert_read(*COPY)
    file.write_text("\n".join([header, rows[0].replace("View", "Pool"), "no room"]), encoding="utf-8")
    with pytest.raises(CommandError):
        assert not packed_hotels(imports)
    assert_read(*COPY)


def test_a_page_with_wrong_counts_shows_every_room_and_says_so(staff: Client, caplog: pytest.LogCaptureFixture) -> None:
    make_hotel([make_room(f"{n}", ("Sea", "City")[n % 2]) for n in range(53)])
    delete(HOTELS, (COUNTS, " packed"))
    for facets in queries.room_counts(ABC).counts:
        change(HOTELS, (COUNTS, "#".join(facets)), number={"N": "0"})
    for query, rooms in (("", 53), ("&view=sea", 27), ("&view=city&sort=rate", 26)):
        page = ListMarkup(staff.get(f"/hotels/{ABC}/rooms/?explain=1&page_size=100{query}").content)
        assert len(page.rows) == rooms, query
        assert page.element("[data-counts-differ]"), query
    assert "Run verify_data" in caplog.text
