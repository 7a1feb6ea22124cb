"""The estimate of sizes and costs: against numbers computed by hand, and against what the engine charges."""

from collections.abc import Callable, Mapping
from functools import cache, partial
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from hotelapp.dynamodb.connection import ledger
from hotelapp.dynamodb.deployment import estimates
from hotelapp.dynamodb.deployment.estimates import GB
from hotelapp.dynamodb.deployment.hot_keys import HotKey
from hotelapp.dynamodb.deployment.item_sizes import index_entry, item_size, value_size
from hotelapp.dynamodb.deployment.table_schemas import IndexSchema, TableSchema, table_schema
from hotelapp.dynamodb.deployment.workloads import (
    ItemChange,
    Owners,
    PageLoad,
    Sample,
    Stock,
    changes,
    item_changes,
    largest_share,
)
from hotelapp.dynamodb.schema import tables
from hotelapp.dynamodb.writing.changes import Change
from hotelapp.history.entities import IMPORT, Actor
from orders import commands as orders
from orders.commands.changes import OrderWriter
from orders.entities import Guest
from orders.models import OrderModel
from orders.statuses import Status
from orders.workload import _step
from reviews import commands as reviews
from reviews.commands.reviews import ReviewWriter
from rooms import commands as rooms
from rooms import queries as rooms_of
from rooms.commands import RoomWriter
from rooms.commands.changes import to_store
from rooms.entities import StatusChange
from rooms.statuses import Housekeeping
from tests.helpers import dynamodb_local
from tests.helpers.orders import make_order
from tests.helpers.reviews import make_review
from tests.helpers.rooms import make_hotel, make_room

BY_CITY = IndexSchema("by-city", ("city", "name"), ("phone",), local=False)
BY_NAME = IndexSchema("by-name", ("id", "name"), None, local=True)
ALICE = Actor("alice")
PEOPLE = TableSchema("people", ("id",), {"id": "S", "city": "S", "name": "S"}, (BY_NAME, BY_CITY), None)
ANN: dict[str, dict[str, Any]] = {
    "id": {"S": "ann"},
    "city": {"S": "Oslo"},
    "name": {"S": "Ann"},
    "phone": {"S": "12"},
    "text": {"S": "x" * 1000},
}


@pytest.mark.parametrize(
    ("value", "size"),
    [
        ({"S": "abc"}, 3),
        ({"S": "Zürich"}, 7),
        ({"N": "7"}, 2),
        ({"N": "120.50"}, 3),  # 1205 are two pairs of digits, and a byte
        ({"N": "-1000"}, 3),
        ({"N": "0"}, 1),
        ({"BOOL": True}, 1),
        ({"NULL": True}, 1),
        ({"B": b"1234"}, 4),
        ({"SS": ["ab", "c"]}, 3),
        ({"L": [{"S": "ab"}, {"S": "c"}]}, 3 + 2 * 1 + 3),
        ({"M": {"key": {"S": "ab"}}}, 3 + 1 + 3 + 2),
    ],
    ids=str,
)
def test_sizes_of_values(value: Mapping[str, Any], size: int) -> None:
    assert value_size(value) == size


def test_an_item_has_the_bytes_of_its_names_and_values() -> None:
    assert item_size({"id": {"S": "ann"}, "age": {"N": "42"}}) == 2 + 3 + 3 + 2


def test_an_index_holds_keys_and_what_it_projects() -> None:
    assert index_entry(ANN, BY_CITY, PEOPLE) == {name: ANN[name] for name in ("id", "city", "name", "phone")}
    assert index_entry(ANN, BY_NAME, PEOPLE) == ANN
    assert index_entry({"id": {"S": "ann"}, "name": {"S": "Ann"}}, BY_CITY, PEOPLE) is None


@pytest.mark.parametrize(("size", "units"), [(1, 0.5), (4096, 0.5), (4097, 1), (8_192, 1), (11_427, 1.5)])
def test_read_units(size: int, units: float) -> None:
    assert estimates.read_units(size) == units
    assert estimates.read_units(size, consistent=True) == 2 * units


@pytest.mark.parametrize(("size", "units"), [(1, 1), (1024, 1), (1025, 2), (3000, 3)])
def test_write_units(size: int, units: int) -> None:
    assert estimates.write_units(size) == units


