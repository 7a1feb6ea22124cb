"""``backup`` and ``restore``: every item comes back, also after an interruption, and all agree beside writers."""

import json
import resource
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from functools import partial
from io import StringIO
from pathlib import Path
from threading import Event, Lock
from time import sleep
from typing import Any

import pytest
from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from django.core.management import CommandError, call_command

from hotelapp.dynamodb.backups import settling, taking
from hotelapp.dynamodb.backups.files import partial_of
from hotelapp.dynamodb.backups.settling import Settled
from hotelapp.dynamodb.connection import ledger
from hotelapp.dynamodb.connection.client import client
from hotelapp.dynamodb.connection.errors import Conflict
from hotelapp.dynamodb.maintenance import scans
from hotelapp.dynamodb.schema import tables
from hotelapp.dynamodb.schema.models import registered
from hotelapp.history.models import HistoryModel
from hotelapp.sessions.store import SessionStore
from orders import commands as orders
from orders import queries as order_queries
from orders.models import OrderModel
from orders.statuses import Status
from reviews import commands as reviews
from rooms import commands as rooms
from rooms import queries
from rooms.entities import BulkChange, RoomAction, StatusChange
from rooms.models import RoomModel
from rooms.statuses import Housekeeping
from tests.helpers import contents
from tests.helpers.answers import answering, refusal
from tests.helpers.contents import Fill
from tests.helpers.faults import settle_in
from tests.helpers.kinds import all_items, items_of
from tests.helpers.orders import AT, assert_orders_in_step, make_guest, make_items, make_order, orders_of_all_statuses
from tests.helpers.orders import store as store_orders
from tests.helpers.reviews import assert_reviews_in_step, make_review
from tests.helpers.rooms import ABC, assert_in_step, make_hotel, make_room

ORDERS = OrderModel.Meta.table_name
EVERY_TYPE: dict[str, Any] = {
    "pk": {"S": "room#abc#every-type"},
    "sk": {"S": "2020-01-01T00:00:00.000000Z#00000000"},
    "kind": {"S": HistoryModel.kind},
    "version": {"N": str(HistoryModel.version)},
    "blank": {"S": ""},
    "number": {"N": "123456789012345678901234567890.12345"},
    "bytes": {"B": b"\x00\xff"},
    "texts": {"SS": ["a", "b"]},
    "numbers": {"NS": ["1.5", "2"]},
    "many-bytes": {"BS": [b"\x00", b"\xff"]},
    "none": {"NULL": True},
    "flag": {"BOOL": False},
    "list": {"L": [{"B": b"\xfe"}, {"M": {"név": {"S": "\u2028 \U0001f6cf"}}}]},
}


def fill() -> None:
    make_hotel([make_room(str(100 + n), ["Sea view", "Garden"][n % 2], 40 + n % 3, "Suite") for n in range(20)])
    make_hotel([make_room("101", hotel_id="xyz")], hotel_id="xyz", name="Hotel XYZ")
    rooms.set_status(ABC, "102", StatusChange(Housekeeping.DIRTY), "anna")
    rooms.ask_for(ABC, bulk_change())
    store_orders(orders_of_all_statuses(12))
    store_orders([make_order("lines", "bo", items=make_items(4)), make_order("none", "bo", items=(), total=0)])
    orders.collect_items([make_order("lines", "bo", items=make_items(2))])
    reviews.save_reviews([make_review(f"r-{n}", ["en", "de"][n % 2], n % 5 + 1, AT) for n in range(15)])
    client().put_item(TableName=HistoryModel.Meta.table_name, Item=EVERY_TYPE)


def bulk_change() -> BulkChange:
    return BulkChange("change-1", RoomAction.RATE_PERCENT, "100\n101", "anna", AT, Decimal(10), currency="EUR")


@pytest.fixture
def filling() -> Fill:
    return fill