def test_units_of_a_change_by_hand() -> None:
    """Ann has 1,035 bytes, so two units, twice in a transaction; her entry of the GSI is small."""
    moved = {**ANN, "city": {"S": "Rome"}}
    longer = {**ANN, "text": {"S": "y" * 1000}}
    assert estimates.change_units(ItemChange(OrderModel, None, ANN), PEOPLE) == {"": 4, "by-name": 2, "by-city": 1}
    assert estimates.change_units(ItemChange(OrderModel, ANN, moved), PEOPLE) == {"": 4, "by-name": 2, "by-city": 2}
    assert estimates.change_units(ItemChange(OrderModel, ANN, longer), PEOPLE) == {"": 4, "by-name": 2}
    assert estimates.change_units(ItemChange(OrderModel, ANN, None), PEOPLE) == {"": 4, "by-name": 2, "by-city": 1}


@pytest.mark.parametrize(
    ("size", "reads", "writes", "partitions"),
    [(1, 0, 0, 1), (25 * GB, 0, 0, 3), (GB, 3000, 0, 1), (GB, 3000, 500, 2), (GB, 0, 4500, 5)],
)
def test_physical_partitions(size: int, reads: float, writes: float, partitions: int) -> None:
    assert estimates.physical_partitions(size, reads, writes) == partitions


def test_costs_of_a_month() -> None:
    """2,000,000 units a day are 60 million in 30 days."""
    assert estimates.monthly(2_000_000, 0.625) == 37.5


def test_loads_share_a_day_by_their_weights_and_a_part_of_every_page_has_all() -> None:
    pages = [PageLoad("often", [], 3), PageLoad("seldom", [], 1), PageLoad("always", [], None)]
    assert estimates.per_day(pages, 1000) == {"often": 750, "seldom": 250, "always": 1000}


OWNED: list[tuple[Owners, str]] = [({"guest": f"g{n % 2}"}, f"USER g{n % 2}") for n in range(20)]
SHARDED: list[tuple[Owners, str]] = [({"guest": f"g{n % 2}"}, f"shard {n % 4 // 2}") for n in range(20)]
SINGLE: list[tuple[Owners, str]] = [({"guest": f"g{n % 2}"}, f"item {n}") for n in range(20)]


@pytest.mark.parametrize(
    ("keys", "share"),
    [
        (OWNED, 0.02),  # the largest of 1,000 guests has 20 times the mean, 20 of 1,000
        (SHARDED, 0.5),
        (SINGLE, 0),
        ([(owners, "all") for owners, _ in OWNED], 1),
        ([({"guest": f"g{n % 2}"}, f"g{n % 2} {n % 4 // 2}") for n in range(20)], 0.01),  # half of a guest's items
    ],
    ids=["by owner", "shards", "single items", "one key", "two keys of an owner"],
)
def test_the_share_of_the_fullest_partition(keys: list[tuple[Owners, str]], share: float) -> None:
    assert largest_share(keys, {"guest": 1000}, 20) == pytest.approx(share)


def test_a_sparse_index_stores_its_share_of_the_samples() -> None:
    bare = {name: value for name, value in ANN.items() if name != "city"}
    samples = [Sample({"city": "Oslo"}, {**item, "id": {"S": f"{n}"}}) for n in range(5) for item in (ANN, bare)]
    lines = {
        line.index: line for line in estimates.stored(Stock(OrderModel, samples, 1000, {"city": 10}), PEOPLE, skew=2)
    }
    assert [lines[name].entries for name in ("", "by-name", "by-city")] == [1000, 1000, 500]
    assert lines["by-city"].size == len("idcitynamephone") + len("1OsloAnn12")
    assert lines["by-city"].total == 500 * (25 + 100)
    assert lines["by-city"].largest == 100, "the largest of 10 cities has twice the mean"


def test_a_hot_keys_rate_is_its_share_of_the_units() -> None:
    assert HotKey("people", "", "write", share=0.25, units=4, per_second=100).rate == 100


# --- Against the engine ---------------------------------------------------------------------------------


def estimated(changes: list[ItemChange]) -> int:
    schemas = {model.Meta.table_name: table_schema(name, model) for name, model in tables.models().items()}
    return estimates.transaction_units(changes, schemas).total()