@pytest.fixture(autouse=True)
def _small_pages(empty_tables: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages of ten items, so that much happens between them; and no waits for indexes, which the engine has at once."""
    monkeypatch.setattr(scans, "PAGE", 10)
    settle_in(monkeypatch, 0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "backup.gz"


def run(command: str, path: Path, **options: Any) -> str:
    out = StringIO()
    call_command(command, str(path), stdout=out, stderr=out, **options)
    return out.getvalue()


def snapshot() -> list[str]:
    """Every item of every table that is backed up."""
    return sorted(
        json.dumps([table, item], sort_keys=True, default=repr)
        for table, item in all_items()
        if not table.endswith("sessions")
    )


def faults() -> str:
    """What ``verify_data`` finds."""
    err = StringIO()
    try:
        call_command("verify_data", stdout=StringIO(), stderr=err)
    except CommandError as error:
        return f"{error} {err.getvalue()}"
    return ""


def restored(path: Path) -> str:
    """What ``restore`` says, into the emptied tables."""
    contents.empty()
    return run("restore", path)


def failing_after(count: int) -> Callable[..., AWSResponse | None]:
    """Let this many requests pass, and refuse the others."""
    sent = iter(range(count))
    return lambda **_: None if next(sent, None) is not None else refusal("AccessDeniedException")


# --- The same items -------------------------------------------------------------------------------------


def test_every_item_of_every_kind_comes_back_as_it_was(path: Path) -> None:
    session = SessionStore()
    session["user"] = "anna"
    session.save()
    before = snapshot()
    kinds = {item["kind"]["S"] for _, item in all_items() if "kind" in item}
    assert kinds == {model.kind for model in registered()}, "the backup is tested with items of every kind"
    said = run("backup", path)
    assert "Not in the backup: sessions" in said
    assert f"{len(before)} items" in said
    said = restored(path)
    assert "derived again: 0" in said
    assert snapshot() == before
    assert not items_of(tables.table_name("sessions"))
    assert not path.with_name("backup.gz.progress").exists()
    assert faults() == ""


def test_a_backup_is_not_overwritten_by_mistake(path: Path) -> None:
    path.write_text("precious")
    with pytest.raises(CommandError, match="exists. Choose another name, or add --overwrite"):
        run("backup", path)
    assert path.read_text() == "precious"
    run("backup", path, overwrite=True)
    assert "is whole" in run("restore", path, check=True)


# --- Interruptions --------------------------------------------------------------------------------------


def test_a_backup_goes_on_wherever_it_was_killed(path: Path) -> None:
    """A kill leaves the file cut at any byte."""
    before = snapshot()
    run("backup", path)
    whole = path.read_bytes()
    partial = partial_of(path)
    for size in (0, 1, len(whole) // 3, len(whole) // 2, len(whole) - 300, len(whole) - 1):
        path.unlink(missing_ok=True)
        partial.write_bytes(whole[:size])
        with ledger.recording() as calls:
            said = run("backup", path)
        assert ("Continuing" in said) == (size > 1)
        assert not partial.exists()
        pages = sum(call.operation == "Scan" for call in calls.calls)
        assert size < len(whole) // 2 or pages < 20, "what was read is not read again"
    restored(path)
    assert snapshot() == before


def test_an_outage_keeps_what_is_written_and_says_how_to_go_on(path: Path) -> None:
    with (
        answering(failing_after(6), "Scan"),
        pytest.raises(CommandError, match="Run the same command again: it goes on"),
    ):
        run("backup", path)
    assert not path.exists()
    with pytest.raises(CommandError, match="cannot be restored.*is incomplete: run manage.py backup again"):
        run("restore", path)
    assert "Continuing the backup of" in run("backup", path)
    assert "is whole" in run("restore", path, check=True)


def test_a_full_disk_keeps_what_is_written(path: Path) -> None:
    """The system refuses to let a file grow, in the middle of a block."""
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (6_000, usual[1]))
    try:
        with pytest.raises(CommandError, match="backup.gz.partial cannot be written: File too large. What is written"):
            run("backup", path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    assert partial_of(path).stat().st_size == 6_000
    assert "Continuing" in run("backup", path)
    assert "is whole" in run("restore", path, check=True)


def test_an_interrupted_backup_of_other_tables_is_not_continued(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with answering(failing_after(6), "Scan"), pytest.raises(CommandError):
        run("backup", path)
    monkeypatch.setattr(tables, "ids", lambda: "others")
    with pytest.raises(CommandError, match="cannot be continued: it is of other tables.*--from-start"):
        run("backup", path)
    assert "Begun" in run("backup", path, from_start=True)


@pytest.mark.parametrize("written", [0, 3, 9])
def test_a_restore_goes_on_where_it_was_interrupted(path: Path, written: int) -> None:
    before = snapshot()
    run("backup", path)
    contents.empty()
    with answering(failing_after(written), "BatchWriteItem"), pytest.raises(CommandError, match="it goes on"):
        run("restore", path, writers=1)
    assert len(snapshot()) < len(before)
    assert "Continuing after" in run("restore", path)
    assert snapshot() == before
    with pytest.raises(CommandError, match="has items. .* empty tables: set DYNAMODB_TABLE_PREFIX"):
        run("restore", path)


def test_a_restore_beside_a_file_in_a_read_only_folder_says_that_it_cannot_go_on(path: Path) -> None:
    run("backup", path)
    path.with_name("backup.gz.progress.new").mkdir()  # in place of a folder without permission to write
    assert "Nothing can be written beside" in restored(path)


# --- What is refused ------------------------------------------------------------------------------------


def test_a_bad_file_is_refused_before_anything_is_written(path: Path) -> None:
    run("backup", path)
    whole = path.read_bytes()
    contents.empty()
    for bad, message in ((whole[:-9], "it is cut short"), (b"pk,sk", "no compressed block"), (None, "No such file")):
        path.unlink() if bad is None else path.write_bytes(bad)
        with pytest.raises(CommandError, match=f"{message}.*Nothing was written"):
            run("restore", path)
    assert snapshot() == []


def test_a_backup_that_the_tables_cannot_take_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as later:
        later.setattr(RoomModel, "version", RoomModel.version + 1)
        run("backup", path)
    with pytest.raises(CommandError, match=r"of a later release: it has newer items \(room\)"):
        restored(path)
    run("backup", path, overwrite=True)
    contents.empty()
    client().delete_table(TableName=HistoryModel.Meta.table_name)  # the next test creates it again
    with pytest.raises(CommandError, match="history is missing. Run manage.py create_tables first"):
        run("restore", path)


def test_items_of_an_earlier_release_come_back_and_are_then_brought_forward(path: Path) -> None:
    before = snapshot()
    guests = [item for item in items_of(ORDERS) if item["kind"]["S"] == "guest"]
    for guest in guests:
        older = {name: value for name, value in guest.items() if name != "terms"} | {"version": {"N": "1"}}
        client().put_item(TableName=ORDERS, Item=older)
    run("backup", path)
    assert f"{len(guests)} items are of an earlier release. Run manage.py upgrade_items" in restored(path)
    call_command("upgrade_items", stdout=StringIO())
    assert snapshot() == before


# --- Beside writers -------------------------------------------------------------------------------------


def edited(number: str, /, **changes: Any) -> None:
    room = queries.room(ABC, number, consistent=True)
    rooms.edit_room(room, replace(room, **changes), "anna")


def renumbered(n: int) -> None:
    """Each of ten rooms gets an x more each time."""
    number = f"{110 + n % 10}" + "x" * (n // 10)
    edited(number, number=f"{number}x")


OTHERS: list[Callable[[int], object]] = [
    lambda n: store_orders([make_order(f"new-{n}", f"new-guest-{n}", items=make_items(3))]),
    lambda n: edited(str(100 + n % 10), view=["Lake", "Hill", "Sea view"][n % 3], size=30 + n),
    renumbered,
    lambda n: make_hotel([make_room("1", hotel_id=f"new-{n}")], f"new-{n}", f"New hotel {n}"),
    lambda n: reviews.save_reviews([make_review(f"new-{n}", "fr", n % 5 + 1)]),
    lambda n: rooms.delete_room(rooms.create_room(make_room(f"gone-{n}"), "anna"), "anna"),
    lambda n: orders.take_step(order_queries.order(f"o-{n % 3:03}"), Status.CANCELLED, "anna"),
    lambda n: orders.create_guest(make_guest(f"by-hand-{n}", name=f"Guest {n}"), "anna"),
]
"""What others do. Each change cuts a group, if a backup has read only a part of it."""


def one_of(changes: Iterator[Callable[[], object]]) -> Callable[..., None]:
    """Make the next change before each request."""
    lock = Lock()

    def change(**_: Any) -> None:
        with lock, suppress(Conflict):
            next(changes, int)()

    return change


def others() -> Callable[..., None]:
    """Make all kinds of changes, one before each request."""
    return one_of(partial(change, n) for n in range(40) for change in OTHERS)


def ids(table: str, kind: str, name: str) -> set[str]:
    return {
        item[name]["S"].rstrip("x") for item in items_of(tables.table_name(table)) if item.get("kind") == {"S": kind}
    }


def test_what_was_backed_up_while_others_wrote_agrees_after_a_restore(path: Path) -> None:
    numbers = ids("hotel-app", "room", "number")
    with answering(others(), "Scan"):
        run("backup", path)
    assert "faults left: 0" in restored(path)
    assert faults() == ""
    assert_in_step()
    assert_orders_in_step()
    assert_reviews_in_step()
    assert numbers <= ids("hotel-app", "room", "number"), "no room is lost, whatever its number and facets became"
    assert {"o-000", "o-011", "lines", "none"} <= ids("users-and-orders", "order", "order_id")


def test_without_reading_again_it_would_not_agree(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So the changes of the test before do cut groups."""
    monkeypatch.setattr(settling, "settle", lambda backup: iter([Settled()]))
    with answering(others(), "Scan"):
        run("backup", path)
    with pytest.raises(CommandError, match="Faults that were in the data"):
        restored(path)


def test_a_room_that_gets_another_number_while_it_is_read_again_is_not_lost(path: Path) -> None:
    """Not even if another room gets its number."""
    edits = iter([partial(edited, "105", rate=Decimal(99))])

    def take_over() -> None:
        edited("105", number="105a")
        rooms.create_room(make_room("105", size=41), "anna")

    renumber_again: Callable[[], object] = partial(edited, "105a", number="105b")
    moves = iter([take_over, renumber_again])
    with answering(one_of(edits), "Scan"), answering(one_of(moves), "TransactGetItems"):
        run("backup", path)
    assert not list(moves)
    restored(path)
    assert faults() == ""
    assert {"105", "105a", "105b"} & ids("hotel-app", "room", "number") == {"105", "105b"}


def test_a_room_that_gets_another_number_just_after_it_was_read_again_is_there_once(path: Path) -> None:
    """The room was read under its old number, and the history then names the new one."""
    edited("105", rate=Decimal(99))
    moves = iter([partial(edited, "105", number="105a")])

    def renumber(request: AWSPreparedRequest, **_: Any) -> None:
        assert isinstance(request.body, bytes)
        if b"room#abc#105" in request.body:
            next(moves, int)()

    with answering(renumber, "Query"):
        run("backup", path)
    assert not list(moves)
    restored(path)
    assert {"105", "105a"} & ids("hotel-app", "room", "number") == {"105a"}
    assert faults() == ""


def test_what_was_read_again_is_written_after_everything_else(path: Path) -> None:
    """Otherwise the item as it was read first could be written in its place."""
    edited("105", rate=Decimal(98))
    with answering(one_of(iter([partial(edited, "105", rate=Decimal(99))])), "TransactGetItems"):
        run("backup", path)
    is_newer_written = Event()

    def delay(request: AWSPreparedRequest, **_: Any) -> None:
        """Hold the older rate back, as if that request were slow."""
        assert isinstance(request.body, bytes)
        if b'"98"' in request.body:
            is_newer_written.wait(0.3)
            sleep(0.1)
        elif b'"99"' in request.body:
            is_newer_written.set()

    contents.empty()
    with answering(delay, "BatchWriteItem"):
        run("restore", path, writers=64)
    assert queries.room(ABC, "105", consistent=True).rate == 99
    assert faults() == ""


def test_the_history_is_read_last() -> None:
    """So it names everything that changed while other tables were read."""
    assert taking.backed_up()[-1] == HistoryModel.Meta.table_name
    assert taking.left_out() == ["sessions"]


def test_a_fault_that_the_database_has_is_named_and_kept(path: Path) -> None:
    key = {"pk": {"S": "hotel#abc#room-numbers"}, "sk": {"S": "103"}}
    client().delete_item(TableName=RoomModel.Meta.table_name, Key=key)
    before = snapshot()
    assert "The items of room abc 103 do not agree in the database. Run manage.py verify_data." in run("backup", path)
    with pytest.raises(CommandError, match="All items are restored. Faults that were in the data .*: 1"):
        restored(path)
    assert snapshot() == before


def test_writers_in_threads(path: Path) -> None:
    """Real commands at any moment, and not only between pages."""
    stop = Event()

    def write(worker: int) -> int:
        done = 0
        while not stop.is_set():
            store_orders([make_order(f"t-{worker}-{done}", f"t-{worker}-{done % 5}", items=make_items(2))])
            edited(str(100 + worker), view=f"View {done % 4}")
            make_hotel([], "xyz", f"Hotel {done}")
            reviews.save_reviews([make_review(f"t-{worker}-{done}", "fr", done % 5 + 1)])
            done += 1
        return done

    with ThreadPoolExecutor(3) as pool:
        workers = [pool.submit(write, worker) for worker in range(3)]
        run("backup", path)
        stop.set()
        assert all(worker.result() for worker in workers)
    assert "faults left: 0" in restored(path)
    assert faults() == ""