def charged(write: Callable[[], Any]) -> float:
    with ledger.recording() as calls:
        write()
    return float(sum(call.units for call in calls.calls if call.operation == "TransactWriteItems"))


def created(writer: Any, entity: Any) -> list[ItemChange]:
    change = Change(None, entity)
    return [
        *item_changes(writer.own_writes(change)),
        *item_changes(writer.history(change)),
        *item_changes(writer.shared_writes([change])),
    ]


@pytest.mark.skipif(dynamodb_local.wanted(), reason="DynamoDB Local charges a transaction's index entries twice")
def test_the_units_of_writes_are_those_that_the_engine_charges(empty_tables: None) -> None:
    make_hotel()
    orders.create_guest(Guest("alex", "Alex Doe"), "alice")
    room, review = make_room("101"), make_review(body="x" * 1500)
    order = make_order(total=2000)
    assert charged(lambda: rooms.create_room(room, "alice")) == estimated(created(RoomWriter(ALICE), room)) == 18
    stored = rooms_of.rooms_as_stored([("abc", "101")])["abc", "101"]
    for housekeeping, units in ((Housekeeping.DIRTY, 14), (Housekeeping.CLEAN, 14)):
        change = StatusChange(housekeeping)
        after = to_store(stored, change.of(stored), ALICE)
        ((_, changed),) = changes(RoomWriter(ALICE), [({}, Change(stored, after))])
        assert charged(partial(rooms.set_status, "abc", "101", change, "alice")) == estimated(changed) == units
        stored = after
    assert charged(lambda: reviews.save_reviews([review])) == estimated(created(ReviewWriter(IMPORT), review))
    placed = orders.place_order(order, "anna")
    assert charged(lambda: orders.place_order(make_order("o-2", total=2000), "anna")) == estimated(
        created(OrderWriter(ALICE), placed)
    )
    assert charged(lambda: orders.take_step(placed, Status.PROCESSING, "anna")) == estimated(_step(placed))


# --- The command ----------------------------------------------------------------------------------------


SMALL_HOTELS = 100_000
"""So many rooms that the hotels whose rooms are samples have twenty. With more samples, the command takes longer."""


@cache
def printed(**options: Any) -> str:
    """What the command says about small hotels."""
    out = StringIO()
    call_command("estimate_cost", stdout=out, **{"rooms": SMALL_HOTELS, **options})
    return out.getvalue()


def rows(text: str, start: str) -> list[list[str]]:
    """The cells of the rows that begin with a text."""
    lines = [line.strip("| ").split(" | ") for line in text.splitlines()]
    return [cells for cells in lines if cells[0] == start]


def test_the_command_counts_every_table_and_index() -> None:
    text = printed()
    for name, model in tables.models().items():
        assert rows(text, name)
        for index in table_schema(name, model).indexes:
            assert rows(text, f"{name} / {index.name}"), f"no workload has items in {index.name}"


def test_the_command_follows_its_options() -> None:
    usual = printed()
    large = printed(reviews=100_000_000, writes_a_day=600_000, storage_gb=0.5)
    (reads,), (more_reads,) = rows(usual, "reads"), rows(large, "reads")
    (writes,), (more_writes,) = rows(usual, "writes"), rows(large, "writes")
    assert reads == more_reads
    assert number(more_writes[-1]) == pytest.approx(2 * number(writes[-1]), rel=0.01)
    assert rows(usual, "reviews / by-hotel")[0][2] == "50,000,000"
    assert rows(large, "reviews / by-hotel")[0][2] == "100,000,000"
    assert rows(large, "storage")[0][1].endswith("GB x 0.5")


def test_the_total_is_the_sum_of_the_parts() -> None:
    text = printed()
    parts = ("reads", "writes", "storage", "point-in-time recovery")
    assert number(rows(text, "total")[0][-1]) == pytest.approx(
        sum(number(rows(text, part)[-1][-1]) for part in parts), rel=0.01
    )


def number(text: str) -> float:
    return float(text.replace(",", ""))


@pytest.mark.parametrize("value", ["0", "-1", "many"])
def test_numbers_must_be_above_zero(value: str) -> None:
    with pytest.raises(CommandError, match="no number above zero"):
        call_command("estimate_cost", f"--hotels={value}")
